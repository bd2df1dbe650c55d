import { sql } from "drizzle-orm";
import type { Queryable } from "../../db/database.ts";
import { type BatchOptions, type Removal, removeInBatches } from "../../jobs/removals.ts";
import { firstIdAt } from "../../platform/ids.ts";
import { webhookDeliveries, webhookEvents } from "./tables.ts";

const DAY_MS = 86_400_000;

export interface Retention extends BatchOptions {
  readonly now: Date;
  readonly retentionDays: number;
}

/**
 * Removes deliveries with their attempts, and events, that are older than the retention, the oldest first: ids sort by
 * time, so the primary key serves this. Deliveries under way are kept. Returns how many rows were removed in all.
 */
export async function removeOld(db: Queryable, { now, retentionDays, ...options }: Retention): Promise<number> {
  const before = new Date(now.getTime() - retentionDays * DAY_MS);
  const endId = firstIdAt("delivery", before);
  // Events are removed a day later than their deliveries, so that no delivery loses its event: delivery ids are created
  // a moment later.
  const eventsBefore = new Date(before.getTime() - DAY_MS);
  let removed = 0;
  /** Continues after the last row that the step read, because it may have kept some. */
  const goThrough = <C>(first: C, step: (after: C, rows: number) => Promise<Step<C>>): Removal => {
    let after = first;
    return async (rows) => {
      const { removed: some, last } = await step(after, rows);
      removed += some;
      after = last ?? after;
      return last !== null;
    };
  };
  await removeInBatches(
    [
      goThrough("", (after, batch) => removeDeliveries(db, { after, endId, batch })),
      goThrough(0, (after, batch) => removeEvents(db, { after, before: eventsBefore, endId, batch })),
    ],
    options,
  );
  return removed;
}

/** The result of a batch; `last` is where the next one continues, null after the last one. */
interface Step<C> {
  readonly removed: number;
  readonly last: C | null;
}

/** Reads the next `batch` deliveries after `after` and removes those that have ended. */
async function removeDeliveries(
  db: Queryable,
  { after, endId, batch }: { after: string; endId: string; batch: number },
): Promise<Step<string>> {
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

/** The same for events. Keeps events of a delivery that is older than `endId` and was itself kept. */
async function removeEvents(
  db: Queryable,
  { after, before, endId, batch }: { after: number; before: Date; endId: string; batch: number },
): Promise<Step<number>> {
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
