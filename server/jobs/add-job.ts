import { type SQL, sql } from "drizzle-orm";
import type { Queryable } from "../db/database.ts";
import type { Job } from "./job.ts";

export interface JobOptions {
  /** Delay from now, on the database's clock; none by default. */
  readonly delayMs?: number;
  /** Replaces a job with the same key that has not started. */
  readonly jobKey?: string;
  /**
   * Jobs of one queue run one at a time, with a pause of up to two seconds between them. For a handful of names, not
   * for one per record.
   */
  readonly queue?: string;
}

/** Adds a job within the transaction `db`: it runs after the commit, and never without one. */
export async function addJob<P>(db: Queryable, job: Job<P>, payload: P, options: JobOptions = {}): Promise<void> {
  const { delayMs = 0, jobKey = null, queue = null } = options;
  await db.execute(sql`
    select 1 from graphile_worker.add_job(
      ${job.name},
      payload => ${JSON.stringify(payload)}::json,
      queue_name => ${queue}::text,
      run_at => ${dueAfter(sql`${delayMs}`)},
      job_key => ${jobKey}::text,
      max_attempts => ${job.maxRuns ?? null}::int
    )`);
}

/** Adds many jobs of one kind within the transaction `db`, all due at once. */
export async function addJobs<P>(db: Queryable, job: Job<P>, payloads: readonly P[]): Promise<void> {
  const rows = sql`select value as payload, 0 as delay_ms from json_array_elements(${JSON.stringify(payloads)}::json)`;
  await db.execute(sql`select ${addJobsFrom(job, rows)}`);
}

/** Returns an SQL expression: the database's time in `delayMs` milliseconds, itself an SQL expression of a number. */
export const dueAfter = (delayMs: SQL): SQL => sql`clock_timestamp() + (${delayMs})::float8 * interval '1 millisecond'`;

/**
 * Returns an SQL expression that adds a job per row of `rows`, a query with the columns `payload` (json) and `delay_ms`
 * (float8); its value is the number of jobs added.
 */
export const addJobsFrom = <P>(job: Job<P>, rows: SQL): SQL => sql`(
  select count(*)::int from graphile_worker.add_jobs(array(
    select row(${job.name}::text, job.payload, null, ${dueAfter(sql`job.delay_ms`)}, ${job.maxRuns ?? null}::smallint,
      null, null, null)::graphile_worker.job_spec
    from (${rows}) as job
  )))`;
