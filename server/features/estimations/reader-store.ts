import { and, eq, isNotNull, isNull, ne, not, or, type SQL, sql } from "drizzle-orm";
import { idPrefixes } from "../../../contract/shapes.ts";
import type { Queryable } from "../../db/database.ts";
import { holdersOf, teamMembers, teamsOf } from "../teams/index.ts";
import { relistFor } from "./listing-store.ts";
import type { LockedEstimation } from "./look-up-store.ts";
import { estimationListings, estimationReaders } from "./tables.ts";

type ReaderRow = typeof estimationReaders.$inferSelect;

/** A user with or without access to an estimation. */
interface Reader {
  readonly estimationId: string;
  readonly userId: string;
}

/** The sources of a user's access. Each is set by one part of the product and does not depend on the others. */
type Sources = Pick<ReaderRow, "owns" | "shared" | "reviews">;
type Changes = Partial<Sources & Pick<ReaderRow, "hasChanged">>;

const { owns, shared, reviews } = estimationReaders;
const GIVES_NOTHING: Readonly<Record<keyof Sources, SQL>> = {
  owns: not(owns),
  shared: isNull(shared),
  reviews: not(reviews),
};

/** The columns of which no two rows have the same values. */
const HOLDING = [estimationReaders.estimationId, estimationReaders.holderId];

const isHeldBy = (estimationId: string, holderId: string): SQL | undefined =>
  and(eq(estimationReaders.estimationId, estimationId), eq(estimationReaders.holderId, holderId));

const isTheirs = ({ estimationId, userId }: Reader): SQL | undefined => isHeldBy(estimationId, userId);

/**
 * Changes the sources of a user's access to a locked estimation; those that `changes` does not name stay as they are. A user
 * without any source left loses access.
 */
export async function setReader(tx: Queryable, reader: Reader, changes: Changes): Promise<void> {
  const { estimationId, userId } = reader;
  if (changes.owns || changes.shared || changes.reviews) {
    await tx
      .insert(estimationReaders)
      .values({ estimationId, userId, ...changes })
      .onConflictDoUpdate({ target: HOLDING, set: changes });
  } else {
    const others = (Object.keys(GIVES_NOTHING) as (keyof Sources)[]).filter((name) => !(name in changes));
    const hasNoOther = and(isTheirs(reader), ...others.map((name) => GIVES_NOTHING[name]));
    const removed = await tx.delete(estimationReaders).where(hasNoOther);
    if (removed.rowCount === 0) await tx.update(estimationReaders).set(changes).where(isTheirs(reader));
  }
  await relistFor(tx, [estimationId], userId);
}

/** The level that a share with a team gives its members. */
export type TeamLevel = NonNullable<Sources["shared"]>;

/**
 * Gives the members of a team, present and future ones, a level on a locked estimation, or ends it (null). Returns whether that
 * is a change. It writes as much for a team of one as for a team of hundreds.
 */
export async function setTeamLevel(
  tx: Queryable,
  { id: estimationId }: Pick<LockedEstimation, "id">,
  teamId: string,
  level: TeamLevel | null,
): Promise<boolean> {
  const changed =
    level === null
      ? await tx.delete(estimationReaders).where(isHeldBy(estimationId, teamId))
      : await tx
          .insert(estimationReaders)
          .values({ estimationId, teamId, shared: level })
          .onConflictDoUpdate({ target: HOLDING, set: { shared: level }, setWhere: ne(shared, level) });
  if (changed.rowCount === 0) return false;
  await relistFor(tx, [estimationId], teamId);
  return true;
}

/** Returns the teams that an estimation is shared with, in the order of their ids; also removed ones, until a job has run. */
export async function teamLevelsOf(
  db: Queryable,
  estimationId: string,
): Promise<{ readonly teamId: string; readonly level: TeamLevel }[]> {
  const rows = await db
    .select({ teamId: estimationReaders.teamId, level: shared })
    .from(estimationReaders)
    .where(and(eq(estimationReaders.estimationId, estimationId), isNotNull(estimationReaders.teamId)))
    .orderBy(estimationReaders.teamId);
  return rows as { teamId: string; level: TeamLevel }[];
}

/** Returns the number of teams that an estimation is shared with. */
export const countTeams = (db: Queryable, estimationId: string): Promise<number> =>
  db.$count(
    estimationReaders,
    and(eq(estimationReaders.estimationId, estimationId), isNotNull(estimationReaders.teamId)),
  );

/** SQL condition: the row is one of those through which a user may read the estimation. */
export const isReader = (userId: string): SQL => sql`${estimationReaders.holderId} = any(${holdersOf(userId)})`;

/** SQL condition: the user owns the estimation or has changed it, or it is shared with a team of the user. */
export const isWorkedOn: SQL | undefined = or(
  estimationReaders.owns,
  estimationReaders.hasChanged,
  isNotNull(estimationReaders.teamId),
);

/** An estimation that a user works on. */
interface WorkedOn {
  readonly id: string;
  /** It counts as the user's own work, because the user owns it, or it is shared with a team of the user. */
  readonly isOwn: boolean;
}

/**
 * Lists the newest estimations that a user works on, and whether there may be more than `most`. Of each holder it reads only
 * what is among the newest of all holders together: twice `most` rows, because an estimation has a row for its owner and one
 * for each team.
 */
