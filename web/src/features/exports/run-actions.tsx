import { Button } from "@mantine/core";
import type { Export } from "../../../../contract/endpoints/exports.ts";
import { api } from "../../api/client.ts";
import { useSession } from "../../api/session.ts";
import { described } from "../../ui/hinted.ts";
import { exportTexts as t } from "./texts.ts";

export interface Started {
  readonly data: { readonly export: Export };
}

interface ActionsProps {
  readonly run: Export;
  readonly isPending: boolean;
  readonly onAct: (start: () => Promise<Started>) => void;
}

/** Returns what an export to the same project as `run` is asked for with. */
const sameAs = ({ target, connectionId, repository, projectKey, issueType }: Export) => ({
  target,
  connectionId,
  ...(repository === null ? {} : { repository }),
  ...(projectKey === null ? {} : { projectKey }),
  ...(issueType === null ? {} : { issueType }),
});

/** What can be done with a run, by its state. */
export function RunActions({ run, isPending, onAct }: ActionsProps) {
  const session = useSession();
  const { id: exportId, estimationId: id, kind, dryRun, endedAt, resumable, startedBy, progress } = run;
  const params = { id, exportId };
  const isMine = startedBy === session?.userId;
  const action = (label: string, start: () => Promise<Started>, hint?: string) => (
    <Button size="compact-sm" variant="default" {...described(hint)} disabled={isPending} onClick={() => onAct(start)}>
      {label}
    </Button>
  );
  if (endedAt === null) return action(t.cancel, () => api.cancelExport({ params }));
  const isExport = kind === "export";
  const again = (more: object) => () => api.exportTasks({ params: { id }, body: { ...sameAs(run), ...more } });
  return (
    <>
      {resumable && isMine && action(t.resume, () => api.resumeExport({ params }))}
      {isExport && isMine && dryRun && action(t.realRun, again({ recreateDeleted: run.recreateDeleted }))}
      {isExport && isMine && !dryRun && progress.failed > 0 && action(t.retry, again({ retryOf: exportId }))}
      {isMine && !dryRun && action(t.pull, () => api.pullExport({ params, body: {} }), t.pullHint)}
    </>
  );
}
