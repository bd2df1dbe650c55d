import type { Logger } from "pino";
import type { Clock } from "../platform/clock.ts";
import { type Mail, type Mailer, MailRefused } from "../platform/mail.ts";
import { type JobRow, runJob } from "./job.ts";
import { type MailKind, sendMailJob } from "./mail-store.ts";

/** What waited longer than that for the mail server is of no use any more. */
const STALE_MS = 86_400_000;

/** A kind of mail with what writes it. */
export interface MailRow {
  readonly name: string;
  readonly write: (facts: unknown, askedAt: Date) => Promise<Mail | null>;
}

/** `write` is called when the mail is sent; it returns null where there is nothing to say any more. */
export const writeMail = <F>(
  { name }: MailKind<F>,
  write: (facts: F, askedAt: Date) => Promise<Mail | null>,
): MailRow => ({
  name,
  write: write as MailRow["write"],
});

/**
 * The job that sends every mail. Where the mail server is away it runs again, for a day; what the server refuses for good
 * is given up. A run that is repeated writes the mail anew.
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
