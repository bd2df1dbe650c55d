import type { Logger } from "pino";
import { type MailSetting, mailKinds } from "../../contract/mails.ts";
import type { Clock } from "../platform/clock.ts";
import { asHtml, asText, type Letter } from "../platform/letter.ts";
import { AddressRefused, type Mail, type Mailer, MailFailed, MailRefused } from "../platform/mail.ts";
import { Interrupted, type JobRow, runJob } from "./job.ts";
import { type MailKind, sendMailJob } from "./mail-store.ts";

/** A mail that waited longer than this for the mail server is useless. */
const STALE_MS = 86_400_000;

/** A letter, the bare address that it goes to, and the conversation that it is a part of (`Mail`). */
export interface AddressedLetter extends Letter {
  readonly to: string;
  readonly conversation?: string;
}

/** When a mail was requested, and what names its cause. */
interface MailRequest {
  readonly askedAt: Date;
  readonly cause: string;
}

/** A kind of mail and the function that writes it. */
export interface MailRow {
  readonly name: string;
  readonly write: (facts: unknown, request: MailRequest) => Promise<AddressedLetter | null>;
}

/** Which mails people receive, by their address; they need no account. */
export interface MailSettings {
  isWanted(address: string, setting: MailSetting): Promise<boolean>;
  /** Returns the address of the page that turns mails of a setting off for `address`, without signing in. */
  unsubscribeUrl(address: string, setting: MailSetting): string;
}

/** What is noted of mails. */
export interface MailNotes {
  /** Why a mail was not sent; null: it was. */
  result(fault: string | null): Promise<void>;
  /** Whether the mail server refuses mails to this address for good. */
  reach(address: string, isRefused: boolean): Promise<void>;
}

const noNotes: MailNotes = { result: async () => {}, reach: async () => {} };

/** `write` is called when the mail is sent; it returns null if there is nothing to say any more. */
export const writeMail = <F>(
  { name }: MailKind<F>,
  write: (facts: F, request: MailRequest) => Promise<AddressedLetter | null>,
): MailRow => ({
  name,
  write: write as MailRow["write"],
});

/**
 * The job that sends every mail. If the mail server is unreachable, it is retried for a day; a permanent refusal by the
 * server gives the mail up. A repeated run writes the mail anew, with the same `Message-ID`. Mails that have a setting
 * are not sent to people who turned them off, and say how to do that.
 */
export function sendMails(
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
  mailer: Mailer,
  mails: readonly MailRow[],
  settings: MailSettings,
  notes: MailNotes = noNotes,
): JobRow {
  /** Failing to note it is no reason to send a mail twice. */
  const note = async (to: string, fault: string | null, isRefused: boolean | null) => {
    try {
      await notes.result(fault);
      if (isRefused !== null) await notes.reach(to, isRefused);
    } catch (error) {
      log.warn({ err: error }, "the result of a mail was not noted");
    }
  };
  return runJob(sendMailJob, async (job, { signal }) => {
    const { kind, facts, askedAt, cause } = job;
    const row = mails.find(({ name }) => name === kind);
    if (!row) throw new Error(`no mail of the kind ${kind} is known`);
    if (clock.now().getTime() - Date.parse(askedAt) > STALE_MS) {
      log.warn({ kind, facts }, "a mail was given up: the mail server did not take it for a day");
      return;
    }
    const letter = await row.write(facts, { askedAt: new Date(askedAt), cause });
    if (letter === null) return;
    const { setting } = mailKinds[kind];
    if (setting !== null && !(await settings.isWanted(letter.to, setting))) return;
    const unsubscribeUrl = setting === null ? undefined : settings.unsubscribeUrl(letter.to, setting);
    if (signal.aborted) throw new Interrupted();
    try {
      await mailer.send(asMail(letter, `${kind} ${cause}`, unsubscribeUrl));
      await note(letter.to, null, false);
    } catch (error) {
      const isKnown = error instanceof MailRefused || error instanceof MailFailed;
      const isRefused = error instanceof AddressRefused ? true : null;
      await note(letter.to, isKnown ? error.message : "the mail was not sent", isRefused);
      if (!(error instanceof MailRefused)) throw error;
      log.warn({ err: error, kind, facts }, "a mail was given up");
    }
  });
}

function asMail(letter: AddressedLetter, cause: string, unsubscribeUrl: string | undefined): Mail {
  const whole = { ...letter, unsubscribeUrl };
  const { to, subject, conversation } = letter;
  return {
    ...{ to, subject, cause, text: asText(whole), html: asHtml(whole) },
    ...(conversation === undefined ? {} : { conversation }),
    ...(unsubscribeUrl === undefined ? {} : { unsubscribeUrl }),
  };
}
