import { and, eq, gt, inArray, isNull, lte, type SQL, sql } from "drizzle-orm";
import type { Queryable } from "../../db/database.ts";
import type { Occurrence } from "./body.ts";
import type { Receiver } from "./enqueue.ts";
import { idsIn, ownerIsEnabled } from "./store.ts";
import { webhookEvents, webhookSpreads, webhooks } from "./tables.ts";

/** Users of one part. */
const USERS = 50;

/** Stores the users who receive a recorded event, within the transaction `tx` of its cause. */
export async function insertSpread(
  tx: Queryable,
  { eventId, userIds, senderId }: { eventId: number; userIds: readonly string[] | SQL; senderId: string },
): Promise<void> {
  await tx.execute(sql`
    insert into ${webhookSpreads} (event_id, part, sender_id, user_ids)
    select ${eventId}, part, ${senderId}, array_agg(id) from (
      select id, (row_number() over (order by id) - 1) / ${USERS} as part
      from (select distinct id from (${idsIn(userIds)}) as given (id)) as told
    ) as numbered group by part`);
}

type Part = typeof webhookSpreads.$inferSelect;

/**
 * Locks the first part of the sender that follows `afterSender`; null if none follows. If another worker has just done
 * it, it returns null as well: that worker goes on.
 */
export async function lockPart(tx: Queryable, afterSender: string | null): Promise<Part | null> {
  const [part] = await tx
    .select()
    .from(webhookSpreads)
    .where(afterSender === null ? undefined : gt(webhookSpreads.senderId, afterSender))
    .orderBy(webhookSpreads.senderId, webhookSpreads.eventId, webhookSpreads.part)
    .limit(1)
    .for("update");
  return part ?? null;
}

/** Reads the event of a part, and the next `most` webhooks that receive it. */
export async function readPart(
  tx: Queryable,
  { eventId, userIds, doneTo }: Part,
  most: number,
): Promise<{ occurrence: Occurrence; receivers: Receiver[] } | null> {
  const [event] = await tx.select().from(webhookEvents).where(eq(webhookEvents.id, eventId));
  if (!event) return null;
  const receivers = await tx
    .select({ id: webhooks.id, userId: webhooks.userId, bodyFormat: webhooks.bodyFormat })
    .from(webhooks)
    .where(
      and(
        inArray(webhooks.userId, userIds),
        isNull(webhooks.deletedAt),
        webhooks.active,
        ownerIsEnabled,
        sql`${event.name} = any(${webhooks.events})`,
        lte(webhooks.createdAt, event.createdAt),
        gt(webhooks.id, doneTo),
      ),
    )
    .orderBy(webhooks.id)
    .limit(most);
  return { occurrence: { event: event.name, data: JSON.parse(event.data), at: event.createdAt }, receivers };
}

/** Stores where a locked part continues; removes it if `doneTo` is null. */
export async function notePart(tx: Queryable, { senderId, eventId, part }: Part, doneTo: string | null): Promise<void> {
  const { senderId: sender, eventId: event, part: number } = webhookSpreads;
  const isIt = and(eq(sender, senderId), eq(event, eventId), eq(number, part));
  if (doneTo === null) await tx.delete(webhookSpreads).where(isIt);
  else await tx.update(webhookSpreads).set({ doneTo }).where(isIt);
}
