import { sql } from "drizzle-orm";
import type { Queryable } from "../../db/database.ts";
import { firstIdAt } from "../../platform/ids.ts";
import { webhookDeliveries, webhookEvents } from "./tables.ts";

const DAY_MS = 86_400_000;

/** Rows removed in one statement, which holds locks on nothing else and is over in moments. */
const BATCH = 1_000;
/** Statements of one run; what is left is for the next. */
const MOST_BATCHES = 500;

export interface Retention {
  readonly now: Date;
  readonly retentionDays: number;
  readonly batch?: number;
  readonly mostBatches?: number;
}

/**
 * Removes deliveries, with their attempts, and events that are older than the retention, the oldest first: ids sort by
 * time, so that the primary key serves it. What is still under way is kept. Stops early when `signal` aborts; returns
 * how many rows of either kind were removed.
 */
export async function removeOld(
  db: Queryable,
  { now, retentionDays, batch = BATCH, mostBatches = MOST_BATCHES }: Retention,
  signal: AbortSignal,
): Promise<number> {
  const before = new Date(now.getTime() - retentionDays * DAY_MS);
  const endId = firstIdAt("delivery", before);
  let removed = 0;
  let batches = 0;
  const isOver = () => signal.aborted || batches++ >= mostBatches;
  for (let after = ""; ; ) {
    if (isOver()) return removed;
    const step = await removeDeliveries(db, after, endId, batch);
    removed += step.removed;
    if (step.last === null) break;
    after = step.last;
  }
  // An event goes a day later than its deliveries may, so that none is left without: their ids are made a moment after.
  for (let after = 0; ; ) {
    if (isOver()) return removed;
    const step = await removeEvents(db, { after, before: new Date(before.getTime() - DAY_MS), endId, batch });
    removed += step.removed;
    if (step.last === null) return removed;
    after = step.last;
  }
}

/** Looks at the next `batch` deliveries after `after` and removes those that have ended; `last`: null after the last one. */
async function removeDeliveries(
  db: Queryable,
  after: string,
  endId: string,
  batch: number,
): Promise<{ removed: number; last: string | null }> {
  const { rows } = await db.execute<{ removed: number; last: string | null }>(sql`
    with old as materialized (
      select id, next_attempt_at is null as ended from ${webhookDeliveries}
      where id > ${after} and id < ${endId} order by id limit ${batch}
    ),
    removed as (
      delete from ${webhookDeliveries} d using old where d.id = old.id and old.ended and d.next_attempt_at is null
      returning d.id
    )
    select (select count(*)::int from removed) as removed, (select max(id) from old) as last`);
  return rows[0] ?? { removed: 0, last: null };
}

/** The same for events; those are kept that a delivery waits for which is older than `endId`, and so was kept itself. */
async function removeEvents(
  db: Queryable,
  { after, before, endId, batch }: { after: number; before: Date; endId: string; batch: number },
): Promise<{ removed: number; last: number | null }> {
  const { rows } = await db.execute<{ removed: number; last: string | null }>(sql`
    with oldest as materialized (
      select id, created_at from ${webhookEvents} where id > ${after} order by id limit ${batch}
    ),
    old as materialized (select id from oldest where created_at < ${before.toISOString()}::timestamptz),
    removed as (
      delete from ${webhookEvents} e using old
      where e.id = old.id and not exists (
        select from ${webhookDeliveries} d where d.id < ${endId} and d.event_id = e.id)
      returning e.id
    )
    select (select count(*)::int from removed) as removed, (select max(id) from old) as last`);
  const { removed = 0, last = null } = rows[0] ?? {};
  return { removed, last: last === null ? null : Number(last) };
}
