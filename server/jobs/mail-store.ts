import { randomInt, randomUUID } from "node:crypto";
import { type SQL, sql } from "drizzle-orm";
import type { MailKindName } from "../../contract/mails.ts";
import type { Queryable } from "../db/database.ts";
import { defineJob } from "./job.ts";
import { addJob, addJobsFrom, type JobOptions } from "./job-store.ts";

/** A kind of mail, defined once: the code that requests one and the code that writes it agree on its facts `F`. */
export interface MailKind<F> {
  readonly name: MailKindName;
  /** The mail is due at a random moment within this many milliseconds. */
  readonly spreadMs: number;
  /** Never set; ties the name to the facts. */
  readonly facts?: F;
}

/**
 * `F` are ids, numbers and times: facts are stored and logged, so they contain no secret and no text written by a user.
 */
export const defineMail = <F extends object>(name: MailKindName, { spreadMs = 0 } = {}): MailKind<F> => ({
  name,
  spreadMs,
});

interface MailJob {
  readonly kind: MailKindName;
  readonly facts: unknown;
  /** ISO 8601. */
  readonly askedAt: string;
  /** Names what the mail is about. */
  readonly cause: string;
}

export const sendMailJob = defineJob<MailJob>("send-mail", { sends: true });

/**
 * Requests a mail in the transaction `db` of its cause: the job commits with it or not at all. The mail is written from
 * `facts` when it is sent, by the function that `writeMail` (`mail.ts`) ties to the kind, and only if the recipient has
 * not turned that kind off. The `Message-ID` derives from kind and `cause`, which by default is this request, so a job
 * that runs twice sends the same mail twice; name the cause where the same thing may request its mail more than once.
 * A `jobKey` of its own lets `findJob` say whether it is still to be sent.
 */
export function requestMail<F>(
  db: Queryable,
  { name, spreadMs }: MailKind<F>,
  facts: F,
  now: Date,
  {
    cause = randomUUID(),
    delayMs = spreadMs > 0 ? randomInt(spreadMs) : 0,
    jobKey,
  }: JobOptions & { readonly cause?: string } = {},
): Promise<void> {
  const job = { kind: name, facts, askedAt: now.toISOString(), cause };
  return addJob(db, sendMailJob, job, { delayMs, ...(jobKey !== undefined && { jobKey }) });
}

/**
 * The same as parts of a `with` statement, for each row of `rows`, a query with the columns `facts` (json), `asked_at` and
 * `cause`. The statement must read from the part `mails`.
 */
export const requestMailsFrom = <F>({ name }: MailKind<F>, rows: SQL): SQL =>
  addJobsFrom(
    "mails",
    sendMailJob,
    sql`select json_build_object('kind', ${name}::text, 'facts', facts, 'askedAt', asked_at, 'cause', cause::text)
          as payload
        from (${rows}) as asked`,
  );
