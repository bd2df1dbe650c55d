import { type SQL, sql } from "drizzle-orm";
import type pg from "pg";

/**
 * The only code that accesses the private tables of graphile-worker, which may change in any version. A test lists what
 * this file relies on, and fails if a new version changes it. Other code uses graphile-worker's functions.
 */

/**
 * An SQL condition: the lease in the three given columns is still valid. Forces a look-up by key per row, whatever the
 * planner assumes about the queue's size, which changes faster than its statistics.
 */
export const holdsLease = (jobId: SQL, poolId: SQL, starts: SQL): SQL => sql`coalesce((
  select held.locked_by = ${poolId} and held.attempts = ${starts}
  from graphile_worker._private_jobs as held where held.id = ${jobId} limit 1), false)`;

/**
 * An SQL condition: the pool still has the job in hand, whichever run of it that is. A job that was replaced by another with
 * its key while it ran has no valid lease any more, but is still under way.
 */
export const isInHand = (jobId: SQL, poolId: SQL): SQL => sql`coalesce((
  select held.locked_by = ${poolId} from graphile_worker._private_jobs as held where held.id = ${jobId} limit 1), false)`;

/**
 * Returns a statement that ends the jobs of `rows`, a query with the column `job_id`, whose leases are valid: in one
 * transaction with their effects, so that none runs again after a crash. The queue then finds them gone when it ends
 * them itself.
 */
export const endJobs = (rows: SQL): SQL => sql`delete from graphile_worker._private_jobs where id in (${rows})`;

/**
 * Returns a statement that ends the jobs of the table `i` whose leases are valid, and returns those rows. It waits for
 * a lease that is being taken away at the same time, which is then no longer valid. `i` has the columns `job_id`,
 * `pool_id` and `starts`.
 */
export const endHeldJobs = sql`
  delete from graphile_worker._private_jobs as held using i
  where held.id = i.job_id and held.locked_by = i.pool_id and held.attempts = i.starts
  returning i.*`;

/** The jobs that a pool holds on their last run, and how many runs to count so that they get one more. */
export async function findLastRuns(session: pg.Client, poolId: string): Promise<{ id: string; starts: number }[]> {
  const { rows } = await session.query<{ id: string; starts: number }>(
    `select id, max_attempts - 1 as starts from graphile_worker._private_jobs
     where locked_by = $1 and attempts >= max_attempts`,
    [poolId],
  );
  return rows;
}

/**
 * Unlocks the pool's jobs that were taken at least `agedMs` milliseconds ago and are not `inHand`; returns how many.
 * Taking them counted as a run, which must not be their last.
 */
export async function unlockStrays(
  session: pg.Client,
  { poolId, inHand, agedMs }: { poolId: string; inHand: readonly string[]; agedMs: number },
): Promise<number> {
  const { rowCount } = await session.query(
    `with strays as (
       update graphile_worker._private_jobs
       set locked_by = null, locked_at = null, attempts = least(attempts, max_attempts - 1)
       where locked_by = $1 and locked_at < now() - $2 * interval '1 millisecond' and id <> all($3::bigint[])
       returning job_queue_id
     ),
     queues as (
       update graphile_worker._private_job_queues set locked_by = null, locked_at = null
       where locked_by = $1 and id in (select job_queue_id from strays)
     )
     select pg_notify('jobs:insert', '{"count":100}') from strays`,
    [poolId, agedMs, inHand],
  );
  return rowCount ?? 0;
}

/** Jobs that are moved in one statement, so that none takes long. */
const MOVED = 5_000;

/**
 * Moves the times of jobs back by so many seconds, but not before now, in the transaction of `session`; those of jobs under way
 * too, from which a next try would count. The times at which jobs were taken become no later than now. Skips locked rows: avoids
 * deadlocks. {@link moveLateJobs} moves those.
 */
export async function moveJobs(session: pg.Client, seconds: number, most = MOVED): Promise<void> {
  for (let last: string | null = "0"; last !== null; ) {
    const moved: pg.QueryResult<{ last: string | null }> = await session.query(
      `with waiting as (
         select id from graphile_worker._private_jobs
         where id > $1 and run_at > now() order by id limit $3 for update skip locked
       ), moved as (
         update graphile_worker._private_jobs as job
         set run_at = greatest(job.run_at - $2 * interval '1 second', now()), updated_at = least(job.updated_at, now())
         from waiting where job.id = waiting.id returning job.id
       ) select max(id)::text as last from moved`,
      [last, seconds, most],
    );
    last = moved.rows[0]?.last ?? null;
  }
  await session.query(
    `update graphile_worker._private_jobs set locked_at = now() where id in (
       select id from graphile_worker._private_jobs where locked_at > now() for update skip locked)`,
  );
  await notifyWorkers(session);
}

/**
 * Moves jobs back that were written while the clock was ahead by more than `skewMs` milliseconds, but seen only later: each
 * waits as long from now as it was meant to wait from then. Returns their number.
 */
export async function moveLateJobs(session: pg.Client, skewMs: number): Promise<number> {
  const { rowCount } = await session.query(
    `with late as (
       select id from graphile_worker._private_jobs
       where updated_at > now() + $1 * interval '1 millisecond' order by id limit $2 for update skip locked
     )
     update graphile_worker._private_jobs as job
     set run_at = greatest(job.run_at - (job.updated_at - now()), now()), updated_at = now()
     from late where job.id = late.id`,
    [skewMs, MOVED],
  );
  if (rowCount) await notifyWorkers(session);
  return rowCount ?? 0;
}

const notifyWorkers = (session: pg.Client) => session.query(`select pg_notify('jobs:insert', '{"count":100}')`);

/** Returns a statement that lets a waiting job with a key begin in at most so many seconds. */
export const hasten = (key: string, seconds: number): SQL => sql`
  update graphile_worker._private_jobs set run_at = now() + ${seconds} * interval '1 second'
  where key = ${key} and locked_at is null and run_at > now() + ${seconds} * interval '1 second'`;
