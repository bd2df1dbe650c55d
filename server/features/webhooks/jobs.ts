import { type JobRow, runJob } from "../../jobs/job.ts";
import { removeInBatches, removePeriodically, untilFewer } from "../../jobs/removals.ts";
import type { Services } from "../../services/index.ts";
import { forgetExpiredSecrets } from "./former-secrets.ts";
import { createRecover, recoverJob } from "./recover.ts";
import { removalsOfOld } from "./retention.ts";
import { createSpread, spreadJob } from "./spread.ts";
import { removeDeleted, removeDeletedJob, removeRestSoon } from "./store.ts";

const REMOVE_SECONDS = 600;
/** When what could not be removed, because it was locked or too much for one run, is removed. */
const REST_MS = 2_000;

/** The jobs that the worker runs for webhooks, beside sending deliveries. */
export function webhookJobs(services: Services): JobRow[] {
  const { clock, config, pool } = services;
  const deleted = [untilFewer((rows) => removeDeleted(pool, rows))];
  return [
    runJob(recoverJob, createRecover(services)),
    runJob(spreadJob, createSpread(services)),
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
        ...removalsOfOld(pool, now, config.webhookRetentionDays),
      ];
    }),
  ];
}
