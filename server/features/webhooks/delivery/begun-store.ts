import { sql } from "drizzle-orm";
import { type Database, executeNamed, type Queryable } from "../../../db/database.ts";
import { webhookBegunAttempts, webhookDeliveries } from "../tables.ts";
import type { LeasedJob } from "./store.ts";

/** An attempt that is about to start. */
export interface Beginning {
  readonly leased: LeasedJob;
  readonly startedAt: Date;
}

/**
 * Records attempts that start, so that the log can show one whose process ends before its outcome is written. Does not
 * wait for the commit: a crash of the database itself may lose the most recent records.
 */
export async function noteBegun(db: Database, beginnings: readonly Beginning[]): Promise<void> {
  const rows = beginnings.map(({ leased: { job, lease }, startedAt }) => ({
    delivery_id: job.deliveryId,
    number: job.attempt,
    job_id: lease.jobId,
    starts: lease.starts,
    started_at: startedAt,
  }));
  await executeNamed(
    db,
    "note_begun_attempts",
    sql`
    with quickly as materialized (select set_config('synchronous_commit', 'off', true))
    insert into ${webhookBegunAttempts} (delivery_id, number, job_id, starts, started_at)
    select i.* from quickly, json_to_recordset(${JSON.stringify(rows)}::json)
      as i(delivery_id text, number int, job_id bigint, starts int, started_at timestamptz)
    on conflict do nothing`,
  );
}

/**
 * Removes up to `rows` records of deliveries that have ended or are gone; returns how many. Writing an outcome removes the
 * records of its own delivery.
 */
export async function forgetBegun(db: Queryable, rows: number): Promise<number> {
  const { rowCount } = await db.execute(sql`
    delete from ${webhookBegunAttempts} where ctid = any (array(
      select b.ctid from ${webhookBegunAttempts} b where not exists (
        select from ${webhookDeliveries} d where d.id = b.delivery_id and d.completed_at is null) limit ${rows}))`);
  return rowCount ?? 0;
}
