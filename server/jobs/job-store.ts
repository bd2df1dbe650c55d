import { randomUUID } from "node:crypto";
import { type SQL, sql } from "drizzle-orm";
import type { Queryable } from "../db/database.ts";
import { isHeld as isInstanceHeld } from "../db/instance-state.ts";
import type { Job, Lease } from "./job.ts";
import { jobLeases } from "./tables.ts";

export interface JobOptions {
  /** Delay from now, on the database's clock; none by default. */
  readonly delayMs?: number;
  /**
   * Replaces a job with the same key that has not started; one that runs is run again afterwards. By default each job
   * has a key of its own.
   */
  readonly jobKey?: string;
}

/** The database's time in so many milliseconds. */
const after = (delayMs: SQL | number): SQL => sql`clock_timestamp() + (${delayMs})::float8 * interval '1 millisecond'`;

/** Adds the jobs of `rows`, a query with the columns `key`, `name` and `due_at`, to the queue, which replaces those with their keys. */
const enqueue = (rows: SQL): SQL => sql`
  select graphile_worker.add_job(name, json_build_object('key', key), run_at => due_at, job_key => key) from (${rows}) as due`;

/** Adds a job within the transaction `db`: it runs after the commit, and never without one. */
export async function addJob<P>(db: Queryable, job: Job<P>, payload: P, options: JobOptions = {}): Promise<void> {
  const { delayMs = 0, jobKey = randomUUID() } = options;
  await db.execute(sql`
    with added as (
      insert into ${jobLeases} as known (key, name, payload, due_at)
      values (${jobKey}, ${job.name}, ${JSON.stringify(payload)}::json, ${after(delayMs)})
      on conflict (key) do update set payload = excluded.payload, due_at = excluded.due_at, runs = 0,
        again = known.lease is not null
      returning key, name, due_at, again
    )
    ${enqueue(sql`select * from added where not again`)}`);
}

/**
 * Returns parts of a `with` statement that add a job for each row of `rows`, a query with the column `payload` (json). The
 * statement must read from the part that is called `name`, or its jobs are not added to the queue.
 */
export const addJobsFrom = <P>(name: string, job: Job<P>, rows: SQL): SQL => sql`
  ${sql.raw(name)}_rows as (
    insert into ${jobLeases} (key, name, payload, due_at)
    select gen_random_uuid()::text, ${job.name}, payload, clock_timestamp() from (${rows}) as job
    returning key, name, due_at
  ),
  ${sql.raw(name)} as materialized (select count(*) from (${enqueue(sql`select * from ${sql.raw(name)}_rows`)}) as added)`;

/** A job that was taken. */
export interface Taken {
  readonly name: string;
  readonly payload: unknown;
  /** Number of this run, from 1. */
  readonly run: number;
}

/** How long a run holds its job before it has to renew its lease. Work of a process that died goes on after that. */
export const LEASE_MS = 20_000;
const leaseEnd = after(LEASE_MS);

/** Whether a job has to wait because it sends something, and nothing may leave the instance. */
const waits = (sending: readonly string[]): SQL =>
  sql`(name = any(${sql.param([...sending])}::text[]) and ${isInstanceHeld})`;

/**
 * Takes a job for a run; undefined if it has ended, is not due, or another run holds it. Jobs by the names of `sending` are
 * not taken while nothing may leave the instance.
 */
export async function takeJob(
  db: Queryable,
  { key, token }: Lease,
  sending: readonly string[] = [],
): Promise<Taken | undefined> {
  const { rows } = await db.execute<Taken & Record<string, unknown>>(sql`
    update ${jobLeases} set lease = ${token}, leased_until = ${leaseEnd}, again = false, runs = runs + 1
    where key = ${key} and due_at <= clock_timestamp() and (lease is null or leased_until <= clock_timestamp())
      and not ${waits(sending)}
    returning name, payload, runs as run`);
  return rows[0];
}

const isHeld = ({ key, token }: Lease): SQL => sql`key = ${key} and lease = ${token}`;

/** Returns whether the run still holds its job; then it does so for a while longer. */
export async function renewLease(db: Queryable, lease: Lease): Promise<boolean> {
  return (
    ((await db.execute(sql`update ${jobLeases} set leased_until = ${leaseEnd} where ${isHeld(lease)}`)).rowCount ?? 0) >
    0
  );
}

/** Takes runs that are cut by an orderly stop out of the count of those that failed; their leases end as they would. */
export async function forgiveRuns(db: Queryable, leases: readonly Lease[]): Promise<void> {
  const tokens = sql.param(leases.map(({ token }) => token));
  await db.execute(sql`update ${jobLeases} set runs = greatest(0, runs - 1) where lease = any(${tokens}::text[])`);
}

/**
 * Ends a run. The job is due again in `againMs`, or at the time for which it was added meanwhile; if both are missing, it
 * has ended. `fault`: the run failed, and counts. Does nothing if another run holds the job by now.
 */
