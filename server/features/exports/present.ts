import type { Export, ExportItem } from "../../../contract/endpoints/exports.ts";
import type { TrackerProblem } from "../../../contract/values/tracker-problems.ts";
import { withoutSaid } from "../../../domain/exports/words.ts";
import type { ItemRow } from "./item-store.ts";
import type { RunRow } from "./store.ts";
import type { Problem } from "./trackers/checked.ts";

/** Returns whether a run ended before its tasks were done. */
export const isResumable = ({ status, problem }: Pick<RunRow, "status" | "problem">): boolean =>
  status === "cancelled" || (status === "failed" && problem !== null);

/** Returns whether a user sees the messages of a tracker: they may quote anything of the connection, so only its owner does. */
const hears = ({ userId }: Pick<RunRow, "userId">, readerId: string): boolean => userId === readerId;

/** Returns a run as the API shows it to a reader. */
export const presentExport = (row: RunRow, readerId: string): Export => ({
  id: row.id,
  estimationId: row.estimationId,
  kind: row.kind,
  target: row.target,
  repository: row.target === "github" ? row.project : null,
  projectKey: row.target === "jira" ? row.project : null,
  issueType: row.issueType,
  issueTypes: row.layout?.jira?.types.map(({ name }) => name) ?? [],
  connectionId: row.connectionId,
  startedBy: row.userId,
  dryRun: row.dryRun,
  recreateDeleted: row.recreateDeleted,
  retryOf: row.retryOf,
  status: row.status,
  problem:
    row.problem === null || hears(row, readerId)
      ? row.problem
      : { ...row.problem, message: withoutSaid(row.problem.message) },
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

/** Returns the outcome of a task in a run as the API shows it to a reader. */
export function presentItem(row: ItemRow, run: Pick<RunRow, "userId">, readerId: string): ExportItem {
  const text = hears(run, readerId) ? (words: string) => words : withoutSaid;
  return {
    taskId: row.taskId,
    outcome: row.outcome,
    reason: row.reason === null ? null : text(row.reason),
    url: row.url,
    keptFields: row.keptFields,
    warnings: (row.warnings ?? []).map((warning) => ({ ...warning, message: text(warning.message) })),
  };
}

/** Returns what prevents an export as the API shows it. */
export const presentProblem = ({ code, message, remedy }: Problem): TrackerProblem => ({ code, message, remedy });
