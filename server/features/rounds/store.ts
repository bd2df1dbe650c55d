import { and, count, desc, eq, getTableColumns, inArray, isNull, lt, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { limits } from "../../../contract/limits.ts";
import type { Queryable } from "../../db/database.ts";
import { users } from "../auth/index.ts";
import { accessOf, estimationReaders, estimations, teamsOf } from "../estimations/index.ts";
import { shares } from "../shares/index.ts";
import { versions } from "../versions/index.ts";
import { roundOptions, roundParticipants, rounds } from "./tables.ts";

export type RoundRow = typeof rounds.$inferSelect;

/** A round with what is shown with it. */
export type ShownRound = RoundRow & {
  readonly estimationTitle: string;
  readonly versionNumber: number;
  readonly openerName: string;
  readonly repeatsNumber: number | null;
  readonly optionIds: string[];
  /** Participants who have nothing left to answer. */
  readonly done: number;
};

const repeated = alias(rounds, "repeated");

const shownColumns = {
  ...getTableColumns(rounds),
  estimationTitle: sql<string>`${estimations.title}`.as("estimation_title"),
  versionNumber: sql<number>`${versions.number}`.as("version_number"),
  openerName: sql<string>`${users.name}`.as("opener_name"),
  repeatsNumber: sql<number | null>`${repeated.number}`.as("repeats_number"),
  optionIds: sql<string[]>`array(
    select option_id from ${roundOptions} where round_id = ${rounds.id} order by position)`.as("option_ids"),
  done: sql<number>`(
    select count(*)::int from ${roundParticipants} where round_id = ${rounds.id} and not waits)`.as("done"),
};

/** Rounds that meet all conditions, newest first. */
const selectRounds = (db: Queryable, ...conditions: (SQL | undefined)[]) =>
  db
    .select(shownColumns)
    .from(rounds)
    .innerJoin(estimations, eq(estimations.id, rounds.estimationId))
    .innerJoin(users, eq(users.id, rounds.openerId))
    .innerJoin(versions, eq(versions.id, rounds.versionId))
    .leftJoin(repeated, eq(repeated.id, rounds.repeatsId))
    .where(and(...conditions))
    .orderBy(desc(rounds.id));

const before = (afterId: string | null) => (afterId === null ? undefined : lt(rounds.id, afterId));

/** Reads the round of this estimation; undefined if it has none with this id. */
export async function findRound(db: Queryable, estimationId: string, id: string): Promise<ShownRound | undefined> {
  const [row] = await selectRounds(db, eq(rounds.estimationId, estimationId), eq(rounds.id, id));
  return row;
}

/** Reads at most `limit` rounds of an estimation, newest first, after `afterId` if given. */
export const listRounds = (
  db: Queryable,
  estimationId: string,
  limit: number,
  afterId: string | null,
): Promise<ShownRound[]> => selectRounds(db, eq(rounds.estimationId, estimationId), before(afterId)).limit(limit);

/**
 * SQL, a query: ids of the open rounds in which a person has options left, of estimations that the person may read. By an address it is
 * whoever accepted its share, unless that person is asked by id too.
 */
function waitingFor(userId: string, more: SQL | undefined, limit: number): SQL {
  const user = sql`${userId}::text`;
  const mine = sql`
    select round_id from ${roundParticipants} where user_id = ${user} and waits and user_id is not null
    union
    select p.round_id from ${estimationReaders} reader
    join ${shares} s on s.estimation_id = reader.estimation_id and s.user_id = ${user}
    join ${rounds} r on r.estimation_id = s.estimation_id and r.status = 'open'
    join ${roundParticipants} p on p.round_id = r.id and p.email = s.email and p.user_id is null and p.waits
    where reader.holder_id = ${user} and reader.shared is not null
      and not exists (select from ${roundParticipants} where round_id = r.id and user_id = ${user})`;
  return sql`
    select ${rounds.id} from (${mine}) as mine
    join ${rounds} on ${rounds.id} = mine.round_id
    join ${estimations} on ${estimations.id} = ${rounds.estimationId} and ${isNull(estimations.deletedAt)}
    cross join lateral ${accessOf(estimations.id, user, teamsOf(user))} as access
    where ${rounds.status} = 'open' and ${more ?? sql`true`} order by ${rounds.id} desc limit ${limit}`;
}

/** Reads a page of the rounds that wait for a person, newest first. */
export const listWaiting = (
  db: Queryable,
  userId: string,
  limit: number,
  afterId: string | null,
): Promise<ShownRound[]> =>
  selectRounds(db, sql`${rounds.id} = any(array(${waitingFor(userId, before(afterId), limit)}))`).limit(limit);

/** Returns how many rounds wait for a person, counted up to `limits.reviewsCounted`. */
export async function countWaitingRounds(db: Queryable, userId: string): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(sql`
    select count(*)::int as count from (${waitingFor(userId, undefined, limits.reviewsCounted)}) as waiting`);
  return rows[0]?.count ?? 0;
}

