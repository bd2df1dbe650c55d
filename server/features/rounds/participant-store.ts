import { and, asc, eq, getTableColumns, inArray, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { limits } from "../../../contract/limits.ts";
import type { Queryable } from "../../db/database.ts";
import { accessOf, teamsOf } from "../estimations/index.ts";
import { shares } from "../shares/index.ts";
import { roundParticipants, rounds } from "./tables.ts";

export type ParticipantRow = typeof roundParticipants.$inferSelect;

/** A participant as others see them. */
export interface ShownParticipant extends Record<string, unknown> {
  readonly roundId: string;
  /** Null: nobody has accepted the invitation yet. */
  readonly userId: string | null;
  readonly name: string | null;
  readonly email: string | null;
}

/** SQL: the user who is meant by a row `p` of a round `r`: who was asked, or who accepted the share of the asked address. */
const userOf = sql`coalesce(p.user_id, (
  select s.user_id from ${shares} s where s.estimation_id = r.estimation_id and s.email = p.email))`;

/**
 * SQL: what a row `p` of a round `r` counts as. Who was asked by id, and also by an address that the same person accepted, is one: the
 * first of the rows by `ofOnePerson`.
 */
const person = sql`p.round_id, coalesce(${userOf}, p.position::text)`;
const ofOnePerson = sql`${person}, p.user_id nulls last`;

/** Reads who is asked in rounds, in the order in which they were asked. */
export async function listParticipants(db: Queryable, roundIds: readonly string[]): Promise<ShownParticipant[]> {
  if (roundIds.length === 0) return [];
  const { rows } = await db.execute<ShownParticipant>(sql`
    select each.round_id as "roundId", u.id as "userId", u.name, case when u.id is null then each.email end as email
    from (
      select distinct on (${person}) p.round_id, ${userOf} as user_id, p.email, p.position
      from ${roundParticipants} p join ${rounds} r on r.id = p.round_id
      where p.round_id = any(${sql.param([...roundIds])}::text[]) order by ${ofOnePerson}) as each
    left join users u on u.id = each.user_id order by each.round_id, each.position`);
  return rows;
}

/** Somebody who is asked: a user, or an address. */
export type NewParticipant = Pick<typeof roundParticipants.$inferInsert, "userId" | "email">;

export async function insertParticipants(
  tx: Queryable,
  roundId: string,
  asked: readonly NewParticipant[],
  now: Date,
): Promise<void> {
  await tx
    .insert(roundParticipants)
    .values(asked.map((one, position) => ({ ...one, roundId, position, answers: [], waits: true, askedAt: now })));
}

/** Where a user is a participant of an estimation's round: by id, or by the address whose share the user has accepted. */
const isOf = (estimationId: SQLWrapper, userId: string): SQL =>
  sql`(${roundParticipants.userId} = ${userId} or (${roundParticipants.userId} is null and ${roundParticipants.email} = (
    select ${shares.email} from ${shares} where ${shares.estimationId} = ${estimationId} and ${shares.userId} = ${userId})))`;

/** A round and a user. */
interface Whose {
  readonly roundId: string;
  readonly estimationId: string;
  readonly userId: string;
}

const selectOwn = (db: Queryable, { roundId, estimationId, userId }: Whose) =>
  db
    .select()
    .from(roundParticipants)
    .where(and(eq(roundParticipants.roundId, roundId), isOf(sql`${estimationId}`, userId)))
    .orderBy(asc(roundParticipants.userId))
    .limit(1);

/** Reads what a user has said in a round; undefined if the user is not asked. */
export const findOwn = async (db: Queryable, whose: Whose): Promise<ParticipantRow | undefined> =>
  (await selectOwn(db, whose))[0];

/** The same, locked until the transaction ends: requests of one person follow each other, those of others do not wait. */
export const lockOwn = async (tx: Queryable, whose: Whose): Promise<ParticipantRow | undefined> =>
  (await selectOwn(tx, whose).for("update"))[0];

/** Reads what a user has said in each of these rounds in which the user is asked. */
export const listOwn = (db: Queryable, roundIds: readonly string[], userId: string): Promise<ParticipantRow[]> =>
  db
    .selectDistinctOn([roundParticipants.roundId], getTableColumns(roundParticipants))
    .from(roundParticipants)
    .innerJoin(rounds, eq(rounds.id, roundParticipants.roundId))
    .where(and(inArray(roundParticipants.roundId, [...roundIds]), isOf(rounds.estimationId, userId)))
    .orderBy(asc(roundParticipants.roundId), asc(roundParticipants.userId));

/** Stores what a participant says, whose row is locked. */
export async function saveAnswers(
  tx: Queryable,
  { roundId, position }: Pick<ParticipantRow, "roundId" | "position">,
  changes: Pick<ParticipantRow, "answers" | "waits">,
): Promise<void> {
  await tx
    .update(roundParticipants)
    .set(changes)
    .where(and(eq(roundParticipants.roundId, roundId), eq(roundParticipants.position, position)));
}

/** What a participant of a locked round has said, and whether anything is still to be expected. */
export interface Heard extends Pick<ParticipantRow, "answers" | "waits" | "isMailed"> {
  readonly userId: string | null;
  /** The user can sign in and may read the estimation, or the invitation can still be accepted. */
  readonly isExpected: boolean;
}

/** Reads what all participants of a round have said, everybody once. `since`: invitations that were last sent before cannot be accepted. */
export async function listHeard(tx: Queryable, roundId: string, since: Date): Promise<Heard[]> {
  const { rows } = await tx.execute<Heard & Record<string, unknown>>(sql`
    select each.user_id as "userId", each.answers, each.waits, each.is_mailed as "isMailed", exists (
        select from ${accessOf(sql`each.estimation_id`, sql`each.user_id`, teamsOf(sql`each.user_id`))} as access
        where not exists (select from users where id = each.user_id and disabled_at is not null))
      or exists (
        select from ${shares} s where s.estimation_id = each.estimation_id and s.email = each.email and s.user_id is null
          and s.sent_at >= ${since.toISOString()}::timestamptz) as "isExpected"
    from (
      select distinct on (${person}) ${userOf} as user_id, p.email, p.answers, p.waits, p.is_mailed, r.estimation_id, p.position
      from ${roundParticipants} p join ${rounds} r on r.id = p.round_id where p.round_id = ${roundId}
      order by ${ofOnePerson}) as each
    order by each.position`);
  return rows;
}

/** Returns the users among participants. */
export const usersOf = (heard: readonly Pick<Heard, "userId">[]): string[] =>
  heard.flatMap(({ userId }) => userId ?? []);

/** Forgets what was said in a round that has ended: what is shown of it is stored elsewhere. */
export async function forgetAnswers(tx: Queryable, roundId: string): Promise<void> {
  await tx.update(roundParticipants).set({ answers: null, waits: false }).where(eq(roundParticipants.roundId, roundId));
}

const DAY_MS = 86_400_000;

/**
 * Notes who is mailed about a new round, and returns the users among them: those who were asked by its opener within a day no more often
 * than `limits.reviewMailsPerSenderAndDay`, and by everybody no more often than `limits.reviewMailsPerDay`. An address counts like a user.
 */
export async function markMailed(
  tx: Queryable,
  { roundId, openerId, now }: { readonly roundId: string; readonly openerId: string; readonly now: Date },
): Promise<string[]> {
  const since = sql`${new Date(now.getTime() - DAY_MS).toISOString()}::timestamptz`;
  const asked = (whom: SQL) => sql`(
    select r.opener_id from ${roundParticipants} p join ${rounds} r on r.id = p.round_id
    where ${whom} and p.asked_at > ${since} order by p.asked_at desc limit ${limits.reviewMailsPerDay + 1})`;
  const { rows } = await tx.execute<{ userId: string | null }>(sql`
    update ${roundParticipants} m set is_mailed = true where m.round_id = ${roundId} and (
      select count(*) <= ${limits.reviewMailsPerDay}
        and count(*) filter (where opener_id = ${openerId}) <= ${limits.reviewMailsPerSenderAndDay}
      from (${asked(sql`p.user_id = m.user_id`)} union all ${asked(sql`p.email = m.email`)}) as asked)
    returning m.user_id as "userId"`);
  return rows.flatMap(({ userId }) => userId ?? []);
}
