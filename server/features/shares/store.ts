import {
  and,
  count,
  desc,
  eq,
  getTableColumns,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Queryable } from "../../db/database.ts";
import { countsAsVerified, users } from "../auth/index.ts";
import { estimations } from "../estimations/index.ts";
import { teams } from "../teams/index.ts";
import { shares } from "./tables.ts";

/** A share with the names that are shown with it. */
export type ShareRow = typeof shares.$inferSelect & {
  readonly estimationTitle: string;
  readonly sharerName: string;
  readonly userName: string | null;
  readonly teamName: string | null;
};

const sharers = alias(users, "sharers");

const isOf = (estimationId: string, shareId: string) =>
  and(eq(shares.estimationId, estimationId), eq(shares.id, shareId));

/** Shares of estimations that are not deleted, but for those with deleted teams, newest first. */
const selectShares = (db: Queryable, ...conditions: (SQL | undefined)[]) =>
  db
    .select({
      ...getTableColumns(shares),
      estimationTitle: estimations.title,
      sharerName: sharers.name,
      userName: users.name,
      teamName: teams.name,
    })
    .from(shares)
    .innerJoin(estimations, and(eq(estimations.id, shares.estimationId), isNull(estimations.deletedAt)))
    .innerJoin(sharers, eq(sharers.id, shares.sharerId))
    .leftJoin(users, eq(users.id, shares.userId))
    .leftJoin(teams, eq(teams.id, shares.teamId))
    .where(and(isNull(teams.endedAt), ...conditions))
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

/** Reads the share of an estimation with a team. */
export async function findShareWithTeam(
  db: Queryable,
  estimationId: string,
  teamId: string,
): Promise<ShareRow | undefined> {
  const [row] = await selectShares(db, eq(shares.estimationId, estimationId), eq(shares.teamId, teamId));
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

/** The same of the shares with a team. */
export const listSharesOfTeam = (
  db: Queryable,
  teamId: string,
  limit: number,
  afterId: string | null,
): Promise<ShareRow[]> => selectShares(db, eq(shares.teamId, teamId), before(afterId)).limit(limit);

/** Which shares with an address: those that are accepted, those that were last sent since `since` and are not; by default both. */
interface SharesWith {
  readonly email: string;
  readonly since: Date;
  readonly status?: readonly ("pending" | "accepted")[] | undefined;
}

/** The same of the shares with an address. */
export function listSharesWith(
  db: Queryable,
  { email, since, status = ["pending", "accepted"] }: SharesWith,
  limit: number,
  afterId: string | null,
): Promise<ShareRow[]> {
  const conditions = {
    accepted: isNotNull(shares.userId),
    pending: and(isNull(shares.userId), gte(shares.sentAt, since)),
  };
  const isAny = or(...status.map((each) => conditions[each]));
  return selectShares(db, eq(shares.email, email), isAny, before(afterId)).limit(limit);
}

/** Returns how many of them are still to be accepted, counted up to `most`. */
export async function countSharesWith(
  db: Queryable,
  { email, since }: { readonly email: string; readonly since: Date },
  most: number,
): Promise<number> {
  const found = db
    .select({ id: shares.id })
    .from(shares)
    .innerJoin(estimations, and(eq(estimations.id, shares.estimationId), isNull(estimations.deletedAt)))
    .where(and(eq(shares.email, email), isNull(shares.userId), gte(shares.sentAt, since)))
    .limit(most)
    .as("found");
  const [row] = await db.select({ shares: count() }).from(found);
  return row?.shares ?? 0;
}

/** What decides who may end a share. */
export interface Whose {
  readonly estimationId: string;
  readonly teamId: string | null;
  /** Whether it is accepted by the user, or pending and for the user's address, which has to count as verified. */
  readonly isTheirs: boolean;
}

/** Returns whose a share is; null: there is none. */
export async function findWhose(
  db: Queryable,
  config: Parameters<typeof countsAsVerified>[1],
  { shareId, userId }: { readonly shareId: string; readonly userId: string },
): Promise<Whose | null> {
  const { estimationId, email, teamId, userId: accepterId } = shares;
  const [row] = await db
    .select({ estimationId, email, teamId, accepterId, caller: users })
    .from(shares)
    .leftJoin(users, eq(users.id, userId))
    .where(eq(shares.id, shareId));
  if (!row) return null;
  const isInvited = row.caller !== null && row.caller.email === row.email && countsAsVerified(row.caller, config);
  const isTheirs = row.accepterId === null ? isInvited : row.accepterId === userId;
  return { estimationId: row.estimationId, teamId: row.teamId, isTheirs };
}

export async function countShares(db: Queryable, estimationId: string): Promise<number> {
  const [row] = await db.select({ shares: count() }).from(shares).where(eq(shares.estimationId, estimationId));
  return row?.shares ?? 0;
}

/** Stores a new share. The estimation, which has to be locked, has none with the same address or person. */
export async function insertShare(tx: Queryable, share: typeof shares.$inferInsert): Promise<void> {
  await tx.insert(shares).values(share);
}

/** Marks a share as accepted by a user who was not asked before. */
export async function markAcceptedBy(tx: Queryable, shareId: string, userId: string, now: Date): Promise<void> {
  await tx.update(shares).set({ userId, acceptedAt: now }).where(eq(shares.id, shareId));
}

export async function updateShare(
  tx: Queryable,
  shareId: string,
  changes: Partial<Pick<ShareRow, "permission" | "sharerId" | "sentAt" | "undeliveredAt">>,
): Promise<void> {
  await tx.update(shares).set(changes).where(eq(shares.id, shareId));
}

/** Stores of the invitations to an address when the mail server refused a mail to it for good; null: it takes them. */
export async function setSharesUndelivered(db: Queryable, email: string, at: Date | null): Promise<void> {
  const isChange = at === null ? isNotNull(shares.undeliveredAt) : undefined;
  await db
    .update(shares)
    .set({ undeliveredAt: at })
    .where(and(eq(shares.email, email), isNull(shares.userId), isChange));
}

/** Removes the share of a locked estimation with a user, or with their address that they have not accepted. */
export async function takeShareOf(tx: Queryable, estimationId: string, userId: string): Promise<void> {
  const address = tx.select({ email: users.email }).from(users).where(eq(users.id, userId));
  const isTheirs = or(eq(shares.userId, userId), inArray(shares.email, address));
  await tx.delete(shares).where(and(eq(shares.estimationId, estimationId), isTheirs));
}

export async function removeShare(tx: Queryable, estimationId: string, shareId: string): Promise<void> {
  await tx.delete(shares).where(isOf(estimationId, shareId));
}

/** Removes up to `rows` shares with deleted teams, which nobody sees any more; returns how many. */
export async function removeSharesWithEnded(db: Queryable, rows: number): Promise<number> {
  const some = sql`select ${shares.id} from ${shares} join ${teams} on ${teams.id} = ${shares.teamId}
    where ${teams.endedAt} is not null limit ${rows}`;
  return (await db.delete(shares).where(sql`${shares.id} = any(array(${some}))`)).rowCount ?? 0;
}

/** Removes up to `rows` deleted teams that nothing is shared with any more; returns how many. */
export async function removeEndedTeams(db: Queryable, rows: number): Promise<number> {
  const some = sql`select ${teams.id} from ${teams} where ${teams.endedAt} is not null
    and not exists (select from ${shares} where ${shares.teamId} = ${teams.id}) limit ${rows}`;
  return (await db.delete(teams).where(sql`${teams.id} = any(array(${some}))`)).rowCount ?? 0;
}
