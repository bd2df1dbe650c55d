import { eq, type SQL, sql } from "drizzle-orm";
import type { Queryable } from "../../db/database.ts";
import type { Ids } from "../../platform/ids.ts";
import { announce } from "./announce-store.ts";
import type { DeliveryRow } from "./enqueue.ts";
import { webhookDeliveries, webhookEvents, webhookRecoveries, webhooks } from "./tables.ts";

/** An order to send again the deliveries that failed between two times, both included. */
export interface Recovery {
  readonly webhookId: string;
  readonly since: Date;
  readonly until: Date;
}

/** Where a page of a recovery ended. */
export interface Position {
  readonly completedAt: Date;
  readonly id: string;
}

/**
 * Creates new deliveries for `chosen`, a query of deliveries with a column `at` that numbers them from 1; `ids` are the
 * new ids in that order. The body stays the same byte for byte, except for the id at the start of an envelope, which is
 * the new delivery's. It is stored with the new delivery, because the event may be removed first.
 */
const redeliveriesOf = (
  chosen: SQL,
  ids: readonly string[],
  { now, byHand }: { now: Date; byHand: boolean },
): SQL => sql`
  insert into ${webhookDeliveries}
    (id, webhook_id, event_id, event, body, redelivery_of, original_id, caused_by_owner, due_at, next_attempt_at, created_at, by_hand)
  select fresh.id, d.webhook_id, d.event_id, d.event,
    case when starts_with(d.body, '{"id":"' || d.id || '"')
      then overlay(d.body placing fresh.id from 8 for length(d.id)) else coalesce(d.body, e.data) end,
    d.id, coalesce(d.original_id, d.id), true, clock_timestamp(), ${now.toISOString()}::timestamptz,
    ${now.toISOString()}::timestamptz, ${byHand}::boolean
  from (${chosen}) d
  join json_array_elements_text(${JSON.stringify(ids)}::json) with ordinality as fresh(id, at) using (at)
  left join ${webhookEvents} e on e.id = d.event_id
  order by at`;

/**
 * Sends the body of one of the user's deliveries again at once, within the transaction `db`, even if the webhook is
 * inactive. Returns undefined if the delivery is gone.
 */
export async function redeliverOne(
  db: Queryable,
  ids: Ids,
  { deliveryId, now }: { deliveryId: string; now: Date },
): Promise<DeliveryRow | undefined> {
  const id = ids.next("delivery");
  const chosen = sql`select *, 1 as at from ${webhookDeliveries} where id = ${deliveryId}`;
  await db.execute(redeliveriesOf(chosen, [id], { now, byHand: true }));
  const [row] = await db.select().from(webhookDeliveries).where(eq(webhookDeliveries.id, id));
  if (row) announce(db);
  return row;
}

/** Locks the redelivery of the webhook's failed deliveries until the transaction ends. */
async function holdRecoveries(db: Queryable, webhookId: string): Promise<void> {
  await db.execute(sql`select pg_advisory_xact_lock(hashtextextended('webhook-recovery:' || ${webhookId}, 0))`);
}

/** SQL condition: delivery `d` failed within the time of `recovery`, and is the latest one with its body. */
const isToRecover = ({ webhookId, since, until }: Recovery): SQL => sql`
  d.webhook_id = ${webhookId} and d.status = 'failed'
  and d.completed_at >= ${since.toISOString()}::timestamptz and d.completed_at <= ${until.toISOString()}::timestamptz
  and not exists (
    select from ${webhookDeliveries} later where later.original_id = coalesce(d.original_id, d.id) and later.id > d.id)`;

/**
 * Stores the order to send failed deliveries again, within the transaction `db`. Returns its id and how many deliveries
 * it adds to those that earlier orders cover; null if it adds none and was not stored.
 */
export async function orderRecovery(db: Queryable, recovery: Recovery): Promise<{ id: number; count: number } | null> {
  await holdRecoveries(db, recovery.webhookId);
  const { rows } = await db.execute<{ count: number }>(sql`
    select count(*)::int as count from ${webhookDeliveries} d where ${isToRecover(recovery)} and not exists (
      select from ${webhookRecoveries} r
      where r.webhook_id = d.webhook_id and d.completed_at >= r.since and d.completed_at <= r.until)`);
  const count = rows[0]?.count ?? 0;
  if (count === 0) return null;
  const [order] = await db.insert(webhookRecoveries).values(recovery).returning({ id: webhookRecoveries.id });
  return { id: order?.id ?? 0, count };
}

/** Reads an order that is not finished yet, of a webhook that is active and not deleted. */
export async function findRecovery(db: Queryable, id: number): Promise<Recovery | undefined> {
  const [row] = await db
    .select({
      webhookId: webhookRecoveries.webhookId,
      since: webhookRecoveries.since,
      until: webhookRecoveries.until,
    })
    .from(webhookRecoveries)
    .innerJoin(webhooks, eq(webhooks.id, webhookRecoveries.webhookId))
    .where(sql`${webhookRecoveries.id} = ${id} and ${webhooks.deletedAt} is null and ${webhooks.active}`);
  return row;
}

export async function endRecovery(db: Queryable, id: number): Promise<void> {
  await db.delete(webhookRecoveries).where(eq(webhookRecoveries.id, id));
}

/**
 * Carries out the part of a recovery after `after`: at most `ids.length` deliveries, the oldest failures first.
 * Returns where it ended; null if nothing was left.
 */
export async function recoverSome(
  db: Queryable,
  { recovery, ids, after, now }: { recovery: Recovery; ids: readonly string[]; after: Position | null; now: Date },
): Promise<Position | null> {
  await holdRecoveries(db, recovery.webhookId);
  const beyond = after
    ? sql`and (d.completed_at, d.id) > (${after.completedAt.toISOString()}::timestamptz, ${after.id})`
    : sql``;
  const insert = redeliveriesOf(sql`select * from chosen`, ids, { now, byHand: false });
  const { rows } = await db.execute<{ completed_at: string; id: string }>(sql`
    with chosen as materialized (
      select page.*, row_number() over (order by completed_at, id) as at from (
        select d.* from ${webhookDeliveries} d
        where ${isToRecover(recovery)} ${beyond} order by d.completed_at, d.id limit ${ids.length}
      ) page
    ),
    inserted as (${insert})
    select completed_at, id from chosen order by at desc limit 1`);
  const last = rows[0];
  return last ? { completedAt: new Date(last.completed_at), id: last.id } : null;
}
