import { and, eq, isNotNull, isNull, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { AccessLevel } from "../../../contract/rights.ts";
import { type ActivityKind, activityKinds } from "../../../contract/values/activity-kinds.ts";
import type { Queryable } from "../../db/database.ts";
import { users } from "../auth/index.ts";
import { accessOf } from "./look-up-store.ts";
import { estimations, livePlaces, liveStreams } from "./tables.ts";

/**
 * Where processes tell each other what streams show. It is told in the transaction of the change, and only about an estimation
 * that somebody has open: commits that tell something wait for each other.
 */
export const LIVE_CHANNEL = "live";

/** What one process tells all of them. */
export type LiveNews =
  /** Somebody did something with an estimation. */
  | { readonly about: "changed"; readonly id: string; readonly kind: ActivityKind; readonly personId: string }
  /** Others are in an estimation, or elsewhere in it. */
  | { readonly about: "present"; readonly id: string }
  /** In a round of an estimation the number of those who have answered is another one. */
  | { readonly about: "answered"; readonly id: string; readonly roundId: string }
  /** A stream follows other estimations. */
  | { readonly about: "places"; readonly id: string }
  /** A user has other notifications. */
  | { readonly about: "notified"; readonly id: string };

/** Returns what was told, or null for anything else. */
export function readNews(payload: string): LiveNews | null {
  const [about = "", id = "", kind = "", personId = ""] = payload.split(" ");
  if (about === "present" || about === "places" || about === "notified") return { about, id };
  if (about === "answered") return { about, id, roundId: kind };
  if (about !== "changed" || !(kind in activityKinds)) return null;
  return { about, id, kind: kind as ActivityKind, personId };
}

const tell = (news: SQL): SQL => sql`pg_notify('${sql.raw(LIVE_CHANNEL)}', ${news})`;

/** SQL, a query: tells that somebody did something with the estimation `id`, if somebody has it open. */
export const tellChange = (id: SQLWrapper, kind: ActivityKind, personId: string): SQL => sql`
  select ${tell(sql`concat_ws(' ', 'changed', ${id}::text, ${kind}::text, ${personId}::text)`)}
  where exists (select from ${livePlaces} where ${livePlaces.estimationId} = ${id})`;

/** Tells, if somebody has the estimation open, that the number of those who have answered a round is another one: not who. */
export async function tellAnswered(tx: Queryable, estimationId: string, roundId: string): Promise<void> {
  await tx.execute(sql`
    select ${tell(sql`concat_ws(' ', 'answered', ${estimationId}::text, ${roundId}::text)`)}
    where exists (select from ${livePlaces} where ${livePlaces.estimationId} = ${estimationId})`);
}

/** Tells the streams of users that they have other notifications; nothing where they have none open. */
export async function tellNotified(tx: Queryable, userIds: readonly string[]): Promise<void> {
  await tx
    .selectDistinctOn([liveStreams.userId], { told: tell(sql`'notified ' || ${liveStreams.userId}`) })
    .from(liveStreams)
    .where(and(isOneOf(liveStreams.userId, userIds), liveStreams.isPerson));
}

/** The clock of the database, because the clocks of processes may differ. */
const NOW = sql`statement_timestamp()`;
/** A stream that was not renewed for so long is one of a process that died. */
const isStale = sql`${liveStreams.seenAt} < ${NOW} - interval '60 seconds'`;

/** A stream that was not renewed for so long, twice as long as usual, is most likely one of a process that died. */
const isRecent = sql`${liveStreams.seenAt} > ${NOW} - interval '30 seconds'`;

/** Stores that a stream is open, unless its user has `most` already, in all processes. Returns whether it is stored. */
export async function insertStream(
  db: Queryable,
  { id, userId, isPerson }: Omit<typeof liveStreams.$inferInsert, "seenAt">,
  most: number,
): Promise<boolean> {
  const { rowCount } = await db.execute(sql`
    insert into ${liveStreams} (id, user_id, is_person, seen_at)
    select ${id}, ${userId}, ${isPerson}, ${NOW}
    where (select count(*) from ${liveStreams} where ${liveStreams.userId} = ${userId} and ${isRecent}) < ${most}`);
  return rowCount === 1;
}

/** Removes a stream that has ended; its user is nowhere any more. */
export async function removeStream(db: Queryable, id: string): Promise<void> {
  await removeStreams(db, eq(liveStreams.id, id));
}

/** Removes streams whose process has not renewed them for a minute. */
export async function removeStaleStreams(db: Queryable): Promise<void> {
  await removeStreams(db, isStale);
}

async function removeStreams(db: Queryable, which: SQL): Promise<void> {
  await db.execute(sql`
    with gone as (delete from ${liveStreams} where ${which} returning ${liveStreams.id}),
    left_places as (
      delete from ${livePlaces} where ${livePlaces.streamId} in (select id from gone) returning estimation_id)
    select ${tell(sql`'present ' || estimation_id`)} from (select distinct estimation_id from left_places) as each`);
}

/** Renews streams; returns the ids of those that are still there. */
export async function renewStreams(db: Queryable, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const renewed = await db
    .update(liveStreams)
    .set({ seenAt: NOW })
    .where(isOneOf(liveStreams.id, ids))
    .returning({ id: liveStreams.id });
  return new Set(renewed.map(({ id }) => id));
}

/** Where the user of a stream is. */
export interface Place {
  readonly estimationId: string;
  readonly lineId: string | null;
}

/**
 * Replaces the places of a user's stream, and tells the others. Leaves out estimations that the user may not read. Returns
 * those that the stream follows now; null: the user has no such stream. From then on it shows a person to others where a session
 * said so (`isPerson`), and nobody where a key did.
 */
export async function setPlaces(
  tx: Queryable,
  {
    streamId,
    userId,
    isPerson,
  }: Pick<typeof liveStreams.$inferSelect, "userId" | "isPerson"> & { readonly streamId: string },
  places: readonly Place[],
): Promise<Place[] | null> {
  const isOwn = and(eq(liveStreams.id, streamId), eq(liveStreams.userId, userId));
  const [own] = await tx.update(liveStreams).set({ isPerson }).where(isOwn).returning({ id: liveStreams.id });
  if (!own) return null;
  const wanted = new Map(places.map(({ estimationId, lineId }) => [estimationId, lineId]));
  const readable = await readableOf(tx, [...wanted.keys()], userId);
  const rows = readable.map((estimationId) => ({ streamId, estimationId, lineId: wanted.get(estimationId) ?? null }));
  const isOver = and(
    eq(livePlaces.streamId, streamId),
    sql`${livePlaces.estimationId} <> all(${sql.param(readable)}::text[])`,
  );
  const left = await tx.delete(livePlaces).where(isOver).returning({ id: livePlaces.estimationId });
  const moved =
    rows.length === 0
      ? []
      : await tx
          .insert(livePlaces)
          .values(rows)
          .onConflictDoUpdate({
            target: [livePlaces.streamId, livePlaces.estimationId],
            set: { lineId: sql`excluded.line_id` },
            setWhere: sql`${livePlaces.lineId} is distinct from excluded.line_id`,
          })
          .returning({ id: livePlaces.estimationId });
  const news = [...left, ...moved].map(({ id }) => `present ${id}`);
  if (news.length > 0) {
    const told = sql.param([`places ${streamId}`, ...news]);
    await tx.execute(sql`select ${tell(sql`news`)} from unnest(${told}::text[]) as news`);
  }
  return rows.map(({ estimationId, lineId }) => ({ estimationId, lineId }));
}

/** SQL of type `text[]`: the teams of the user of a row. */
export const teamsOf = (userId: SQLWrapper): SQL =>
  sql`array(select team_id from team_members where user_id = ${userId})`;

/** Returns which of these estimations the user may read, in the order of their ids. */
async function readableOf(db: Queryable, ids: readonly string[], userId: string): Promise<string[]> {
  const user = sql`${userId}::text`;
  const rows = await db
    .select({ id: estimations.id })
    .from(estimations)
    .crossJoinLateral(sql`${accessOf(estimations.id, user, teamsOf(user))} as access`)
    .where(and(isOneOf(estimations.id, ids), isNull(estimations.deletedAt)))
    .orderBy(estimations.id);
  return rows.map(({ id }) => id);
}

/** SQL condition: the column has one of these values, which are one parameter however many they are. */
const isOneOf = (column: SQLWrapper, values: readonly string[]): SQL =>
  sql`${column} = any(${sql.param([...values])}::text[])`;

/** Returns the estimations that each of these streams follows. */
export async function placesOf(db: Queryable, streamIds: readonly string[]): Promise<Map<string, string[]>> {
  const found = new Map(streamIds.map((id): [string, string[]] => [id, []]));
  const { streamId, estimationId } = livePlaces;
  const rows = await db.select({ streamId, estimationId }).from(livePlaces).where(isOneOf(streamId, streamIds));
  for (const row of rows) found.get(row.streamId)?.push(row.estimationId);
  return found;
}

/** Ends that a stream follows an estimation that its user may not read any more. */
export async function removePlace(db: Queryable, streamId: string, estimationId: string): Promise<void> {
  await db.delete(livePlaces).where(and(eq(livePlaces.streamId, streamId), eq(livePlaces.estimationId, estimationId)));
}

/** A stream that follows an estimation, with the access of its user at this moment. */
export interface Follower extends Place {
  readonly streamId: string;
  readonly userId: string;
  readonly name: string;
  readonly isPerson: boolean;
  readonly revision: number;
  /** Null: the user may not read the estimation any more. */
  readonly level: AccessLevel | null;
}

/** Returns all streams, of any process that has not died, that follow these estimations. */
export function followersOf(db: Queryable, estimationIds: readonly string[]): Promise<Follower[]> {
  const access = accessOf(estimations.id, liveStreams.userId, teamsOf(liveStreams.userId));
  return db
    .select({
      estimationId: livePlaces.estimationId,
      lineId: livePlaces.lineId,
      streamId: liveStreams.id,
      userId: liveStreams.userId,
      isPerson: liveStreams.isPerson,
      name: users.name,
      revision: estimations.revision,
      level: sql<AccessLevel | null>`case when ${isNotNull(estimations.deletedAt)} then null else access.level end`,
    })
    .from(livePlaces)
    .innerJoin(liveStreams, eq(liveStreams.id, livePlaces.streamId))
    .innerJoin(users, eq(users.id, liveStreams.userId))
    .innerJoin(estimations, eq(estimations.id, livePlaces.estimationId))
    .leftJoinLateral(sql`${access} as access`, sql`true`)
    .where(and(isOneOf(livePlaces.estimationId, estimationIds), sql`not (${isStale})`))
    .orderBy(liveStreams.userId, liveStreams.id);
}

/** Returns the names of users. */
export async function namesOf(db: Queryable, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.select({ id: users.id, name: users.name }).from(users).where(isOneOf(users.id, ids));
  return new Map(rows.map(({ id, name }) => [id, name]));
}
