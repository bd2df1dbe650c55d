import { UnstyledButton } from "@mantine/core";
import { lazy, type ReactNode, useState } from "react";
import type { Export } from "../../../../contract/endpoints/exports.ts";
import { Notice } from "../../ui/notice.tsx";
import { Ago } from "../../ui/numbers/ago.tsx";
import { Part } from "../../ui/part.tsx";
import { WithLinks } from "../../ui/with-links.tsx";
import { ExportItems } from "./export-items.tsx";
import styles from "./exports.module.css";
import { exportTexts as t } from "./texts.ts";

const COUNTS = ["created", "updated", "skipped", "failed"] as const;

const ExportHistory = lazy(async () => ({ default: (await import("./export-history.tsx")).ExportHistory }));

/** Returns where a run goes, in words. */
export const destinationOf = ({ target, repository, projectKey }: Export): string =>
  `${t.targets[target]} ${repository ?? projectKey ?? ""}`;

/** Returns what a run has done, in words. */
export const countsOf = ({ progress, dryRun }: Export) =>
  COUNTS.filter((name) => progress[name] > 0).map((name) => ({ name, text: t.counted[name](progress[name], dryRun) }));

interface RunProps {
  readonly run: Export;
  /** What can be done with it. */
  readonly children: ReactNode;
}

/** The progress of a run, and on request the outcome of each task. */
export function ExportRun({ run, children }: RunProps) {
  const [showsItems, setShowsItems] = useState(false);
  const [showsHistory, setShowsHistory] = useState(false);
  const { kind, dryRun, status, problem, progress, createdAt, endedAt } = run;
  const done = COUNTS.reduce((sum, name) => sum + progress[name], 0);
  return (
    <div className={styles.run}>
      <p className={styles.line}>
        <strong>{t.runTitle(kind, destinationOf(run), dryRun)}</strong>
        {run.issueTypes.length > 0 && <span>{t.issueTypes(run.issueTypes)}</span>}
        <span role="status">{t.statuses[status]}</span>
        <span className="muted">
          <Ago at={endedAt ?? createdAt} isStop />
        </span>
      </p>
      {endedAt === null && (
        <p className={styles.line}>
          <progress
            className={styles.progress}
            aria-label={t.progress}
            max={Math.max(1, progress.total)}
            value={progress.total === 0 ? undefined : done}
          />
          {progress.total > 0 && <span>{t.done(done, progress.total)}</span>}
          {run.expectedEndAt !== null && (
            <span className="muted">
              {t.ends} <Ago at={run.expectedEndAt} isStop />
            </span>
          )}
        </p>
      )}
      <p className={styles.line}>
        {countsOf(run).map(({ name, text }) => (
          <span key={name} className={name === "failed" ? styles.bad : undefined}>
            {text}
          </span>
        ))}
      </p>
      {problem !== null && (
        <Notice kind="bad">
          <WithLinks text={`${problem.message} ${problem.remedy}`} />
        </Notice>
      )}
      <div className={styles.line}>
        {children}
        <UnstyledButton className={styles.toggle} aria-expanded={showsItems} onClick={() => setShowsItems(!showsItems)}>
          {showsItems ? t.hideItems : t.showItems}
        </UnstyledButton>
        <UnstyledButton
          className={styles.toggle}
          aria-expanded={showsHistory}
          onClick={() => setShowsHistory(!showsHistory)}
        >
          {showsHistory ? t.hideHistory : t.showHistory}
        </UnstyledButton>
      </div>
      {showsItems && <ExportItems key={run.id} run={run} />}
      {showsHistory && (
        <Part>
          <ExportHistory key={run.id} newest={run} />
        </Part>
      )}
    </div>
  );
}
