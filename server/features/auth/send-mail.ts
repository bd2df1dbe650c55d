import { randomInt } from "node:crypto";
import type { Queryable } from "../../db/database.ts";
import { addJob } from "../../jobs/add-job.ts";
import { defineJob, type Run } from "../../jobs/job.ts";
import { type Mailer, MailRefused } from "../../platform/mail.ts";
import type { Services } from "../../services.ts";
import { makeMailedToken } from "./mailed-tokens.ts";
import { linkMails, type MailKind, type MailText, noticeMails, type OtherAccess } from "./mails.ts";
import { findUser, type UserRow } from "./store.ts";

/** A mail to be sent. It holds no token: a link's is made when the mail is, so that no queue ever has a usable one. */
export interface MailJob {
  /** null: nobody. The job is there all the same, so that asking takes as long for an address without an account. */
  readonly userId: string | null;
  readonly kind: MailKind;
  /** ISO 8601. */
  readonly askedAt: string;
}

export const sendMailJob = defineJob<MailJob>("send-account-mail");

/** What waited longer than that for the mail server is of no use any more. */
const STALE_MS = 86_400_000;

/**
 * A mail that anybody can have sent is due at a random moment of this time; the worker looks every two seconds. Sending it
 * is work, which only an address with an account makes: right after the answer the sender of the next request would feel it.
 */
const SPREAD_MS = 1_000;

/** Has a mail sent once the transaction `db` commits, or within a few seconds from then where anybody can ask for it. */
export const requestMail = (db: Queryable, userId: string | null, kind: MailKind, now: Date): Promise<void> => {
  const delayMs = kind === "reset-password" ? randomInt(SPREAD_MS) : 0;
  return addJob(db, sendMailJob, { userId, kind, askedAt: now.toISOString() }, { delayMs });
};

/** Counts what opens a user's account beside sessions and the password. */
export type OtherAccessOf = (userId: string) => Promise<OtherAccess>;

/**
 * Sends an account's mail. A link's token is stored (hashed) before the mail leaves; a run that is tried again makes a
 * newer one, which voids the older, so that of two mails the last one works.
 */
export function createSendMail(
  { config, clock, pool, log }: Services,
  mailer: Mailer,
  otherAccessOf: OtherAccessOf,
): Run<MailJob> {
  const write = async (user: UserRow, kind: MailKind, askedAt: string): Promise<MailText | null> => {
    if (kind === "verify-email" && user.emailVerifiedAt) return null;
    if (kind === "verify-email" || kind === "reset-password") {
      return linkMails[kind](config.webUrl, await makeMailedToken(pool, user.id, kind, clock.now()));
    }
    return noticeMails[kind]({
      webUrl: config.webUrl,
      at: askedAt,
      email: user.email,
      hasPassword: user.passwordHash !== null,
      provider: URL.parse(config.google?.issuer ?? "")?.host ?? "an OpenID provider",
      otherAccess: await otherAccessOf(user.id),
    });
  };
  return async ({ userId, kind, askedAt }) => {
    const user = userId === null ? undefined : await findUser(pool, userId);
    if (!user) return;
    if (clock.now().getTime() - Date.parse(askedAt) > STALE_MS) {
      log.warn({ userId, kind }, "a mail was given up: the mail server did not take it for a day");
      return;
    }
    const mail = await write(user, kind, askedAt);
    if (mail === null) return;
    try {
      await mailer.send({ to: user.email, ...mail });
    } catch (error) {
      if (!(error instanceof MailRefused)) throw error;
      log.warn({ err: error, userId, kind }, "a mail was given up");
    }
  };
}
