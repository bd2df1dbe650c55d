import { limits } from "../../../contract/limits.ts";
import { type MailRow, writeMail } from "../../jobs/mail.ts";
import { defineMail } from "../../jobs/mail-store.ts";
import type { Letter } from "../../platform/letter.ts";
import type { Services } from "../../services/index.ts";
import { findUser } from "../auth/index.ts";
import { findWebhook } from "./store.ts";

/** A webhook that was deactivated because its deliveries failed, or because its URL takes nothing any more. */
interface Deactivation {
  readonly webhookId: string;
  /** Its owner, who gets the mail. */
  readonly userId: string;
  /** Deliveries that failed in a row. */
  readonly failures: number;
  /** ISO 8601, like `deactivatedAt`; null: none has failed for good. */
  readonly failingSince: string | null;
  /** Whether its URL responded 410. */
  readonly gone?: boolean;
  readonly deactivatedAt: string;
}

export const deactivationMail = defineMail<Deactivation>("webhook-deactivated");

/** Writes the mails to the owners of deactivated webhooks; none if the webhook is active again or deleted by then. */
export const webhookMails = ({ config, pool, log }: Services): MailRow[] => [
  writeMail(deactivationMail, async (deactivation) => {
    const { webhookId, userId, failures, gone } = deactivation;
    const [user, webhook] = [await findUser(pool, userId), await findWebhook(pool, userId, webhookId)];
    if (!user || !webhook?.deactivatedAt) return null;
    log.warn(
      { userId, webhookId, failures, gone },
      "a webhook was deactivated because its deliveries failed or its URL is gone; its owner gets a mail",
    );
    return { to: user.email, ...textOf(config.baseUrl, deactivation) };
  }),
];

/**
 * Returns the mail, with calls of the API at `baseUrl`. It names the webhook only by its id: the account chooses
 * address and description, and the account's mail address may belong to another person.
 */
function textOf(baseUrl: string, deactivation: Deactivation): Letter {
  const { webhookId, failures, failingSince, gone, deactivatedAt } = deactivation;
  const since = new Date(failingSince ?? deactivatedAt).toISOString();
  const at = new Date(deactivatedAt).toISOString();
  const path = `/api/webhooks/${webhookId}`;
  const subject = "One of your webhooks was deactivated";
  const log = `Its delivery log shows the requests and the responses:\nGET ${path}/deliveries`;
  const reference = `The calls take an API key with the scope webhooks:manage. The reference shows each as a request to copy: ${baseUrl}/docs`;
  if (gone)
    return {
      subject,
      paragraphs: [
        `The URL of your webhook ${webhookId} responded with 410 (Gone), which means that it takes no more events. The webhook was therefore deactivated at ${at}, and receives none.`,
        log,
        `If it is to receive events again, correct its URL and activate it:\nPATCH ${path} with its "url" and "active": true in the body`,
        reference,
      ],
    };
  return {
    subject,
    paragraphs: [
      `Every delivery to your webhook ${webhookId} has failed since ${since}: ${failures} in a row, for at least ${limits.webhookFailingDays} days. It was therefore deactivated at ${at}, and receives no more events.`,
      log,
      `When its URL works again, activate it:\nPATCH ${path} with the body {"active":true}`,
      `The deliveries that failed can then be sent again:\nPOST ${path}/redeliver-failed with the body {"since":"${since}"}`,
      reference,
    ],
  };
}
