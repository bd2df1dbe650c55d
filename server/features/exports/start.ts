import type { ExportTarget } from "../../../contract/endpoints/connections.ts";
import type { ExportKind } from "../../../contract/endpoints/exports.ts";
import type { Queryable } from "../../db/database.ts";
import { fail } from "../../http/failure.ts";
import type { Quotas } from "../../http/quotas.ts";
import type { Services } from "../../services/index.ts";
import { lockConnection } from "../connections/index.ts";
import { type ContentCall, halfOf, partOf } from "../estimations/index.ts";
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
  await reserveRun(services.quotas, db, { connectionId: connection.id, userId });
  if (start.kind === "export" && !start.dryRun) await reserveIssues(services.quotas, db, estimation);
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
 * Refuses (409) a run by a locked connection that has the maximum of active runs, or of a user who has. Starts at the same
 * time by several connections may together exceed the latter by their number.
 */
export async function reserveRun(
  quotas: Quotas,
  db: Queryable,
  { connectionId, userId }: Pick<RunRow, "connectionId" | "userId">,
): Promise<void> {
  await quotas.reserve(db, { quota: "exports", used: async () => 1 + (await countActiveOf(db, userId)) });
  const used = async () => 1 + (await countActiveBy(db, connectionId));
  await quotas.reserve(db, { quota: "exportsPerConnection", used });
}

/**
 * Refuses (409) to export an estimation with the maximum of remembered issues, or of an owner with the maximum in all
 * estimations: issues are never forgotten.
 */
async function reserveIssues(
  quotas: Quotas,
  db: Queryable,
  estimation: Pick<ContentCall["estimation"], "id" | "ownerId" | "access">,
): Promise<void> {
  const { id, ownerId } = estimation;
  await quotas.reserve(db, {
    quota: "exportedTasks",
    used: async (tx, most) => 1 + (await countExportedTasks(tx, id, most)),
  });
  await quotas.reserve(db, {
    quota: "exportedTasksPerOwner",
    part: partOf(estimation),
    used: async (tx, most) => 1 + (await countExportedTasksOf(tx, ownerId, most)),
  });
}

/** Refuses (409) a user as the new owner of an estimation whose remembered issues would then be more than half of the maximum. */
export const whenIssuesAreOwned =
  ({ quotas }: Pick<Services, "quotas">) =>
  async (db: Queryable, estimationId: string, newOwnerId: string): Promise<void> => {
    if ((await countExportedTasks(db, estimationId, 1)) === 0) return;
    const used = (tx: Queryable, most: number) => countExportedTasksOf(tx, newOwnerId, most + 1);
    await quotas.reserve(db, { quota: "exportedTasksPerOwner", part: halfOf, used });
  };

/** Refuses (409) a run while another of the estimation and tracker is under way. */
export async function refuseSecond(db: ContentCall["db"], estimationId: string, target: ExportTarget): Promise<void> {
  const exportId = await findActive(db, estimationId, target);
  if (exportId !== undefined) fail("export_in_progress", { details: { exportId } });
}
