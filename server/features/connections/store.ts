import { and, count, desc, eq, lt, lte } from "drizzle-orm";
import {
  type DroppedResolution,
  droppedAtGithub,
  droppedAtJira,
  type Resolution,
  withIds,
} from "../../../domain/exports/dropped.ts";
import type { Queryable } from "../../db/database.ts";
import { fail } from "../../http/failure.ts";
import { users } from "../auth/index.ts";
import { connections } from "./tables.ts";

export type ConnectionRow = typeof connections.$inferSelect;

const own = (userId: string, id: string) => and(eq(connections.userId, userId), eq(connections.id, id));

/** Counts the connections of a user. Until the transaction ends, no other transaction counts for the same user. */
export async function countConnections(tx: Queryable, userId: string): Promise<number> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for("no key update");
  const [row] = await tx.select({ count: count() }).from(connections).where(eq(connections.userId, userId));
  return row?.count ?? 0;
}

export async function insertConnection(
  tx: Queryable,
  connection: typeof connections.$inferInsert,
): Promise<ConnectionRow> {
  const [row] = await tx.insert(connections).values(connection).returning();
  return row as ConnectionRow;
}

/** Reads at most `limit` connections of a user, newest first, after `afterId` if given. */
export function listConnections(
  db: Queryable,
  userId: string,
  limit: number,
  afterId: string | null,
): Promise<ConnectionRow[]> {
  const after = afterId === null ? undefined : lt(connections.id, afterId);
  return db
    .select()
    .from(connections)
    .where(and(eq(connections.userId, userId), after))
    .orderBy(desc(connections.id))
    .limit(limit);
}

/** Reads a connection of the user. Refuses (404) if there is none. */
export async function ownConnection(db: Queryable, userId: string, id: string): Promise<ConnectionRow> {
  return (await findConnection(db, userId, id)) ?? fail("not_found");
}

/** Reads a connection of the user and locks it until the transaction ends. Refuses (404) if there is none. */
export async function lockConnection(tx: Queryable, userId: string, id: string): Promise<ConnectionRow> {
  const [row] = await tx.select().from(connections).where(own(userId, id)).for("update");
  return row ?? fail("not_found");
}

export async function updateConnection(
  tx: Queryable,
  id: string,
  changes: Partial<Omit<ConnectionRow, "id" | "userId" | "target" | "createdAt">>,
): Promise<ConnectionRow> {
  const [row] = await tx.update(connections).set(changes).where(eq(connections.id, id)).returning();
  return row ?? fail("not_found");
}

/** Deletes a connection of the user with its token; returns undefined if there is none. */
export async function deleteConnection(tx: Queryable, userId: string, id: string): Promise<ConnectionRow | undefined> {
  const [row] = await tx.delete(connections).where(own(userId, id)).returning();
  return row;
}

/** Deletes all connections of a user that were made at `before` or earlier; returns them. */
export function deleteConnectionsBefore(
  tx: Queryable,
  userId: string,
  before: Date,
): Promise<Pick<ConnectionRow, "id">[]> {
  return tx
    .delete(connections)
    .where(and(eq(connections.userId, userId), lte(connections.createdAt, before)))
    .returning({ id: connections.id });
}

/** Reads a connection of the user; undefined if there is none. */
export async function findConnection(db: Queryable, userId: string, id: string): Promise<ConnectionRow | undefined> {
  const [row] = await db.select().from(connections).where(own(userId, id));
  return row;
}

/** Returns the resolutions of a connection's tracker that mean that work was not done. */
export const droppedOf = ({
  target,
  droppedResolutions,
}: Pick<ConnectionRow, "target" | "droppedResolutions">): readonly DroppedResolution[] =>
  target === "github" ? droppedAtGithub : (droppedResolutions ?? droppedAtJira);

/** The same for issues that were closed as `seen`; a connection to Jira remembers the ids of those that it names. */
export async function learnDropped(
  tx: Queryable,
  { connectionId, target }: { readonly connectionId: string; readonly target: ConnectionRow["target"] },
  seen: readonly Resolution[],
): Promise<readonly DroppedResolution[]> {
  if (target === "github" || seen.length === 0) return droppedOf({ target, droppedResolutions: null });
  const { droppedResolutions } = connections;
  const isIt = eq(connections.id, connectionId);
  const [row] = await tx.select({ droppedResolutions }).from(connections).where(isIt).for("update");
  const known = droppedOf({ target, droppedResolutions: row?.droppedResolutions ?? null });
  const learned = withIds(known, seen);
  if (learned !== known) await tx.update(connections).set({ droppedResolutions: learned }).where(isIt);
  return learned;
}

/** Records that the tracker refused the token, unless it was replaced since `sentAt`. */
export async function noteTokenRejected(tx: Queryable, id: string, sentAt: Date, now: Date): Promise<void> {
  await tx
    .update(connections)
    .set({ tokenRejectedAt: now })
    .where(and(eq(connections.id, id), lte(connections.tokenSetAt, sentAt)));
}
