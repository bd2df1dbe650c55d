import { runPeriodically, runTask, type TaskRow } from "../../jobs/task.ts";
import type { Outbound } from "../../platform/outbound/index.ts";
import type { Services } from "../../services.ts";
import { createDeliver } from "./deliver.ts";
import { deliverTask } from "./enqueue.ts";
import { createLanes } from "./lanes.ts";
import { createParking } from "./parking.ts";
import { removeDeleted } from "./store.ts";

const SWEEP_SECONDS = 5;
const REMOVE_SECONDS = 600;
/** Rows removed in one statement. */
const BATCH = 1_000;

/** What the worker runs for webhooks. */
export function webhookTasks(services: Services, outbound: Outbound): TaskRow[] {
  const lanes = createLanes(services.clock);
  const parking = createParking(services, lanes);
  return [
    runTask(deliverTask, createDeliver(services, outbound, lanes, parking)),
    runPeriodically("sweep-parked-webhooks", SWEEP_SECONDS, () => parking.sweep()),
    runPeriodically("remove-deleted-webhooks", REMOVE_SECONDS, async (signal) => {
      let removed = BATCH;
      while (removed === BATCH && !signal.aborted) removed = await removeDeleted(services.db, BATCH);
    }),
  ];
}
