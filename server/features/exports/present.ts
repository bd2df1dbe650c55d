import type { Export, ExportItem } from "../../../contract/exports.ts";
import type { TrackerProblem } from "../../../contract/tracker-problems.ts";
import type { ItemRow } from "./item-store.ts";
import type { RunRow } from "./store.ts";
import type { Problem } from "./trackers/checked.ts";

/** Returns whether a run ended before its tasks were done. */
export const isResumable = ({ status, problem }: Pick<RunRow, "status" | "problem">): boolean =>
  status === "cancelled" || (status === "failed" && problem !== null);

/** Returns a run as the API shows it. */
export const presentExport = (row: RunRow): Export => ({
  id: row.id,
  estimationId: row.estimationId,
  kind: row.kind,
  target: row.target,
  repository: row.target === "github" ? row.project : null,
  projectKey: row.target === "jira" ? row.project : null,
  issueType: row.issueType,
  connectionId: row.connectionId,
  startedBy: row.userId,
  dryRun: row.dryRun,
  recreateDeleted: row.recreateDeleted,
  retryOf: row.retryOf,
  status: row.status,
  problem: row.problem,
  resumable: isResumable(row),
  progress: {
    total: row.total,
    created: row.created,
    updated: row.updated,
    skipped: row.skipped,
    failed: row.failed,
  },
  expectedEndAt: row.expectedEndAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
  endedAt: row.endedAt?.toISOString() ?? null,
});

/** Returns the outcome of a task as the API shows it. */
export const presentItem = (row: ItemRow): ExportItem => ({
  taskId: row.taskId,
  outcome: row.outcome,
  reason: row.reason,
  url: row.url,
  keptFields: row.keptFields,
  warnings: row.warnings ?? [],
});

/** Returns what prevents an export as the API shows it. */
export const presentProblem = ({ code, message, mend }: Problem): TrackerProblem => ({ code, message, mend });
