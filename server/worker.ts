import type pg from "pg";
import type { HttpClients } from "./clients.ts";
import { apiKeyJobs, countUsableKeys } from "./features/api-keys/index.ts";
import { auditLogJobs } from "./features/audit-log/index.ts";
import { accountMails, authJobs } from "./features/auth/index.ts";
import { estimationJobs } from "./features/estimations/index.ts";
import { exportJobs } from "./features/exports/index.ts";
import { googleSignInJobs } from "./features/google-sign-in/index.ts";
import { mailSettings } from "./features/notifications/index.ts";
import { reviewMails } from "./features/reviews/index.ts";
import { shareJobs, shareMails } from "./features/shares/index.ts";
import { countWebhooks, startDispatcher, webhookJobs, webhookMails } from "./features/webhooks/index.ts";
import { forgetResponses } from "./http/idempotency.ts";
import { sendMails } from "./jobs/mail.ts";
import { removePeriodically, untilFewer } from "./jobs/removals.ts";
import { createWorker } from "./jobs/worker.ts";
import { createMailer } from "./platform/mailer.ts";
import { purgeEstimations } from "./purge-estimation.ts";
import type { Services } from "./services.ts";

const FORGET_RESPONSES_SECONDS = 3_600;

/** Starts the background worker and returns how to stop it. */
export async function startWorker(
  services: Services,
  connection: pg.PoolConfig,
  { outbound, trackers }: HttpClients,
): Promise<() => Promise<void>> {
  const { config, clock, pool, log } = services;
  const mailer = createMailer(config, clock, (file) =>
    log.info({ file }, "a mail was written; there is no mail server"),
  );
  const otherAccessOf = async (userId: string) => ({
    apiKeys: await countUsableKeys(pool, userId, clock.now()),
    webhooks: await countWebhooks(pool, userId),
  });
  const mails = [
    ...accountMails(services, otherAccessOf),
    ...webhookMails(services),
    ...shareMails(services),
    ...reviewMails(services),
  ];
  const jobs = [
    sendMails(services, mailer, mails, mailSettings(services)),
    ...googleSignInJobs(services),
    ...authJobs(services),
    ...auditLogJobs(services),
    ...shareJobs(services),
    ...estimationJobs(services, purgeEstimations),
    ...apiKeyJobs(services),
    ...webhookJobs(services),
    ...exportJobs(services, trackers),
    removePeriodically("forget-answers", FORGET_RESPONSES_SECONDS, () => [
      untilFewer((rows) => forgetResponses(pool, clock.now(), rows)),
    ]),
  ];
  const worker = createWorker({ services, jobs, connection });
  await worker.start();
  const endDispatching = startDispatcher(services, connection, outbound);
  return async () => {
    await Promise.all([worker.stop(), endDispatching()]);
    mailer.close();
  };
}
