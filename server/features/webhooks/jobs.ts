import { type JobRow, runJob, runPeriodically } from "../../jobs/job.ts";
import { removeInBatches, removePeriodically, untilFewer } from "../../jobs/removals.ts";
import type { Outbound } from "../../platform/outbound/index.ts";
import type { Services } from "../../services.ts";
import { forgetBegun } from "./delivery/begun-store.ts";
import { createDeliver } from "./delivery/deliver.ts";
import { createLanes } from "./delivery/lanes.ts";
import { createParking } from "./delivery/parking.ts";
import { deliverJob } from "./enqueue.ts";
import { forgetExpiredSecrets } from "./former-secrets.ts";
import { createRecover, recoverJob } from "./recover.ts";
import { removalsOfOld } from "./retention.ts";
import { createSpread, spreadJob } from "./spread.ts";
import { removeDeleted, removeDeletedJob, removeRestSoon } from "./store.ts";

const SWEEP_SECONDS = 5;
const REMOVE_SECONDS = 600;
/** When what could not be removed, because it was locked or too much for one run, is removed. */
const REST_MS = 2_000;

/** The jobs that the worker runs for webhooks. `stopping` is aborted when it stops. */
export function webhookJobs(services: Services, outbound: Outbound, stopping?: AbortSignal): JobRow[] {
  const { clock, config, pool } = services;
  const lanes = createLanes(clock, config.webhookDeliveriesPerMinute);
  const parking = createParking(services, lanes, stopping ? { stopping } : {});
  const deleted = [untilFewer((rows) => removeDeleted(pool, rows))];
  return [
    runJob(deliverJob, createDeliver(services, outbound, lanes, parking)),
    runJob(recoverJob, createRecover(services)),
    runJob(spreadJob, createSpread(services)),
    runPeriodically("sweep-parked-webhooks", SWEEP_SECONDS, () => parking.sweep()),
    runJob(removeDeletedJob, async (_, { signal }) => {
      await removeInBatches(deleted, { signal });
      await removeRestSoon(pool, REST_MS);
    }),
    // What is left where the job above failed too often.
    removePeriodically("remove-deleted-webhooks", REMOVE_SECONDS, () => deleted),
    removePeriodically("remove-old-webhook-deliveries", REMOVE_SECONDS, () => {
      const now = clock.now();
      return [
        untilFewer((rows) => forgetExpiredSecrets(pool, now, rows)),
        untilFewer((rows) => forgetBegun(pool, rows)),
        ...removalsOfOld(pool, now, config.webhookRetentionDays),
      ];
    }),
  ];
}
