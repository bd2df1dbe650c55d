import { and, count, desc, eq, isNotNull, isNull, lt, lte, SQL, sql } from "drizzle-orm";
import type { WebhookFields } from "../../../contract/endpoints/webhooks.ts";
import type { SubscribableEvent } from "../../../contract/events.ts";
import type { Queryable } from "../../db/database.ts";
import { fail } from "../../http/failure.ts";
import { defineJob } from "../../jobs/job.ts";
import { addJob } from "../../jobs/job-store.ts";
import { users } from "../auth/index.ts";
import { webhookDeliveries, webhookOwners, webhooks } from "./tables.ts";

export type WebhookRow = typeof webhooks.$inferSelect;

/** One of the user's own webhooks. */
const own = (userId: string, id: string) =>
  and(eq(webhooks.userId, userId), eq(webhooks.id, id), isNull(webhooks.deletedAt));

/** Counts the webhooks of a user. Until the transaction ends, no other transaction counts for the same user. */
export async function countWebhooks(db: Queryable, userId: string): Promise<number> {
  await db.select({ id: users.id }).from(users).where(eq(users.id, userId)).for("no key update");
  const [row] = await db
    .select({ webhooks: count() })
    .from(webhooks)
    .where(and(eq(webhooks.userId, userId), isNull(webhooks.deletedAt)));
  return row?.webhooks ?? 0;
}

/**
 * Counts, up to `most`, the deliveries that have not ended to a user's webhooks that this user caused, webhook by webhook through the index
 * of these. Deleted webhooks count until their log is removed: deleting them and making others must not reset the count.
 */
export async function countWaiting(db: Queryable, userId: string, most: number): Promise<number> {
  // Each half has an index of its own. The inner limit keeps the planner from reading the deliveries of all users.
  const { rows } = await db.execute<{ waiting: number }>(sql`
    select count(*)::int as waiting from (
      select from (
        select id from ${webhooks} where user_id = ${userId} and deleted_at is null
        union all select id from ${webhooks} where user_id = ${userId} and deleted_at is not null
      ) w cross join lateral (
        select from ${webhookDeliveries} d where d.webhook_id = w.id and d.due_at is not null and d.caused_by_owner limit ${most}
      ) d limit ${most}) as found`);
  return rows[0]?.waiting ?? 0;
}

export async function insertWebhook(db: Queryable, webhook: typeof webhooks.$inferInsert): Promise<WebhookRow> {
  const [row] = await db.insert(webhooks).values(webhook).returning();
  return row as WebhookRow;
}

/** Reads at most `limit` webhooks of a user, newest first, after `afterId` if given. */
export function listWebhooks(
  db: Queryable,
  userId: string,
  limit: number,
  afterId: string | null,
): Promise<WebhookRow[]> {
  return db
    .select()
    .from(webhooks)
    .where(
      and(
        eq(webhooks.userId, userId),
        isNull(webhooks.deletedAt),
        afterId === null ? undefined : lt(webhooks.id, afterId),
      ),
    )
    .orderBy(desc(webhooks.id))
    .limit(limit);
}

/** Reads one webhook of a user; with `forUpdate`, locks it until the transaction ends. */
export async function findWebhook(
  db: Queryable,
  userId: string,
  id: string,
  { forUpdate = false } = {},
): Promise<WebhookRow | undefined> {
  const query = db.select().from(webhooks).where(own(userId, id));
  const [row] = await (forUpdate ? query.for("no key update") : query);
  return row;
}

/** Reads a webhook of the user. Refuses (404) if there is none. */
export async function ownWebhook(db: Queryable, userId: string, id: string): Promise<WebhookRow> {
  return (await findWebhook(db, userId, id)) ?? fail("not_found");
}

/** Changes a webhook; returns undefined if there is none. */
export async function updateWebhook(
  db: Queryable,
  userId: string,
  id: string,
  changes: Partial<WebhookFields> & { updatedAt: Date; deactivatedAt?: null },
): Promise<WebhookRow | undefined> {
  const [row] = await db.update(webhooks).set(changes).where(own(userId, id)).returning();
  return row;
}

/** Removes what deleted webhooks have left. */
export const removeDeletedJob = defineJob<object>("remove-deleted-webhooks-now");
/** One job is for all that are deleted: many at once would take connections from other jobs. */
const ONE_REMOVAL = { jobKey: removeDeletedJob.name };

/**
 * Makes a webhook invisible, removes its secret, and has its log removed; returns it as it was, or undefined if there is
 * none.
 */
