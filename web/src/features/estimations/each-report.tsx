import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { failureText } from "../../api/failure.ts";
import { Notice, NoticeButton } from "../../ui/notice.tsx";
import { uiTexts } from "../../ui/texts.ts";
import { bulkTexts as t } from "./bulk-texts.ts";
import styles from "./selection-bar.module.css";
import type { Each, Outcome } from "./use-each.ts";

interface EachReportProps<Given> {
  readonly run: Each<Given>;
  /** Says what was done; null: nothing yet. */
  readonly said: (outcome: Outcome, given: Given) => string | null;
  /** What to do about those with which it was done. */
  readonly action?: ReactNode;
}

/** How far something is with several estimations, and then what became of each: what failed is named with its reason. */
export function EachReport<Given>({ run, said, action }: EachReportProps<Given>) {
  const { progress, outcome, given } = run;
  if (progress) {
    return (
      <div className={styles.progress}>
        <progress aria-label={t.progress} value={progress.decided} max={progress.of} />
        <span>{t.of(progress.decided, progress.of)}</span>
        <Button variant="subtle" size="compact-sm" onClick={run.cancel}>
          {uiTexts.cancel}
        </Button>
      </div>
    );
  }
  if (!outcome) return null;
  const { done, failed, left } = outcome;
  const text = done.length > 0 ? said(outcome, given as Given) : null;
  const retry = <NoticeButton onClick={run.retry}>{uiTexts.retry}</NoticeButton>;
  return (
    <>
      {text !== null && (
        <Notice kind="info" action={action}>
          {text}
        </Notice>
      )}
      {failed.length > 0 && (
        <Notice kind="bad" action={left.length === 0 && retry}>
          {t.failed(failed.length, done.length + failed.length + left.length)}
          {reasonsOf(outcome).map(([reason, titles]) => (
            <span key={reason} className={styles.reason}>
              {t.because(reason, titles)}
            </span>
          ))}
        </Notice>
      )}
      {left.length > 0 &&
        (outcome.stoppedBy === null ? (
          <Notice kind="info" action={<NoticeButton onClick={run.retry}>{t.goOn}</NoticeButton>}>
            {t.stopped(left.length)}
          </Notice>
        ) : (
          <Notice kind="bad" action={retry}>
            {failureText(outcome.stoppedBy)} {t.left(left.length)}
          </Notice>
        ))}
    </>
  );
}

/** The titles of what failed, by the reason. */
function reasonsOf({ failed }: Outcome): readonly (readonly [reason: string, titles: readonly string[]])[] {
  const reasons = Map.groupBy(failed, ({ error }) => failureText(error));
  return [...reasons].map(([reason, of]) => [reason, of.map(({ estimation }) => estimation.title)]);
}
