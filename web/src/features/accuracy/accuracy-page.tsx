import { useQuery } from "@tanstack/react-query";
import type { First } from "../../app/first.ts";
import { LinkButton } from "../../ui/link-button.tsx";
import { SkeletonRows } from "../../ui/lists/skeleton-rows.tsx";
import { LoadFailure } from "../../ui/load-failure.tsx";
import { Message } from "../../ui/message.tsx";
import { useTitle } from "../../ui/use-title.ts";
import { PageHead } from "../profile/page-head.tsx";
import styles from "./accuracy-page.module.css";
import { Calibration } from "./calibration.tsx";
import { Months } from "./months.tsx";
import { accuracyQuery, calibrationQuery } from "./queries.ts";
import { Reliability } from "./reliability.tsx";
import { Roles } from "./roles.tsx";
import { Said } from "./said.tsx";
import { accuracyTexts as t } from "./texts.ts";

export const first: First = () => [accuracyQuery, calibrationQuery];

/** How the reader's estimates compare with the hours that the work took. */
export function AccuracyPage() {
  useTitle(t.title);
  const query = useQuery(accuracyQuery);
  const accuracy = query.data;
  if (accuracy?.ratio.n === 0) {
    return (
      <>
        <Message title={t.emptyTitle} text={t.empty}>
          <LinkButton to="/estimations">{t.emptyAction}</LinkButton>
        </Message>
        <Calibration />
      </>
    );
  }
  return (
    <>
      <PageHead title={t.title} intro={t.intro} />
      <LoadFailure query={query} />
      {query.isPending && <SkeletonRows rows={8} />}
      {accuracy && (
        <>
          <Said {...accuracy} />
          <div className={styles.charts}>
            <Reliability points={accuracy.reliability} />
            <Months months={accuracy.months} />
          </div>
          <Roles roles={accuracy.roles} />
          <Calibration />
        </>
      )}
    </>
  );
}
