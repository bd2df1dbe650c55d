import { createHash } from "node:crypto";
import type pg from "pg";
import { findLastRuns } from "./queue-store.ts";

/** Returns the advisory lock of a worker pool: the first 64 bits of its id's SHA-256, as PostgreSQL's signed bigint. */
export const lockKey = (poolId: string): string =>
  createHash("sha256").update(poolId).digest().readBigInt64BE(0).toString();

/**
 * Removes a worker pool that was not seen for `unseenMs` milliseconds and releases its jobs; returns false if it was
 * seen since, or already removed by another pool. Taking a job counts as a run, so a job interrupted on its last run
 * would never run again: it gets one more.
 */
export async function release(session: pg.Client, poolId: string, unseenMs: number): Promise<boolean> {
  await session.query("begin");
  try {
    const forgotten = await session.query(
      "delete from worker_pools where id = $1 and seen_at <= now() - $2 * interval '1 millisecond'",
      [poolId, unseenMs],
    );
    if (forgotten.rowCount === 0) {
      await session.query("rollback");
      return false;
    }
    const lastRuns = await findLastRuns(session, poolId);
    await session.query("select graphile_worker.force_unlock_workers(array[$1])", [poolId]);
    for (const { id, starts } of lastRuns) {
      await session.query("select graphile_worker.reschedule_jobs(array[$1::bigint], attempts => $2)", [id, starts]);
    }
    await session.query(`select pg_notify('jobs:insert', '{"count":100}')`);
    await session.query("commit");
    return true;
  } catch (error) {
    await session.query("rollback").catch(() => {});
    throw error;
  }
}
