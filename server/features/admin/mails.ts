import type { Queryable } from "../../db/database.ts";
import { findJob } from "../../jobs/job-store.ts";
import { type MailRow, writeMail } from "../../jobs/mail.ts";
import { defineMail, type MailKind, requestMail } from "../../jobs/mail-store.ts";
import type { Letter } from "../../platform/letter.ts";
import type { Services } from "../../services/index.ts";
import { findUser, type UserRow } from "../auth/index.ts";

/** What people are told that an administrator did to their account, and administrators of what they ordered. */
type ActMail =
  | "account-disabled"
  | "account-enabled"
  | "account-erasure"
  | "sessions-ended"
  | "estimations-handed-over"
  | "order-lapsed"
  | "estimations-received";

interface Facts {
  readonly userId: string;
  /** Who gets the estimations, who had them, or whom an order was about; null: they are deleted. */
  readonly otherUserId: string | null;
}

const kinds: Readonly<Record<ActMail, MailKind<Facts>>> = {
  "account-disabled": defineMail("account-disabled"),
  "account-enabled": defineMail("account-enabled"),
  "account-erasure": defineMail("account-erasure"),
  "sessions-ended": defineMail("sessions-ended"),
  "estimations-handed-over": defineMail("estimations-handed-over"),
  "order-lapsed": defineMail("order-lapsed"),
  "estimations-received": defineMail("estimations-received"),
};

/** The job that sends the mail about an order to the owner of an account. */
const keyOf = (orderId: string, userId: string): string => `mail of order ${orderId} to ${userId}`;

/** Requests a mail to the owner of an account, in the transaction of the act; `orderId` names the order that it is about. */
export const requestActMail = (
  tx: Queryable,
  kind: ActMail,
  { userId, otherUserId = null }: { readonly userId: string; readonly otherUserId?: string | null },
  now: Date,
  orderId?: string,
): Promise<void> => {
  const options = orderId === undefined ? {} : { cause: orderId, jobKey: keyOf(orderId, userId) };
  return requestMail(tx, kinds[kind], { userId, otherUserId }, now, options);
};

/** Returns whether a mail about an order to one of these accounts is still to be sent. */
export async function isActMailPending(db: Queryable, orderId: string, userIds: readonly string[]): Promise<boolean> {
  for (const userId of userIds) if ((await findJob(db, keyOf(orderId, userId))) !== undefined) return true;
  return false;
}

interface Told {
  readonly webUrl: string;
  readonly at: string;
  /** Address of the other account. */
  readonly other: string | null;
}

const questions = "If you have questions, ask whoever runs this instance.";

const letters: Readonly<Record<ActMail, (told: Told) => Letter>> = {
  "account-disabled": ({ at }) => ({
    subject: "Your account was disabled",
    paragraphs: [
      `An administrator disabled your account at ${at}. Nobody can sign in to it, its API keys are revoked, and its webhooks receive nothing. Your estimations stay as they are.`,
      questions,
    ],
  }),
  "account-enabled": ({ at, webUrl }) => ({
    subject: "Your account was enabled",
    paragraphs: [`An administrator enabled your account at ${at}. Its API keys stay revoked: make new ones.`],
    link: { label: "Sign in", url: `${webUrl}/sign-in` },
  }),
  "account-erasure": ({ at, other }) => ({
    subject: "Your account is being erased",
    paragraphs: [
      `At ${at}, an administrator ordered that your account be erased, for good. Your estimations and templates ${other === null ? "are deleted with it" : `go to ${other}`}.`,
      questions,
    ],
  }),
  "sessions-ended": ({ at, webUrl }) => ({
    subject: "You were signed out everywhere",
    paragraphs: [`An administrator ended all sessions of your account at ${at}. API keys keep working.`],
    link: { label: "Sign in", url: `${webUrl}/sign-in` },
  }),
  "estimations-handed-over": ({ at, other }) => ({
    subject: "Your estimations get another owner",
    paragraphs: [
      `At ${at}, an administrator ordered that all your estimations go to ${other ?? "another account"}. You can read them only where they are shared with you.`,
      questions,
    ],
  }),
  "order-lapsed": ({ at, other, webUrl }) => ({
    subject: "What you ordered as an administrator has ended",
    paragraphs: [
      `At ${at}, the hand-over or erasure that you ordered for ${other ?? "an account"} ended, because it is not allowed any more: the account is an administrator's, or the receiver has become one, was disabled or erased. What was handed over before stays so; a disabled account stays disabled.`,
    ],
    link: { label: "See the audit log", url: `${webUrl}/admin/audit-log` },
  }),
  "estimations-received": ({ at, other, webUrl }) => ({
    subject: "You get estimations of somebody else",
    paragraphs: [
      `At ${at}, an administrator ordered that all estimations of ${other ?? "another account"} go to you. This may take a while.`,
    ],
    link: { label: "See your estimations", url: `${webUrl}/estimations` },
  }),
};

/** Writes the mails about acts of administrators. They name people by their addresses, never by texts that these chose. */
export function actMails({ config, pool }: Services): MailRow[] {
  const addressOf = (user: UserRow | undefined) => (user && user.standsFor === null ? user.email : null);
  return (Object.keys(kinds) as ActMail[]).map((kind) =>
    writeMail(kinds[kind], async ({ userId, otherUserId }, { askedAt }) => {
      const to = addressOf(await findUser(pool, userId));
      if (to === null) return null;
      const other = otherUserId === null ? null : addressOf(await findUser(pool, otherUserId));
      return { to, ...letters[kind]({ webUrl: config.webUrl, at: askedAt.toISOString(), other }) };
    }),
  );
}
