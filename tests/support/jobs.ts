import type pg from "pg";

/** Makes every job that waits for its time due now, as if that time had passed. */
export async function makeJobsDue(pool: pg.Pool): Promise<void> {
  await pool.query(
    "update graphile_worker._private_jobs set run_at = now() where run_at > now() and locked_at is null",
  );
  await pool.query(`select pg_notify('jobs:insert', '{"count":100}')`);
}

/** Jobs of a task that are there, in whatever state. */
export async function countJobs(pool: pg.Pool, task: string): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    "select count(*)::int from graphile_worker.jobs where task_identifier = $1",
    [task],
  );
  return rows[0]?.count ?? 0;
}
