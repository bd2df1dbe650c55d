import { limits } from "../../../contract/limits.ts";
import { type MailRow, writeMail } from "../../jobs/mail.ts";
import { defineMail } from "../../jobs/mail-store.ts";
import type { Letter } from "../../platform/letter.ts";
import type { Services } from "../../services/index.ts";
import { findUser } from "../auth/index.ts";
import { findWebhook } from "./store.ts";

/** A webhook that was deactivated because its deliveries failed. */
interface Deactivation {
  readonly webhookId: string;
  /** Its owner, who gets the mail. */
  readonly userId: string;
  /** Deliveries that failed in a row. */
  readonly failures: number;
  /** ISO 8601, like the next field. */
  readonly failingSince: string;
  readonly deactivatedAt: string;
}

export const deactivationMail = defineMail<Deactivation>("webhook-deactivated");

/** Writes the mails to the owners of deactivated webhooks; none if the webhook is active again or deleted by then. */
export const webhookMails = ({ config, pool, log }: Services): MailRow[] => [
  writeMail(deactivationMail, async (deactivation) => {
    const { webhookId, userId, failures } = deactivation;
    const [user, webhook] = [await findUser(pool, userId), await findWebhook(pool, userId, webhookId)];
    if (!user || !webhook?.deactivatedAt) return null;
    log.warn(
      { userId, webhookId, failures },
      "a webhook was deactivated because its deliveries failed; its owner gets a mail",
    );
    return { to: user.email, ...textOf(config.baseUrl, deactivation) };
  }),
];

/**
 * Returns the mail, with calls of the API at `baseUrl`. It names the webhook only by its id: the account chooses
 * address and description, and the account's mail address may belong to another person.
 */
function textOf(baseUrl: string, { webhookId, failures, failingSince, deactivatedAt }: Deactivation): Letter {
  const since = new Date(failingSince).toISOString();
  const at = new Date(deactivatedAt).toISOString();
  const path = `/api/webhooks/${webhookId}`;
  return {
    subject: "One of your webhooks was deactivated",
    paragraphs: [
      `Every delivery to your webhook ${webhookId} has failed since ${since}: ${failures} in a row, for at least ${limits.webhookFailingDays} days. It was therefore deactivated at ${at}, and receives no more events.`,
      `Its delivery log shows the requests and the responses:\nGET ${path}/deliveries`,
      `When its URL works again, activate it:\nPATCH ${path} with the body {"active":true}`,
      `The deliveries that failed can then be sent again:\nPOST ${path}/redeliver-failed with the body {"since":"${since}"}`,
      `The calls take an API key with the scope webhooks:manage. The reference shows each as a request to copy: ${baseUrl}/docs`,
    ],
  };
}
