import type { ExportTarget } from "../../../contract/connections.ts";
import type { ExportKind } from "../../../contract/exports.ts";
import { limits } from "../../../contract/limits.ts";
import type { Queryable } from "../../db/database.ts";
import { fail } from "../../http/failure.ts";
import { refuseBeyond } from "../../http/quota.ts";
import type { Services } from "../../services.ts";
import { lockConnection } from "../connections/index.ts";
import { type ContentCall, halfOf, quotaFor } from "../estimations/index.ts";
import { countExportedTasks, countExportedTasksOf } from "../ledger/index.ts";
import { addStep } from "./context.ts";
import { addressOf } from "./destination.ts";
import type { Trackers } from "./run.ts";
import { countActiveBy, countActiveOf, findActive, insertRun, type RunRow } from "./store.ts";

/** What a new run does, and where. */
interface Start {
  readonly kind: ExportKind;
  readonly target: ExportTarget;
  readonly connectionId: string;
  readonly project: string;
  readonly issueType: string | null;
  readonly userId: string;
  readonly dryRun: boolean;
  readonly recreateDeleted: boolean;
  readonly retryOf: string | null;
  /** The ledger's key for the destination, if known before the tracker is asked; otherwise "". */
  readonly destination: string;
}

/**
 * Starts a run of a locked estimation. Refuses (404) a connection that is not the user's own one to this tracker, and
 * (409) a second run for the same tracker, more runs by one connection than may be under way, and an export of an
 * estimation that has as many exported tasks as can be remembered, or whose owner has.
 */
export async function startRun(
  { services, trackers }: { readonly services: Services; readonly trackers: Trackers },
  { db, estimation, now }: ContentCall,
  start: Start,
): Promise<RunRow> {
  const { target, userId } = start;
  const connection = await lockConnection(db, userId, start.connectionId);
  if (connection.target !== target) fail("not_found");
  await refuseSecond(db, estimation.id, target);
  await refuseMoreBy(db, { connectionId: connection.id, userId }, services.config.quotas.exports);
  if (start.kind === "export" && !start.dryRun) await refuseMoreOf(db, estimation);
  const run = await insertRun(db, {
    ...start,
    id: services.ids.next("export"),
    estimationId: estimation.id,
    address: addressOf(trackers[target], connection),
    progressAt: now,
    createdAt: now,
    updatedAt: now,
  });
  await addStep(db, run.id);
  return run;
}

/**
 * Refuses (409) a run by a locked connection that has the maximum of active runs, or of a user who has `quota` of them. Starts at
 * the same time by several connections may together exceed the latter by their number.
 */
export async function refuseMoreBy(
  db: ContentCall["db"],
  { connectionId, userId }: Pick<RunRow, "connectionId" | "userId">,
  quota: number,
): Promise<void> {
  refuseBeyond("exports", quota, 1 + (await countActiveOf(db, userId)));
  refuseBeyond("exportsPerConnection", limits.exportsPerConnection, 1 + (await countActiveBy(db, connectionId)));
}

/**
 * Refuses (409) to export an estimation with the maximum of remembered issues, or of an owner with the maximum in all
 * estimations: issues are never forgotten.
 */
async function refuseMoreOf(
  db: ContentCall["db"],
  estimation: Pick<ContentCall["estimation"], "id" | "ownerId" | "access">,
): Promise<void> {
  const { id, ownerId } = estimation;
  const most = limits.exportedTasks;
  const mostOfAll = quotaFor(estimation, limits.exportedTasksPerOwner);
  refuseBeyond("exportedTasks", most, 1 + (await countExportedTasks(db, id, most)));
  refuseBeyond("exportedTasksPerOwner", mostOfAll, 1 + (await countExportedTasksOf(db, ownerId, mostOfAll)));
}

/** Refuses (409) somebody as the new owner of an estimation whose remembered issues would then be more than half of the maximum. */
export async function refuseMoreExported(db: Queryable, estimationId: string, newOwnerId: string): Promise<void> {
  if ((await countExportedTasks(db, estimationId, 1)) === 0) return;
  const most = halfOf(limits.exportedTasksPerOwner);
  refuseBeyond("exportedTasksPerOwner", most, await countExportedTasksOf(db, newOwnerId, most + 1));
}

/** Refuses (409) a run while another of the estimation and tracker is under way. */
export async function refuseSecond(db: ContentCall["db"], estimationId: string, target: ExportTarget): Promise<void> {
  const exportId = await findActive(db, estimationId, target);
  if (exportId !== undefined) fail("export_in_progress", { details: { exportId } });
}
