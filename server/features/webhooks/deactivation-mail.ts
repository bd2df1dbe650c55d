import { limits } from "../../../contract/limits.ts";
import { defineJob, type Run } from "../../jobs/job.ts";
import { type Mail, type Mailer, MailRefused } from "../../platform/mail.ts";
import type { Services } from "../../services.ts";
import { findUser } from "../auth/index.ts";
import { findWebhook } from "./store.ts";

/** A webhook that was deactivated for its failures, and whose owner is to be told. */
export interface DeactivationMailJob {
  readonly webhookId: string;
  readonly userId: string;
  /** Deliveries that failed in a row. */
  readonly failures: number;
  /** ISO 8601, as is the next. */
  readonly failingSince: string;
  readonly deactivatedAt: string;
}

export const deactivationMailJob = defineJob<DeactivationMailJob>("send-webhook-deactivation-mail");

/** What waited longer than that for the mail server is of no use any more; the webhook itself shows what happened. */
const STALE_MS = 86_400_000;

/** Tells the owner, unless the webhook is active again or gone by then. */
export function createSendDeactivationMail(
  { config, clock, pool, log }: Services,
  mailer: Mailer,
): Run<DeactivationMailJob> {
  return async (job) => {
    const { webhookId, userId, failures } = job;
    const [user, webhook] = [await findUser(pool, userId), await findWebhook(pool, userId, webhookId)];
    if (!user || !webhook?.deactivatedAt) return;
    if (clock.now().getTime() - Date.parse(job.deactivatedAt) > STALE_MS) {
      log.warn({ userId, webhookId }, "a mail was given up: the mail server did not take it for a day");
      return;
    }
    try {
      await mailer.send({ to: user.email, ...deactivationMail(config.baseUrl, job) });
      log.warn({ userId, webhookId, failures }, "a webhook was deactivated for its failures, and its owner told");
    } catch (error) {
      if (!(error instanceof MailRefused)) throw error;
      log.warn({ err: error, userId, webhookId }, "a mail was given up");
    }
  };
}

/**
 * What the mail says, with calls of the API at `baseUrl`. It names the webhook by its id alone: address and description are
 * the account's choice, and the account's mail address may be somebody else's.
 */
function deactivationMail(baseUrl: string, job: DeactivationMailJob): Omit<Mail, "to"> {
  const since = new Date(job.failingSince).toISOString();
  const at = new Date(job.deactivatedAt).toISOString();
  const path = `/api/webhooks/${job.webhookId}`;
  return {
    subject: "A webhook of yours was deactivated",
    text: [
      `Every delivery to your webhook ${job.webhookId} has failed since ${since}: ${job.failures} in a row, for at least ${limits.webhookFailingDays} days. It was therefore deactivated at ${at}, and receives no more events.`,
      `What was sent and what was answered stands in its delivery log:\nGET ${path}/deliveries`,
      `Once its address answers again, activate it:\nPATCH ${path} with the body {"active":true}`,
      `What has failed meanwhile can then be sent again:\nPOST ${path}/redeliver-failed with the body {"since":"${since}"}`,
      `The calls take an API key with the scope webhooks:manage. The reference shows each as a request to copy: ${baseUrl}/docs`,
    ].join("\n\n"),
  };
}