export async function deleteWebhook(
  db: Queryable,
  userId: string,
  id: string,
  now: Date,
): Promise<WebhookRow | undefined> {
  const [row] = await deleteAll(db, own(userId, id), now);
  return row;
}

/** Does the same to all webhooks of a user that were created at `before` or earlier; returns them. */
export const deleteWebhooksBefore = (
  db: Queryable,
  userId: string,
  { before, now }: { readonly before: Date; readonly now: Date },
): Promise<WebhookRow[]> =>
  deleteAll(db, and(eq(webhooks.userId, userId), isNull(webhooks.deletedAt), lte(webhooks.createdAt, before)), now);

async function deleteAll(db: Queryable, which: SQL | undefined, now: Date): Promise<WebhookRow[]> {
  const rows = await db
    .update(webhooks)
    .set({ deletedAt: now, active: false, secret: new Uint8Array() })
    .where(which)
    .returning();
  if (rows.length > 0) await addJob(db, removeDeletedJob, {}, ONE_REMOVAL);
  return rows;
}

/** Reads at most `most` active webhooks of `userIds` (ids or a query of them) that subscribe to `event`. */
export function findSubscribed(
  db: Queryable,
  userIds: readonly string[] | SQL,
  event: SubscribableEvent,
  most: number,
): Promise<Pick<WebhookRow, "id" | "userId" | "bodyFormat">[]> {
  return db
    .select({ id: webhooks.id, userId: webhooks.userId, bodyFormat: webhooks.bodyFormat })
    .from(webhooks)
    .where(
      and(
        sql`${webhooks.userId} in (${idsIn(userIds)})`,
        isNull(webhooks.deletedAt),
        webhooks.active,
        sql`${event} = any(${webhooks.events})`,
        ownerIsEnabled,
      ),
    )
    .limit(most);
}

/** SQL condition on a webhook: nothing is recorded for the owner of a disabled account. */
export const ownerIsEnabled = sql`not exists (
  select from ${users} u where u.id = ${webhooks.userId} and u.disabled_at is not null)`;

/** Returns a query of ids that are given as a list or as a query. */
export const idsIn = (ids: readonly string[] | SQL): SQL =>
  ids instanceof SQL ? ids : sql`select unnest(${sql.param(ids)}::text[])`;

/**
 * Removes up to `most` deliveries of deleted webhooks with their attempts, then the webhooks that have no deliveries
 * left. Returns the number of deliveries. Reads those of one webhook after the other, in the order of an index: otherwise those
 * of all users may be read, even once for each deleted webhook. Skips locked rows: avoids deadlocks. Those under way
 * stay until they end, and count until then: new webhooks in place of hanging ones get no more requests.
 */
export async function removeDeleted(db: Queryable, most: number): Promise<number> {
  const removed = await db.execute(sql`
    with chosen as materialized (
      select d.id from ${webhooks} w cross join lateral (
        select id from ${webhookDeliveries}
        where webhook_id = w.id and (leased_until is null or leased_until <= now())
        order by event, status, id limit ${most} for update skip locked) d
      where w.deleted_at is not null limit ${most}
    ), removed as (
      delete from ${webhookDeliveries} d using chosen where d.id = chosen.id returning d.webhook_id, d.lease, d.lease_is_slow
    ), leased as (
      select w.user_id, count(*) as number, count(*) filter (where lease_is_slow) as slow from removed join ${webhooks} w on w.id = removed.webhook_id
      where lease is not null group by w.user_id
    ), owners as materialized (
      select o.user_id from ${webhookOwners} o where o.user_id in (select user_id from leased) order by o.user_id for update
    ), counted as (
      update ${webhookOwners} o set under_way = greatest(0, o.under_way - number),
        slow_under_way = greatest(0, o.slow_under_way - slow)
      from leased join owners using (user_id) where o.user_id = leased.user_id
    )
    select from removed`);
  await db.execute(sql`
    delete from ${webhooks} w where w.deleted_at is not null
      and not exists (select from ${webhookDeliveries} d where d.webhook_id = w.id)`);
  return removed.rowCount ?? 0;
}

/** Adds the job that removes them again, to run in `delayMs` milliseconds, if there still are deleted webhooks. */
export async function removeRestSoon(db: Queryable, delayMs: number): Promise<void> {
  const left = await db.select({ id: webhooks.id }).from(webhooks).where(isNotNull(webhooks.deletedAt)).limit(1);
  if (left.length > 0) await addJob(db, removeDeletedJob, {}, { ...ONE_REMOVAL, delayMs });
}
