import { sql } from "drizzle-orm";
import type { Queryable } from "../../db/database.ts";
import type { Removal } from "../../jobs/removals.ts";
import { firstIdAt } from "../../platform/ids.ts";
import { webhookDeliveries, webhookEvents } from "./tables.ts";

const DAY_MS = 86_400_000;

/**
 * The removals of deliveries with their attempts, and then of events, that are older than the retention, the oldest
 * first: ids sort by time, so the primary key serves this. Deliveries under way stay.
 */
export function removalsOfOld(db: Queryable, now: Date, retentionDays: number): readonly Removal[] {
  const before = new Date(now.getTime() - retentionDays * DAY_MS);
  const endId = firstIdAt("delivery", before);
  // Events are removed a day later than their deliveries, so that no delivery loses its event: delivery ids are created
  // a moment later.
  const eventsBefore = new Date(before.getTime() - DAY_MS);
  return [
    goThrough("", (after, batch) => removeDeliveries(db, { after, endId, batch })),
    goThrough(0, (after, batch) => removeEvents(db, { after, before: eventsBefore, endId, batch })),
  ];
}

/** Each step continues after the last row that the one before read, because it may have left some. */
function goThrough<C>(first: C, step: (after: C, rows: number) => Promise<C | null>): Removal {
  let after = first;
  return async (rows) => {
    const last = await step(after, rows);
    after = last ?? after;
    return last !== null;
  };
}

/**
 * Reads the next `batch` deliveries after `after` and removes those that have ended. Returns the last one read, null after
 * the last of all.
 */
async function removeDeliveries(
  db: Queryable,
  { after, endId, batch }: { after: string; endId: string; batch: number },
): Promise<string | null> {
  const { rows } = await db.execute<{ last: string | null }>(sql`
    with old as materialized (
      select id, due_at is null as ended from ${webhookDeliveries}
      where id > ${after} and id < ${endId} order by id limit ${batch}
    ),
    removed as (
      delete from ${webhookDeliveries} d using old where d.id = old.id and old.ended and d.due_at is null
    )
    select max(id) as last from old`);
  return rows[0]?.last ?? null;
}

/** The same for events. Keeps events of a delivery that is older than `endId` and was itself not removed. */
async function removeEvents(
  db: Queryable,
  { after, before, endId, batch }: { after: number; before: Date; endId: string; batch: number },
): Promise<number | null> {
  const { rows } = await db.execute<{ last: string | null }>(sql`
    with oldest as materialized (
      select id, created_at from ${webhookEvents} where id > ${after} order by id limit ${batch}
    ),
    old as materialized (select id from oldest where created_at < ${before.toISOString()}::timestamptz),
    removed as (
      delete from ${webhookEvents} e using old
      where e.id = old.id and not exists (
        select from ${webhookDeliveries} d where d.id < ${endId} and d.event_id = e.id)
    )
    select max(id) as last from old`);
  const last = rows[0]?.last ?? null;
  return last === null ? null : Number(last);
}
