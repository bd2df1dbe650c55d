import { and, eq, isNull, not, or, type SQL, sql } from "drizzle-orm";
import type { Queryable } from "../../db/database.ts";
import { relistFor } from "./listing-store.ts";
import type { LockedEstimation } from "./look-up-store.ts";
import { estimationListings, estimationReaders } from "./tables.ts";

type ReaderRow = typeof estimationReaders.$inferSelect;

/** A user with or without access to an estimation. */
type Reader = Pick<ReaderRow, "estimationId" | "userId">;

/** The sources of access. Each is set by one part of the product and does not depend on the others. */
type Sources = Pick<ReaderRow, "owns" | "shared" | "reviews">;
type Changes = Partial<Sources & Pick<ReaderRow, "hasChanged">>;

const { owns, shared, reviews } = estimationReaders;
const GIVES_NOTHING: Readonly<Record<keyof Sources, SQL>> = {
  owns: not(owns),
  shared: isNull(shared),
  reviews: not(reviews),
};

const isTheirs = ({ estimationId, userId }: Reader): SQL | undefined =>
  and(eq(estimationReaders.estimationId, estimationId), eq(estimationReaders.userId, userId));

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
      .onConflictDoUpdate({ target: [estimationReaders.estimationId, estimationReaders.userId], set: changes });
  } else {
    const others = (Object.keys(GIVES_NOTHING) as (keyof Sources)[]).filter((name) => !(name in changes));
    const hasNoOther = and(isTheirs(reader), ...others.map((name) => GIVES_NOTHING[name]));
    const removed = await tx.delete(estimationReaders).where(hasNoOther);
    if (removed.rowCount === 0) await tx.update(estimationReaders).set(changes).where(isTheirs(reader));
  }
  await relistFor(tx, [estimationId], userId);
}

/** SQL condition: the user owns the estimation, or has changed it. */
export const isWorkedOn: SQL | undefined = or(estimationReaders.owns, estimationReaders.hasChanged);

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
      target: [estimationReaders.estimationId, estimationReaders.userId],
      set: { shared: sql`excluded.shared` },
    });
  await relistFor(
    tx,
    accepted.map(({ estimationId }) => estimationId),
    userId,
  );
}

/** Returns a query of the ids of all users who may read the estimation; of those who may only review it, `reviewerId` alone. */
export function readersOf(estimationId: string, reviewerId = ""): SQL {
  const { userId, level } = estimationReaders;
  return sql`select ${userId} from ${estimationReaders} where ${eq(estimationReaders.estimationId, estimationId)}
    and (${level} <> 'reviewer' or ${eq(userId, reviewerId)})`;
}

/** How many estimations, the newest that the user may read, are searched for other readers. */
const ESTIMATIONS_LOOKED_AT = 2_000;
/** How many of their readers are looked at, in all. */
const READERS_LOOKED_AT = 20_000;

/**
 * Returns a query of the ids of the users who may read an estimation that `userId` may read too, including `userId`. If there
 * are very many, some are left out: the two limits above bound what the query reads.
 */
export function fellowReadersOf(userId: string): SQL {
  const { estimationId, userId: reader } = estimationReaders;
  const newest = sql`select ${estimationId} as id from ${estimationReaders} where ${eq(reader, userId)}
    order by ${estimationId} desc limit ${ESTIMATIONS_LOOKED_AT}`;
  // A deleted estimation is only in its owner's list of deleted ones, so it makes nobody a fellow reader.
  const readers = sql`select ${estimationListings.userId} from ${estimationListings}
    where ${estimationListings.estimationId} = newest.id and ${estimationListings.tag} = ''
      and ${estimationListings.status} <> 'deleted' offset 0`;
  return sql`select ${userId} union select user_id from (
    select user_id from (${newest}) as newest cross join lateral (${readers}) as readers
    limit ${READERS_LOOKED_AT}) as fellows`;
}
