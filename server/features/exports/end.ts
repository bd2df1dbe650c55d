import type { ExportStatus } from "../../../contract/endpoints/exports.ts";
import type { TrackerProblem } from "../../../contract/values/tracker-problems.ts";
import { afterCommit, type Queryable } from "../../db/database.ts";
import type { Services } from "../../services/index.ts";
import { estimationLookUp, lockEstimations, tellReaders, webPages } from "../estimations/index.ts";
import { addNotifications } from "../notifications/index.ts";
import { makeMatchingMove } from "../states/index.ts";
import { openTaskPlaces } from "../tasks/index.ts";
import { createdRows } from "./ledger-store.ts";
import { addRemoval } from "./old-runs.ts";
import { type RunRow, updateRun } from "./store.ts";

/** How a run ended: by itself, because it was cancelled, or because something prevents it. */
export type Ending = "done" | "cancelled" | TrackerProblem;

/** Returns the status of a run with this end. */
function statusAfter({ total, failed }: RunRow, ending: Ending): ExportStatus {
  if (ending === "cancelled") return "cancelled";
  if (ending !== "done") return "failed";
  if (failed === 0) return "completed";
  return failed === total ? "failed" : "partial";
}

/**
 * Ends a run whose estimation is locked. The event is sent once for each run, unless the run ended early without having
 * done anything. After an export without failures, the estimation becomes `exported` if all open tasks now have an
 * issue. All of this is in the transaction of the end.
 */
export async function endRun(
  services: Services,
  tx: Queryable,
  exportId: string,
  ending: Ending,
  now: Date,
): Promise<RunRow | undefined> {
  const problem = typeof ending === "object" ? ending : null;
  const before = await updateRun(tx, exportId, { lease: null, updatedAt: now });
  if (!before) return undefined;
  const status = statusAfter(before, ending);
  const didAnything = before.created + before.updated > 0;
  const isWhole = status === "completed" || status === "partial";
  const tells = before.kind === "export" && !before.dryRun && !before.told && (isWhole || didAnything);
  const run = await updateRun(tx, exportId, {
    ...{ status, problem, endedAt: now, expectedEndAt: null, cancelAsked: false },
    ...(tells ? { told: true } : {}),
  });
  await addRemoval(tx, before.estimationId);
  const { estimationId, userId } = before;
  // Who cancelled it, or looks at what it would do, knows.
  if (ending !== "cancelled" && before.kind === "export" && !before.dryRun)
    await addNotifications(
      tx,
      services.ids,
      { kind: "export.ended", actorId: null, estimationId, subject: { exportId }, now },
      [userId],
    );
  const { kind, dryRun } = before;
  if (!dryRun) afterCommit(tx, async () => services.metrics.exports.inc({ kind, outcome: status }));
  if (before.kind === "export" && !before.dryRun)
    await tell(services, tx, before, { tells, moves: status === "completed", now });
  return run;
}

async function tell(
  services: Services,
  tx: Queryable,
  run: RunRow,
  { tells, moves, now }: { readonly tells: boolean; readonly moves: boolean; readonly now: Date },
): Promise<void> {
  const { estimationId, created, project, layout } = run;
  const [locked] = await lockEstimations(tx, [estimationId]);
  // It may have been deleted since.
  const estimation = locked && (await estimationLookUp.lock(tx, estimationId, locked.ownerId, "own"));
  if (!estimation) return;
  if (tells) {
    await tellReaders(tx, services, estimation, {
      event: "estimation.exported",
      data: {
        estimationId,
        taskCount: created,
        projectKey: layout?.project ?? project,
        estimationTitle: estimation.title,
        estimationUrl: webPages.estimation(services.config.webUrl, estimationId),
      },
      senderId: run.userId,
      now,
    });
  }
  if (moves && (await isComplete(tx, run))) await makeMatchingMove({ db: tx, estimation, now }, "mark-exported");
}

/**
 * Returns whether each open task has an issue in the destination of a run. The run may have left some out, or found
 * issues deleted.
 */
async function isComplete(tx: Queryable, run: RunRow): Promise<boolean> {
  const made = new Set((await createdRows(tx, run)).map(({ taskId }) => taskId));
  return (await openTaskPlaces(tx, run.estimationId)).every(({ id }) => made.has(id));
}
