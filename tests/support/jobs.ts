import type pg from "pg";

/** Makes every scheduled job due now, as if its time had come; or only those that were never tried. */
export async function makeJobsDue(pool: pg.Pool, which: "all" | "untried" = "all"): Promise<void> {
  await pool.query(
    "update graphile_worker._private_jobs set run_at = now() where run_at > now() and locked_at is null and attempts <= $1",
    [which === "all" ? 32_767 : 0],
  );
  await pool.query(`select pg_notify('jobs:insert', '{"count":100}')`);
}

/** Returns the number of jobs of a task, in any state. */
export async function countJobs(pool: pg.Pool, task: string): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    "select count(*)::int from graphile_worker.jobs where task_identifier = $1",
    [task],
  );
  return rows[0]?.count ?? 0;
}

/** Returns the number of jobs of a task that run, or are to run now. */
export async function countDueJobs(pool: pg.Pool, task: string): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    "select count(*)::int from graphile_worker.jobs where task_identifier = $1 and run_at <= now()",
    [task],
  );
  return rows[0]?.count ?? 0;
}
