import { randomInt } from "node:crypto";
import { type SQL, sql } from "drizzle-orm";
import type { Queryable } from "../db/database.ts";
import { addJob, addJobsFrom } from "./add-job.ts";
import { defineJob } from "./job.ts";

/** A kind of mail, defined once: the code that requests one and the code that writes it agree on its facts `F`. */
export interface MailKind<F> {
  readonly name: string;
  /** The mail is due at a random moment within this many milliseconds. */
  readonly spreadMs: number;
  /** Never set; ties the name to the facts. */
  readonly facts?: F;
}

/**
 * `F` are ids, numbers and times: facts are stored and logged, so they contain no secret and no text written by a user.
 */
export const defineMail = <F extends object>(name: string, { spreadMs = 0 } = {}): MailKind<F> => ({ name, spreadMs });

interface MailJob {
  readonly kind: string;
  readonly facts: unknown;
  /** ISO 8601. */
  readonly askedAt: string;
}

export const sendMailJob = defineJob<MailJob>("send-mail");

/** Requests a mail, written and sent once the transaction `db` commits. */
export function requestMail<F>(db: Queryable, { name, spreadMs }: MailKind<F>, facts: F, now: Date): Promise<void> {
  const delayMs = spreadMs > 0 ? randomInt(spreadMs) : 0;
  return addJob(db, sendMailJob, { kind: name, facts, askedAt: now.toISOString() }, { delayMs });
}

/** The same as an SQL expression, for each row of `rows`, a query with the columns `facts` (json) and `asked_at`. */
export const requestMailsFrom = <F>({ name }: MailKind<F>, rows: SQL): SQL =>
  addJobsFrom(
    sendMailJob,
    sql`select json_build_object('kind', ${name}::text, 'facts', facts, 'askedAt', asked_at) as payload, 0 as delay_ms
        from (${rows}) as asked`,
  );
