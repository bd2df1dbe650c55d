import { and, desc, eq, inArray, isNotNull, isNull, lt, lte, or, type SQL, sql } from "drizzle-orm";
import type { Notification } from "../../../contract/endpoints/notifications.ts";
import { limits } from "../../../contract/limits.ts";
import type { NotificationKind } from "../../../contract/values/notification-kinds.ts";
import { earliestSentAt } from "../../../domain/shares.ts";
import type { Queryable } from "../../db/database.ts";
import type { Ids } from "../../platform/ids.ts";
import { users } from "../auth/index.ts";
import { accessOf, estimations, teamsOf, tellNotified } from "../estimations/index.ts";
import { notifications } from "./tables.ts";

/** Something that people are notified of. */
export interface Notified {
  readonly kind: NotificationKind;
  /** Null: nobody else did it. */
  readonly actorId: string | null;
  readonly estimationId: string | null;
  readonly subject: Notification["subject"];
  readonly now: Date;
}

/** Kinds whose readers have no access yet: they are invited. */
const invitations: readonly NotificationKind[] = ["share.invited", "team.invited"];

/** Kinds of which the newest of a person counts alone while it is not read, each with what it is about. */
const talk: Partial<Readonly<Record<NotificationKind, keyof Notification["subject"]>>> = {
  "review.commented": "reviewId",
  "thread.commented": "threadId",
};

/**
 * Notifies users, in the transaction of the cause, except who did it themselves, and who may not read the estimation now. Of
 * what an account did that only stands in for somebody, such as the reviewer of the examples, nobody is notified, and neither
 * is that account. A comment takes the place of an earlier one of the same person on the same review that was not read, and so
 * does a message of a thread. Of each reader the newest `limits.notifications` are kept, and of these the newest
 * `limits.notificationsFromOne` that one person caused.
 */
export async function addNotifications(
  tx: Queryable,
  ids: Ids,
  { now: createdAt, ...what }: Notified,
  userIds: readonly string[],
): Promise<void> {
  const others = [...new Set(userIds)].filter((id) => id !== what.actorId);
  // In one order, so that two who notify the same readers do not wait for each other.
  const readers = (await mayBeTold(tx, what, others)).sort();
  if (readers.length === 0) return;
  const about = talk[what.kind];
  if (about !== undefined) await removeUnread(tx, what, about, readers);
  const rows = readers.map((userId) => ({ ...what, id: ids.next("notification"), userId, createdAt }));
  await tx.insert(notifications).values(rows);
  await keepNewest(tx, readers, sql`true`, limits.notifications);
  if (what.actorId !== null)
    await keepNewest(tx, readers, sql`actor_id = ${what.actorId}`, limits.notificationsFromOne);
  await tellNotified(tx, readers);
}

/** Returns which of these users may read what they are to be notified of. */
async function mayBeTold(
  tx: Queryable,
  { kind, actorId, estimationId }: Pick<Notified, "kind" | "actorId" | "estimationId">,
  userIds: readonly string[],
): Promise<string[]> {
  if (estimationId === null || invitations.includes(kind) || userIds.length === 0) return [...userIds];
  const access = accessOf(sql`${estimationId}::text`, sql`reader.id`, teamsOf(sql`reader.id`));
  const { rows } = await tx.execute<{ id: string }>(sql`
    select reader.id from unnest(${sql.param([...userIds])}::text[]) as reader (id) cross join lateral ${access} as access
    where not exists (select from ${users} where ${users.id} in (${actorId}, reader.id) and ${isNotNull(users.standsFor)})`);
  return rows.map(({ id }) => id);
}

/** Removes what these readers have not read of the same kind from the same person about the same review or thread. */
async function removeUnread(
  tx: Queryable,
  { kind, actorId, subject }: Pick<Notified, "kind" | "actorId" | "subject">,
  about: keyof Notification["subject"],
  readers: readonly string[],
): Promise<void> {
  await tx.execute(sql`
    delete from ${notifications} where user_id = any(${sql.param([...readers])}::text[]) and read_at is null
      and kind = ${kind} and actor_id = ${actorId} and subject ->> ${about}::text = ${subject[about]}`);
}

/** Removes the reminders of a round that has ended: they would tell who had not answered. */
export async function removeReminders(tx: Queryable, estimationId: string, roundId: string): Promise<void> {
  const { rows } = await tx.execute<{ userId: string }>(sql`
    delete from ${notifications} where estimation_id = ${estimationId} and kind = 'round.due' and subject ->> 'roundId' = ${roundId}
    returning user_id as "userId"`);
  if (rows.length > 0)
    await tellNotified(
      tx,
      rows.map(({ userId }) => userId),
    );
}

