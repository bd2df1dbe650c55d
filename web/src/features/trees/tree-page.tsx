import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useLocation, useParams } from "@tanstack/react-router";
import { lazy, type ReactNode, useState } from "react";
import type { Estimation } from "../../../../contract/endpoints/estimations.ts";
import { failureText, isRefusal, NoResponse } from "../../api/failure.ts";
import { currentSession } from "../../api/session.ts";
import type { First } from "../../app/first.ts";
import { FailedPage } from "../../ui/failed-page.tsx";
import { SkeletonRows } from "../../ui/lists/skeleton-rows.tsx";
import { Message } from "../../ui/message.tsx";
import { Notice } from "../../ui/notice.tsx";
import { formatHours } from "../../ui/numbers/format.ts";
import { Part } from "../../ui/part.tsx";
import { uiTexts } from "../../ui/texts.ts";
import { useTitle } from "../../ui/use-title.ts";
import { estimationQuery, listedEstimation } from "../estimations/queries.ts";
import { EstimationHead } from "../states/estimation-head.tsx";
import { Editor } from "./editor.tsx";
import { dropDrafts, hasDrafts } from "./sync/drafts.ts";
import { firstOfTree, treeQuery } from "./sync/queries.ts";
import { treeTexts } from "./texts.ts";

const Tour = lazy(async () => ({ default: (await import("../tour/tour.tsx")).Tour }));

export const first: First = ({ params: { id } }) => firstOfTree(id);

export function TreePage() {
  const { id } = useParams({ from: "/frame/signed-in/estimations/$id" });
  const hash = useLocation({ select: (location) => location.hash });
  const estimation = useQuery(estimationQuery(id));
  const tree = useQuery(treeQuery(id));
  const shown = estimation.data ?? tree.data?.current().estimation;
  const listed = listedEstimation(useQueryClient(), id);
  useTitle((shown ?? listed)?.title);
  if (tree.data && shown)
    return (
      <>
        <Editor key={id} estimation={shown} sync={tree.data} />
        {hash.endsWith("tour") && (
          <Part>
            <Tour isAskedFor={hash !== "tour"} />
          </Part>
        )}
      </>
    );
  const failed = estimation.error ?? tree.error;
  if (failed) {
    const retry = () => void Promise.all([estimation.refetch(), tree.refetch()]);
    if (listed && failed instanceof NoResponse)
      return (
        <Listed estimation={listed}>
          <Notice kind="bad" action={<Button onClick={retry}>{uiTexts.retry}</Button>}>
            {failureText(failed)}
          </Notice>
        </Listed>
      );
    return isRefusal(failed, "not_found") && hasDrafts(currentSession()?.userId ?? "", id) ? (
      <UnseenDrafts id={id} error={failed} />
    ) : (
      <FailedPage error={failed} onRetry={retry} />
    );
  }
  const rows = <SkeletonRows rows={10} />;
  return listed ? <Listed estimation={listed}>{rows}</Listed> : rows;
}

/** What the list says of an estimation that is not loaded: it shows at once, and without a connection. */
function Listed({ estimation, children }: { readonly estimation: Estimation; readonly children: ReactNode }) {
  const { p50, p80 } = estimation.hours;
  return (
    <>
      <EstimationHead estimation={{ ...estimation, access: "viewer" }} />
      {p80 > 0 && <p>{treeTexts.listedHours(formatHours(p50), formatHours(p80))}</p>}
      {children}
    </>
  );
}

/** An estimation that may not be seen any more, with edits of it that could not be saved. */
function UnseenDrafts({ id, error }: { readonly id: string; readonly error: Error }) {
  const [isDropped, setDropped] = useState(false);
  if (isDropped) return <FailedPage error={error} />;
  const drop = () => {
    dropDrafts(currentSession()?.userId ?? "", id);
    setDropped(true);
  };
  return (
    <Message title={uiTexts.unseen.title} text={`${uiTexts.unseen.text} ${uiTexts.unseen.drafts}`}>
      <Button variant="default" onClick={drop}>
        {uiTexts.unseen.dropDrafts}
      </Button>
    </Message>
  );
}
