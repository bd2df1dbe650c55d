import type { Logger } from "pino";
import type { Clock } from "../platform/clock.ts";
import { type Mail, type Mailer, MailRefused } from "../platform/mail.ts";
import { type JobRow, runJob } from "./job.ts";
import { type MailKind, sendMailJob } from "./mail-store.ts";

/** A mail that waited longer than this for the mail server is useless. */
const STALE_MS = 86_400_000;

/** A kind of mail and the function that writes it. */
export interface MailRow {
  readonly name: string;
  readonly write: (facts: unknown, askedAt: Date) => Promise<Mail | null>;
}

/** `write` is called when the mail is sent; it returns null if there is nothing to say any more. */
export const writeMail = <F>(
  { name }: MailKind<F>,
  write: (facts: F, askedAt: Date) => Promise<Mail | null>,
): MailRow => ({
  name,
  write: write as MailRow["write"],
});

/**
 * The job that sends every mail. If the mail server is unreachable, it is retried for a day; a permanent refusal by the
 * server gives the mail up. A repeated run writes the mail anew.
 */
export function sendMails(
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
  mailer: Mailer,
  mails: readonly MailRow[],
): JobRow {
  return runJob(sendMailJob, async ({ kind, facts, askedAt }) => {
    const row = mails.find(({ name }) => name === kind);
    if (!row) throw new Error(`no mail of the kind ${kind} is known`);
    if (clock.now().getTime() - Date.parse(askedAt) > STALE_MS) {
      log.warn({ kind, facts }, "a mail was given up: the mail server did not take it for a day");
      return;
    }
    const mail = await row.write(facts, new Date(askedAt));
    if (mail === null) return;
    try {
      await mailer.send(mail);
    } catch (error) {
      if (!(error instanceof MailRefused)) throw error;
      log.warn({ err: error, kind, facts }, "a mail was given up");
    }
  });
}