/** Of the notifications of each reader for which `which` holds, removes all but the newest. */
async function keepNewest(tx: Queryable, readers: readonly string[], which: SQL, kept: number): Promise<void> {
  await tx.execute(sql`
    delete from ${notifications} where id in (
      select old.id from unnest(${sql.param([...readers])}::text[]) as reader (id)
      cross join lateral (
        select id from ${notifications} where user_id = reader.id and ${which} order by id desc offset ${kept}) as old)`);
}

/** A notification with what its reader may see of it now. */
export interface ShownRow {
  readonly id: string;
  readonly kind: NotificationKind;
  readonly actorId: string | null;
  readonly actorName: string | null;
  readonly estimationId: string | null;
  /** Null: it may not be seen any more. */
  readonly title: string | null;
  readonly teamName: string | null;
  readonly subject: Notification["subject"];
  readonly createdAt: Date;
  readonly readAt: Date | null;
}

/** Reads at most `limit` notifications of a user, newest first, before the one with the id `before` if given. */
export function listOf(
  db: Queryable,
  { userId, now }: { readonly userId: string; readonly now: Date },
  limit: number,
  before: string | null,
): Promise<ShownRow[]> {
  const reader = sql`${userId}::text`;
  const teamIds = sql`array(select team_id from team_members where user_id = ${reader})`;
  const since = sql`${earliestSentAt(now).toISOString()}::timestamptz`;
  const email = sql`(select email from users where id = ${reader})`;
  const { subject } = notifications;
  // Who is invited sees what it is to, as in the list of invitations.
  const isInvited = sql`exists (
    select from shares s where s.id = ${subject} ->> 'shareId' and s.email = ${email} and s.accepted_at is null
      and s.sent_at >= ${since})`;
  const teamId = sql`${subject} ->> 'teamId'`;
  const isOfTeam = sql`(${teamId} = any(${teamIds}) or exists (
    select from team_invitations i where i.team_id = ${teamId} and i.email = ${email} and i.sent_at >= ${since}))`;
  return db
    .select({
      id: notifications.id,
      kind: notifications.kind,
      actorId: notifications.actorId,
      actorName: users.name,
      estimationId: notifications.estimationId,
      title: sql<string | null>`case when access.level is not null or ${isInvited} then ${estimations.title} end`,
      teamName: sql<string | null>`(select name from teams where id = ${teamId} and ended_at is null and ${isOfTeam})`,
      subject,
      createdAt: notifications.createdAt,
      readAt: notifications.readAt,
    })
    .from(notifications)
    .leftJoin(users, eq(users.id, notifications.actorId))
    .leftJoin(estimations, and(eq(estimations.id, notifications.estimationId), isNull(estimations.deletedAt)))
    .leftJoinLateral(sql`${accessOf(estimations.id, reader, teamIds)} as access`, sql`true`)
    .where(and(eq(notifications.userId, userId), before === null ? undefined : lt(notifications.id, before)))
    .orderBy(desc(notifications.id))
    .limit(limit);
}

/** Marks those of a user that are named, and all up to `upTo`, as read. */
export async function markRead(
  tx: Queryable,
  userId: string,
  { ids = [], upTo }: { readonly ids?: readonly string[] | undefined; readonly upTo?: string | undefined },
  now: Date,
): Promise<void> {
  const named: (SQL | undefined)[] = [];
  if (ids.length > 0) named.push(inArray(notifications.id, [...ids]));
  if (upTo !== undefined) named.push(lte(notifications.id, upTo));
  if (named.length === 0) return;
  const marked = await tx
    .update(notifications)
    .set({ readAt: now })
    .where(and(eq(notifications.userId, userId), isNull(notifications.readAt), or(...named)))
    .returning({ id: notifications.id });
  if (marked.length > 0) await tellNotified(tx, [userId]);
}

/** Returns how many notifications of each user are not read. */
export async function countUnread(db: Queryable, userIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const { userId, readAt } = notifications;
  const rows = await db
    .select({ userId, unread: sql<number>`count(*)::int` })
    .from(notifications)
    .where(and(inArray(userId, [...userIds]), isNull(readAt)))
    .groupBy(userId);
  const counts = new Map(rows.map((row) => [row.userId, row.unread]));
  return new Map(userIds.map((id) => [id, counts.get(id) ?? 0]));
}

/** Removes at most `rows` notifications from before `before`; returns how many. */
export async function removeNotifications(db: Queryable, before: Date, rows: number): Promise<number> {
  const old = db
    .select({ id: notifications.id })
    .from(notifications)
    .where(lt(notifications.createdAt, before))
    .limit(rows);
  const removed = await db.delete(notifications).where(inArray(notifications.id, old));
  return removed.rowCount ?? 0;
}
