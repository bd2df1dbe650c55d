import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useLocation, useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import type { Estimation } from "../../../../contract/endpoints/estimations.ts";
import { failureText } from "../../api/failure.ts";
import { useSession } from "../../api/session.ts";
import { LoadFailure } from "../../ui/load-failure.tsx";
import { Notice } from "../../ui/notice.tsx";
import { mayEdit } from "../estimations/rights.ts";
import { useCommands } from "../palette/commands.ts";
import { ExportDialog } from "./export-dialog.tsx";
import { ExportRun } from "./export-run.tsx";
import styles from "./exports.module.css";
import { ObsoleteIssues } from "./obsolete-issues.tsx";
import { lastExportQuery } from "./queries.ts";
import { RunActions, type Started } from "./run-actions.tsx";
import { exportTexts as t } from "./texts.ts";
import { useWatchedExport } from "./use-watched-export.ts";

/** Exporting the tasks of an estimation, and how the last export went. */
export function ExportPanel({ estimation }: { readonly estimation: Estimation }) {
  const { id } = estimation;
  const queries = useQueryClient();
  const last = useWatchedExport(id);
  const [isAsking, setAsking] = useState(false);
  const act = useMutation({
    mutationFn: async (start: () => Promise<Started>) => (await start()).data.export,
    onSuccess: (run) => queries.setQueryData(lastExportQuery(id).queryKey, run),
    // Somebody else may have started one, or it ended meanwhile.
    onError: () => queries.invalidateQueries({ queryKey: lastExportQuery(id).queryKey }),
  });
  const run = last.data ?? null;
  const isUnderWay = run !== null && run.endedAt === null;
  const canEdit = mayEdit(estimation);
  const userId = useSession()?.userId;
  const canStart = canEdit && !isUnderWay && last.isSuccess;
  useCommands(async () => ({
    items: canStart ? [{ id: "command export", label: t.command, run: () => setAsking(true) }] : [],
  }));
  useLinkedStart(canStart, () => setAsking(true));
  if (!canEdit && run === null) return null;
  return (
    <section aria-label={t.title} className={styles.panel}>
      <div className={styles.head}>
        <h2>{t.title}</h2>
        {canEdit && !isUnderWay && (
          <Button variant="default" onClick={() => setAsking(true)}>
            {t.start}
          </Button>
        )}
      </div>
      <LoadFailure query={last} />
      {act.isError && <Notice kind="bad">{failureText(act.error)}</Notice>}
      {run !== null && (
        <ExportRun run={run}>
          {canEdit && <RunActions run={run} isPending={act.isPending} onAct={(start) => act.mutate(start)} />}
        </ExportRun>
      )}
      {run?.kind === "export" && run.endedAt !== null && run.startedBy === userId && canEdit && (
        <ObsoleteIssues key={run.id} run={run} isPending={act.isPending} onAct={(start) => act.mutate(start)} />
      )}
      {isAsking && <ExportDialog estimationId={id} last={run} onClose={() => setAsking(false)} />}
    </section>
  );
}

/** Starts an export where the address says so, once it can be started: the command for it leads here from other pages. */
function useLinkedStart(canStart: boolean, start: () => void): void {
  const isLinked = useLocation({ select: ({ hash }) => hash === "export" });
  const navigate = useNavigate({ from: "/estimations/$id/tasks" });
  useEffect(() => {
    if (!isLinked || !canStart) return;
    start();
    void navigate({ search: (before) => before, hash: "", replace: true });
  });
}