/** Returns how many rounds an estimation has, and the number of its last one. */
export async function countRounds(
  db: Queryable,
  estimationId: string,
): Promise<{ readonly rounds: number; readonly last: number }> {
  const [row] = await db
    .select({ rounds: count(), last: sql<number>`coalesce(max(${rounds.number}), 0)` })
    .from(rounds)
    .where(eq(rounds.estimationId, estimationId));
  return row ?? { rounds: 0, last: 0 };
}

/** An option of a new round. */
export type NewOption = Pick<typeof roundOptions.$inferInsert, "optionId" | "label" | "weight">;

/** Stores a round of a locked estimation, with its options in tree order. */
export async function insertRound(
  tx: Queryable,
  row: typeof rounds.$inferInsert,
  options: readonly NewOption[],
): Promise<void> {
  await tx.insert(rounds).values(row);
  await tx.execute(sql`
    insert into ${roundOptions} (round_id, position, option_id, label, weight)
    select ${row.id}, ordinality - 1, option ->> 'optionId', option -> 'label', (option ->> 'weight')::float8
    from json_array_elements(${JSON.stringify(options)}::json) with ordinality as each (option, ordinality)`);
}

/** Locks a round of an estimation against everybody who changes it, and who saves estimates; undefined if there is none. */
export async function lockRound(tx: Queryable, estimationId: string, id: string): Promise<RoundRow | undefined> {
  const [row] = await tx
    .select()
    .from(rounds)
    .where(and(eq(rounds.estimationId, estimationId), eq(rounds.id, id)))
    .for("update");
  return row;
}

/** A round as somebody needs it who saves estimates. */
export type HeldRound = Pick<RoundRow, "id" | "status" | "deadline"> & { readonly optionIds: string[] };

/** Reads a round for somebody who saves estimates: until the transaction ends it is not revealed, and others save too. */
export async function holdRound(tx: Queryable, estimationId: string, id: string): Promise<HeldRound | undefined> {
  const { status, deadline } = rounds;
  // As one text: hundreds of rows, or an array, take many times as long to read.
  const ids = sql<string>`(
    select string_agg(option_id, ' ' order by position) from ${roundOptions} where round_id = ${rounds.id})`;
  const [row] = await tx
    .select({ id: rounds.id, status, deadline, ids })
    .from(rounds)
    .where(and(eq(rounds.estimationId, estimationId), eq(rounds.id, id)))
    .for("key share");
  return row && { id: row.id, status: row.status, deadline: row.deadline, optionIds: row.ids.split(" ") };
}

export async function updateRound(tx: Queryable, id: string, changes: Partial<RoundRow>): Promise<void> {
  await tx.update(rounds).set(changes).where(eq(rounds.id, id));
}

/** A round, and what it belongs to. */
export type RoundPlace = Pick<RoundRow, "id" | "estimationId" | "openerId">;

const place = { id: rounds.id, estimationId: rounds.estimationId, openerId: rounds.openerId };

/** Returns where a round is. */
export async function findPlace(db: Queryable, id: string): Promise<RoundPlace | undefined> {
  const [row] = await db.select(place).from(rounds).where(eq(rounds.id, id));
  return row;
}

const at = (now: Date): SQL => sql`${now.toISOString()}::timestamptz`;

/** How long after it was looked at a round is looked at again: those who are missing may have lost access meanwhile. */
const LOOK_AGAIN_MS = 3_600_000;

/** Returns when a round with this deadline, or none, is looked at next. */
export function lookNext(deadline: Date | null, now: Date): Date {
  const later = new Date(now.getTime() + LOOK_AGAIN_MS);
  return deadline !== null && deadline > now && deadline < later ? deadline : later;
}

/** Returns up to `limit` open rounds that are to be looked at, whether they reveal themselves, and sets when they are next. */
export async function takeToLookAt(tx: Queryable, now: Date, limit: number): Promise<string[]> {
  const later = at(lookNext(null, now));
  const { rows } = await tx.execute<{ id: string }>(sql`
    update ${rounds} set look_at = least(case when deadline > ${at(now)} then deadline end, ${later}) where id = any(array(
      select id from ${rounds} where status = 'open' and look_at <= ${at(now)}
      order by look_at limit ${limit} for no key update skip locked))
    returning id`);
  return rows.map(({ id }) => id);
}

const DAY = sql.raw("interval '1 day'");

/**
 * Marks up to `limit` open rounds whose deadline is at most a day away as those whose participants are told of it, and returns them.
 * One that was opened for no longer than that is only marked.
 */
export async function takeToRemind(tx: Queryable, now: Date, limit: number): Promise<string[]> {
  const { rows } = await tx.execute<{ id: string; tells: boolean }>(sql`
    update ${rounds} set reminded_at = ${at(now)} where id = any(array(
      select id from ${rounds} where status = 'open' and reminded_at is null and deadline is not null
        and deadline <= ${at(now)} + ${DAY} order by deadline limit ${limit} for no key update skip locked))
    returning id, deadline - opened_at > ${DAY} and deadline > ${at(now)} as tells`);
  return rows.flatMap(({ id, tells }) => (tells ? [id] : []));
}

/** Reads the estimations that are not deleted of these rounds, with what is told of them. */
export const readRounds = (db: Queryable, ids: readonly string[]): Promise<ShownRound[]> =>
  selectRounds(db, inArray(rounds.id, [...ids]), isNull(estimations.deletedAt));