export async function listWorkedOn(
  db: Queryable,
  userId: string,
  most: number,
): Promise<{ readonly newest: WorkedOn[]; readonly isCut: boolean }> {
  const { rows: found } = await db.execute<{ teams: string[] }>(sql`select ${teamsOf(userId)} as teams`);
  const { estimationId, holderId, owns } = estimationReaders;
  const range = (isOwn: SQL | typeof owns, condition: SQL | undefined) =>
    sql`(select ${estimationId} as id, ${isOwn} as is_own from ${estimationReaders} where ${condition} order by 1 desc)`;
  // Each is read in the order of the index, and of teams the index alone: all that they have counts.
  const ranges = [
    range(owns, and(eq(holderId, userId), isWorkedOn)),
    ...(found[0]?.teams ?? []).map((team) => range(sql`true`, eq(holderId, team))),
  ];
  const { rows } = await db.execute<WorkedOn & { rows: number } & Record<string, unknown>>(sql`
    select id, bool_or(is_own) as "isOwn", count(*)::int as rows
    from (select * from (${sql.join(ranges, sql` union all `)}) as held order by id desc limit ${2 * most + 1}) as newest
    group by id order by id desc`);
  const read = rows.reduce((sum, { rows: ofOne }) => sum + ofOne, 0);
  return { newest: rows.slice(0, most), isCut: rows.length > most || read > 2 * most };
}

/** Remembers that a user changed the content or the tasks of a locked estimation; for its owner there is nothing to remember. */
export async function noteChange(tx: Queryable, estimation: LockedEstimation, userId: string): Promise<void> {
  if (estimation.access === "owner") return;
  const changes = { hasChanged: true };
  await tx
    .update(estimationReaders)
    .set(changes)
    .where(and(isTheirs({ estimationId: estimation.id, userId }), not(estimationReaders.hasChanged)));
}

/** Gives a user access to locked estimations through accepted shares. */
export async function addShared(
  tx: Queryable,
  userId: string,
  accepted: readonly { readonly estimationId: string; readonly level: NonNullable<Sources["shared"]> }[],
): Promise<void> {
  if (accepted.length === 0) return;
  await tx
    .insert(estimationReaders)
    .values(accepted.map(({ estimationId, level }) => ({ estimationId, userId, shared: level })))
    .onConflictDoUpdate({
      target: HOLDING,
      set: { shared: sql`excluded.shared` },
    });
  await relistFor(
    tx,
    accepted.map(({ estimationId }) => estimationId),
    userId,
  );
}

/**
 * Returns a query of the ids of all users who may read the estimation, the members of teams included; of those who may only
 * review it, `reviewerId` alone.
 */
export function readersOf(estimationId: string, reviewerId = ""): SQL {
  const { userId, teamId, level } = estimationReaders;
  const isOf = eq(estimationReaders.estimationId, estimationId);
  return sql`select ${userId} from ${estimationReaders}
    where ${isOf} and ${isNotNull(userId)} and (${level} <> 'reviewer' or ${eq(userId, reviewerId)})
    union select ${teamMembers.userId} from ${estimationReaders}
    join ${teamMembers} on ${teamMembers.teamId} = ${teamId} where ${isOf}`;
}

/** How many estimations, the newest that the user may read, are searched for other readers. */
const ESTIMATIONS_LOOKED_AT = 2_000;
/** How many of their readers are looked at, in all, and how many members of the teams among these. */
const READERS_LOOKED_AT = 20_000;

/**
 * Returns a query of the ids of the users whom `userId` knows, including `userId`: who may read an estimation that `userId` may
 * read too, and who belongs to a team of `userId`. If there are very many, some are left out: the two limits above bound what
 * the query reads.
 */
export function fellowReadersOf(userId: string): SQL {
  const { estimationId, holderId } = estimationReaders;
  const newest = sql`select distinct id from unnest(${holdersOf(userId)}) as mine (holder_id) cross join lateral (
      select ${estimationId} as id from ${estimationReaders} where ${holderId} = mine.holder_id
      order by ${estimationId} desc limit ${ESTIMATIONS_LOOKED_AT}) as held
    order by id desc limit ${ESTIMATIONS_LOOKED_AT}`;
  // A deleted estimation is only in its owner's list of deleted ones, so it makes nobody a fellow reader.
  const readers = sql`select ${estimationListings.holderId} from ${estimationListings}
    where ${estimationListings.estimationId} = newest.id and ${estimationListings.tag} = ''
      and ${estimationListings.status} <> 'deleted' offset 0`;
  const members = sql`select ${teamMembers.userId} from ${teamMembers}`;
  return sql`select ${userId} union (
    with holders as materialized (
      select distinct holder_id from (
        select holder_id from (${newest}) as newest cross join lateral (${readers}) as readers
        limit ${READERS_LOOKED_AT}) as looked)
    select holder_id from holders where starts_with(holder_id, ${`${idPrefixes.user}_`})
    union (${members} join holders on holder_id = ${teamMembers.teamId} limit ${READERS_LOOKED_AT})
    union ${members} where ${teamMembers.teamId} = any(${holdersOf(userId)}))`;
}
