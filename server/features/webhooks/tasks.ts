import { runPeriodically, runTask, type TaskRow } from "../../jobs/task.ts";
import type { Mailer } from "../../platform/mail.ts";
import type { Outbound } from "../../platform/outbound/index.ts";
import type { Services } from "../../services.ts";
import { createSendDeactivationMail, deactivationMailTask } from "./deactivation-mail.ts";
import { createDeliver } from "./deliver.ts";
import { deliverTask } from "./enqueue.ts";
import { forgetFormerSecrets } from "./former-secrets.ts";
import { createLanes } from "./lanes.ts";
import { createParking } from "./parking.ts";
import { createRecover, recoverTask } from "./recover.ts";
import { removeOld } from "./retention.ts";
import { removeDeleted } from "./store.ts";

const SWEEP_SECONDS = 5;
const REMOVE_SECONDS = 600;
/** Rows removed in one statement. */
const BATCH = 1_000;

/** What the worker runs for webhooks. */
export function webhookTasks(services: Services, outbound: Outbound): TaskRow[] {
  const { clock, config, db } = services;
  const lanes = createLanes(services.clock);
  const parking = createParking(services, lanes);
  return [
    runTask(deliverTask, createDeliver(services, outbound, lanes, parking)),
    runTask(recoverTask, createRecover(services)),
    runPeriodically("sweep-parked-webhooks", SWEEP_SECONDS, () => parking.sweep()),
    runPeriodically("remove-deleted-webhooks", REMOVE_SECONDS, async (signal) => {
      let removed = BATCH;
      while (removed === BATCH && !signal.aborted) removed = await removeDeleted(db, BATCH);
    }),
    runPeriodically("remove-old-webhook-deliveries", REMOVE_SECONDS, async (signal) => {
      const now = clock.now();
      await forgetFormerSecrets(db, { now });
      await removeOld(db, { now, retentionDays: config.webhookRetentionDays }, signal);
    }),
  ];
}

/** What the worker mails to the owners of webhooks. */
export const webhookMailTasks = (services: Services, mailer: Mailer): TaskRow[] => [
  runTask(deactivationMailTask, createSendDeactivationMail(services, mailer)),
];
