import { eq, type SQL, sql } from "drizzle-orm";
import type { Queryable } from "../../db/database.ts";
import { addJobs } from "../../jobs/add-job.ts";
import type { Ids } from "../../platform/ids.ts";
import { type DeliveryRow, deliverJob } from "./enqueue.ts";
import { webhookDeliveries, webhookEvents, webhookRecoveries, webhooks } from "./tables.ts";

/** An order to send again what failed between two times, both included. */
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
 * The new deliveries of `chosen`, a query of deliveries with a column `at` that numbers them from 1; `ids` are theirs, in
 * that order. A body is the same to the byte, but for the id at the beginning of an envelope, which is the delivery's.
 * It is kept with the new delivery, because the event may be removed before it.
 */
const redeliveriesOf = (chosen: SQL, ids: readonly string[], columns: SQL, values: SQL): SQL => sql`
  insert into ${webhookDeliveries}
    (id, webhook_id, event_id, event, body, redelivery_of, original_id, next_attempt_at, created_at, ${columns})
  select fresh.id, d.webhook_id, d.event_id, d.event,
    case when starts_with(d.body, '{"id":"' || d.id || '"')
      then overlay(d.body placing fresh.id from 8 for length(d.id)) else coalesce(d.body, e.data) end,
    d.id, coalesce(d.original_id, d.id), ${values}
  from (${chosen}) d
  join json_array_elements_text(${JSON.stringify(ids)}::json) with ordinality as fresh(id, at) using (at)
  left join ${webhookEvents} e on e.id = d.event_id
  order by at`;

/**
 * Sends the body of a delivery of the user again at once, within the transaction `db`; it goes out although the webhook may be inactive.
 * Returns undefined where the delivery is gone.
 */
export async function redeliverOne(
  db: Queryable,
  ids: Ids,
  { deliveryId, userId, now }: { deliveryId: string; userId: string; now: Date },
): Promise<DeliveryRow | undefined> {
  const id = ids.next("delivery");
  const chosen = sql`select *, 1 as at from ${webhookDeliveries} where id = ${deliveryId}`;
  const at = now.toISOString();
  await db.execute(redeliveriesOf(chosen, [id], sql`by_hand`, sql`${at}::timestamptz, ${at}::timestamptz, true`));
  const [row] = await db.select().from(webhookDeliveries).where(eq(webhookDeliveries.id, id));
  if (!row) return undefined;
  await addJobs(db, deliverJob, [{ deliveryId: id, webhookId: row.webhookId, ownerId: userId, attempt: 1 }]);
  return row;
}

/** Nobody else redelivers failed deliveries of the webhook until the transaction ends. */
async function holdRecoveries(db: Queryable, webhookId: string): Promise<void> {
  await db.execute(sql`select pg_advisory_xact_lock(hashtextextended('webhook-recovery:' || ${webhookId}, 0))`);
}

/** Delivery `d` failed within the time of `recovery`, and is the latest of those with its body. */
const isToRecover = ({ webhookId, since, until }: Recovery): SQL => sql`
  d.webhook_id = ${webhookId} and d.status = 'failed'
  and d.completed_at >= ${since.toISOString()}::timestamptz and d.completed_at <= ${until.toISOString()}::timestamptz
  and not exists (
    select from ${webhookDeliveries} later where later.original_id = coalesce(d.original_id, d.id) and later.id > d.id)`;

/**
 * Gives the order to send again what failed, within the transaction `db`. Returns how many deliveries it adds to what
 * earlier orders cover, and its id; null: it adds none, and was not given.
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

/** An order that is still to be carried out, of a webhook that is there and active. */
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
 * Carries out the part of a recovery after `after`, at most `ids.length` deliveries, the oldest failures first. The new
 * ones are parked: they get their jobs as fast as the endpoint takes them. Returns where it ended; null: there was no more.
 */
export async function recoverSome(
  db: Queryable,
  { recovery, ids, after, now }: { recovery: Recovery; ids: readonly string[]; after: Position | null; now: Date },
): Promise<Position | null> {
  await holdRecoveries(db, recovery.webhookId);
  const beyond = after
    ? sql`and (d.completed_at, d.id) > (${after.completedAt.toISOString()}::timestamptz, ${after.id})`
    : sql``;
  const at = now.toISOString();
  const insert = redeliveriesOf(
    sql`select * from chosen`,
    ids,
    sql`parked`,
    sql`${at}::timestamptz, ${at}::timestamptz, true`,
  );
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
