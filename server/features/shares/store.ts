import { and, count, desc, eq, getTableColumns, gte, isNotNull, isNull, lt, or, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Queryable } from "../../db/database.ts";
import { countsAsVerified, users } from "../auth/index.ts";
import { estimations } from "../estimations/index.ts";
import { shares } from "./tables.ts";

/** A share with the names that are shown with it. */
export type ShareRow = typeof shares.$inferSelect & {
  readonly estimationTitle: string;
  readonly sharerName: string;
  readonly userName: string | null;
};

const sharers = alias(users, "sharers");

const isOf = (estimationId: string, shareId: string) =>
  and(eq(shares.estimationId, estimationId), eq(shares.id, shareId));

/** Shares of estimations that are not deleted, newest first. */
const selectShares = (db: Queryable, ...conditions: (SQL | undefined)[]) =>
  db
    .select({
      ...getTableColumns(shares),
      estimationTitle: estimations.title,
      sharerName: sharers.name,
      userName: users.name,
    })
    .from(shares)
    .innerJoin(estimations, and(eq(estimations.id, shares.estimationId), isNull(estimations.deletedAt)))
    .innerJoin(sharers, eq(sharers.id, shares.sharerId))
    .leftJoin(users, eq(users.id, shares.userId))
    .where(and(...conditions))
    .orderBy(desc(shares.id));

export async function findShare(db: Queryable, shareId: string): Promise<ShareRow | undefined> {
  const [row] = await selectShares(db, eq(shares.id, shareId));
  return row;
}

/** Reads the share of an estimation with an address. */
export async function findShareWith(db: Queryable, estimationId: string, email: string): Promise<ShareRow | undefined> {
  const [row] = await selectShares(db, eq(shares.estimationId, estimationId), eq(shares.email, email));
  return row;
}

/** Reads the accepted share of an estimation that gives a user the right to edit. */
export async function findEditor(db: Queryable, estimationId: string, userId: string): Promise<ShareRow | undefined> {
  const isTheirs = and(eq(shares.userId, userId), eq(shares.permission, "edit"));
  const [row] = await selectShares(db, eq(shares.estimationId, estimationId), isTheirs);
  return row;
}

const before = (afterId: string | null) => (afterId === null ? undefined : lt(shares.id, afterId));

/** Reads at most `limit` shares of an estimation, newest first, after `afterId` if given. */
export const listShares = (
  db: Queryable,
  estimationId: string,
  limit: number,
  afterId: string | null,
): Promise<ShareRow[]> => selectShares(db, eq(shares.estimationId, estimationId), before(afterId)).limit(limit);

/** The same of the shares with an address, but for those that were last sent before `since` and not accepted. */
export const listSharesWith = (
  db: Queryable,
  { email, since }: { readonly email: string; readonly since: Date },
  limit: number,
  afterId: string | null,
): Promise<ShareRow[]> =>
  selectShares(
    db,
    eq(shares.email, email),
    or(isNotNull(shares.userId), gte(shares.sentAt, since)),
    before(afterId),
  ).limit(limit);

/**
 * Returns whether a share is the user's own: accepted by the user, or pending and for the user's address, which has to count
 * as verified. Null: there is no such share.
 */
export async function findWhose(
  db: Queryable,
  config: Parameters<typeof countsAsVerified>[1],
  { shareId, userId }: { readonly shareId: string; readonly userId: string },
): Promise<{ estimationId: string; isTheirs: boolean } | null> {
  const { estimationId, email, userId: accepterId } = shares;
  const [row] = await db
    .select({ estimationId, email, accepterId, caller: users })
    .from(shares)
    .leftJoin(users, eq(users.id, userId))
    .where(eq(shares.id, shareId));
  if (!row) return null;
  const isInvited = row.caller?.email === row.email && countsAsVerified(row.caller, config);
  return { estimationId: row.estimationId, isTheirs: row.accepterId === null ? isInvited : row.accepterId === userId };
}

export async function countShares(db: Queryable, estimationId: string): Promise<number> {
  const [row] = await db.select({ shares: count() }).from(shares).where(eq(shares.estimationId, estimationId));
  return row?.shares ?? 0;
}

/** Stores a new share. The estimation, which has to be locked, has none with the same address or person. */
export async function insertShare(tx: Queryable, share: typeof shares.$inferInsert): Promise<void> {
  await tx.insert(shares).values(share);
}

export async function updateShare(
  tx: Queryable,
  shareId: string,
  changes: Partial<Pick<ShareRow, "permission" | "sharerId" | "sentAt">>,
): Promise<void> {
  await tx.update(shares).set(changes).where(eq(shares.id, shareId));
}

/** Removes the accepted share of a user of a locked estimation, if there is one. */
export async function takeShareOf(tx: Queryable, estimationId: string, userId: string): Promise<void> {
  await tx.delete(shares).where(and(eq(shares.estimationId, estimationId), eq(shares.userId, userId)));
}

export async function removeShare(tx: Queryable, estimationId: string, shareId: string): Promise<void> {
  await tx.delete(shares).where(isOf(estimationId, shareId));
}