export async function endRun(
  db: Queryable,
  lease: Lease,
  { againMs, fault = null }: { againMs?: number | undefined; fault?: string | null } = {},
): Promise<void> {
  const next =
    againMs === undefined ? sql`job.due_at` : sql`case when held.again then job.due_at else ${after(againMs)} end`;
  // The job may be added again by a transaction that commits while this waits for its row: only a row that is locked says so.
  await db.execute(sql`
    with held as materialized (select key, again from ${jobLeases} where ${isHeld(lease)} for update),
    ended as (
      delete from ${jobLeases} job using held where job.key = held.key and not held.again and ${againMs === undefined}
    ),
    left_over as (
      update ${jobLeases} job set lease = null, leased_until = null, again = false, due_at = ${next},
        runs = case when held.again or ${fault}::text is null then 0 else job.runs end, last_error = ${fault}
      from held where job.key = held.key and (held.again or ${againMs !== undefined})
      returning job.key, job.name, job.due_at
    )
    ${enqueue(sql`select * from left_over`)}`);
}

/** Returns the name of the job with a key that has not ended; undefined: there is none. */
export async function findJob(db: Queryable, key: string): Promise<string | undefined> {
  const { rows } = await db.execute<{ name: string }>(sql`select name from ${jobLeases} where key = ${key}`);
  return rows[0]?.name;
}

/**
 * Returns the name of a job that has not ended, has one of these names, and one of the values in its payload, at any of the
 * fields. Reads the whole queue: for what people do rarely.
 */
export async function findJobAbout(
  db: Queryable,
  { names, fields, values }: Readonly<Record<"names" | "fields" | "values", readonly string[]>>,
): Promise<string | undefined> {
  const any = (texts: readonly string[]) => sql`any(${sql.param([...texts])}::text[])`;
  const { rows } = await db.execute<{ name: string }>(sql`
    select name from ${jobLeases} where name = ${any(names)}
      and exists (select from json_each_text(payload) where key = ${any(fields)} and value = ${any(values)})
    limit 1`);
  return rows[0]?.name;
}

/** Adds a job with a key unless there is one. */
export async function addUnlessThere(db: Queryable, name: string): Promise<void> {
  await db.execute(sql`
    with added as (
      insert into ${jobLeases} (key, name, payload, due_at) values (${name}, ${name}, '{}', clock_timestamp())
      on conflict do nothing returning key, name, due_at
    )
    ${enqueue(sql`select * from added`)}`);
}

/** Jobs that one sweep adds again. */
const SWEPT = 1_000;

/** Adds jobs to the queue again, in their order, whose lease has ended: the process of the run is gone. Returns how many. */
export async function sweepLeases(db: Queryable, sending: readonly string[] = []): Promise<number> {
  const { rowCount } = await db.execute(
    enqueue(sql`
      select key, name, due_at from ${jobLeases}
      where lease is not null and leased_until <= clock_timestamp() and due_at <= clock_timestamp()
        and not ${waits(sending)}
      order by leased_until limit ${SWEPT}`),
  );
  return rowCount ?? 0;
}

/**
 * Adds jobs to the queue again like `sweepLeases`, and those that are due for `graceMs` and were not taken: the process
 * that had taken them from the queue is gone. Returns how many.
 */
export async function sweepJobs(db: Queryable, graceMs: number, sending: readonly string[] = []): Promise<number> {
  const { rowCount } = await db.execute(
    enqueue(sql`
      select key, name, due_at from ${jobLeases}
      where coalesce(leased_until, due_at) <= clock_timestamp()
        and (lease is not null or due_at <= ${after(-graceMs)}) and due_at <= clock_timestamp()
        and not ${waits(sending)}
      order by coalesce(leased_until, due_at) limit ${SWEPT}`),
  );
  return rowCount ?? 0;
}

/** What is due in a queue and does not run yet. */
export interface Due {
  readonly kind: string;
  readonly count: number;
  /** For how long the oldest is due, in seconds. */
  readonly ageSeconds: number;
}

/** Counted of a queue: however long it is, looking at it costs the same. */
export const COUNTED = 10_000;

/** Counts the jobs that are due, by kind; of more than `COUNTED`, those that have waited longest. */
export async function countDueJobs(db: Queryable): Promise<Due[]> {
  const { rows } = await db.execute<Due & Record<string, unknown>>(sql`
    select name as kind, count(*)::int as count, extract(epoch from now() - min(at))::float8 as "ageSeconds"
    from (
      select name, coalesce(leased_until, due_at) as at from ${jobLeases}
      where coalesce(leased_until, due_at) <= now() order by coalesce(leased_until, due_at) limit ${COUNTED}
    ) as due
    group by name`);
  return rows;
}

/** Adds every job to the queue again that no run holds. */
export async function addAllAgain(db: Queryable): Promise<void> {
  await db.execute(enqueue(sql`select key, name, due_at from ${jobLeases} where lease is null`));
}
