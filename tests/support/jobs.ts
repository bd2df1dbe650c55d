import type pg from "pg";

/**
 * Makes every scheduled job and delivery due now, as if its time had come, which is the database's; or only jobs that were
 * never tried.
 */
export async function makeJobsDue(pool: pg.Pool, which: "all" | "untried" = "all"): Promise<void> {
  await pool.query(
    `with due as (
       update job_leases set due_at = now() where due_at > now() and lease is null and runs <= $1 returning key, name
     )
     select graphile_worker.add_job(name, json_build_object('key', key), job_key => key) from due`,
    [which === "all" ? 1_000_000 : 0],
  );
  await pool.query("update webhook_deliveries set due_at = now() where due_at > now()");
  await pool.query("select pg_notify('webhook_deliveries', '')");
}

/** Returns the number of jobs of a task, in any state. */
export async function countJobs(pool: pg.Pool, task: string): Promise<number> {
  const { rows } = await pool.query<{ count: number }>("select count(*)::int from job_leases where name = $1", [task]);
  return rows[0]?.count ?? 0;
}

/** Returns the number of jobs of a task that run, or are to run now. */
export async function countDueJobs(pool: pg.Pool, task: string): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    "select count(*)::int from job_leases where name = $1 and due_at <= now()",
    [task],
  );
  return rows[0]?.count ?? 0;
}
