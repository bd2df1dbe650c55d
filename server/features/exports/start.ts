import type { ExportTarget } from "../../../contract/connections.ts";
import type { ExportKind } from "../../../contract/exports.ts";
import { fail } from "../../http/failure.ts";
import type { Services } from "../../services.ts";
import { findConnection } from "../connections/index.ts";
import type { ContentCall } from "../estimations/index.ts";
import { addStep } from "./context.ts";
import { addressOf } from "./destination.ts";
import type { Trackers } from "./run.ts";
import { findActive, insertRun, type RunRow } from "./store.ts";

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
}

/**
 * Starts a run of a locked estimation. Refuses (404) a connection that is not the user's own, and (409) a second run for
 * the same tracker.
 */
export async function startRun(
  { services, trackers }: { readonly services: Services; readonly trackers: Trackers },
  { db, estimation, now }: ContentCall,
  start: Start,
): Promise<RunRow> {
  const { target, userId } = start;
  const connection = (await findConnection(db, userId, start.connectionId)) ?? fail("not_found");
  await refuseSecond(db, estimation.id, target);
  const run = await insertRun(db, {
    ...start,
    id: services.ids.next("export"),
    estimationId: estimation.id,
    address: addressOf(trackers[target], connection),
    destination: "",
    createdAt: now,
    updatedAt: now,
  });
  await addStep(db, run.id);
  return run;
}

/** Refuses (409) a run while another of the estimation and tracker is under way. */
export async function refuseSecond(db: ContentCall["db"], estimationId: string, target: ExportTarget): Promise<void> {
  const exportId = await findActive(db, estimationId, target);
  if (exportId !== undefined) fail("export_in_progress", { details: { exportId } });
}
