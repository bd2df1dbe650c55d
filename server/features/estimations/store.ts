import { and, eq, isNull, sql } from "drizzle-orm";
import type { Queryable } from "../../db/database.ts";
import { fail } from "../../http/failure.ts";
import { checkRevision, type Revisions } from "../../http/revisions.ts";
import { estimations } from "./tables.ts";

export type EstimationRow = typeof estimations.$inferSelect;

/** The estimation `id` as `userId` may read it. Refuses (404) what does not exist or is not theirs. */
export async function findEstimation(db: Queryable, id: string, userId: string): Promise<EstimationRow> {
  const [row] = await db.select().from(estimations).where(readable(id, userId));
  return row ?? fail("not_found");
}

/**
 * The same, locked until the transaction ends, for a change: changes of one estimation happen one after the other.
 * Refuses (412) a stale `If-Match`.
 */
export async function lockEstimation(
  tx: Queryable,
  id: string,
  userId: string,
  ifMatch: Revisions | null = null,
): Promise<EstimationRow> {
  const [row] = await tx.select().from(estimations).where(readable(id, userId)).for("update");
  if (!row) fail("not_found");
  checkRevision(ifMatch, row.revision);
  return row;
}

export async function insertEstimation(tx: Queryable, row: typeof estimations.$inferInsert): Promise<EstimationRow> {
  const [inserted] = await tx.insert(estimations).values(row).returning();
  return inserted as EstimationRow;
}

/** Stores `changes` as the next revision of a locked estimation. */
export async function updateEstimation(
  tx: Queryable,
  id: string,
  changes: Partial<typeof estimations.$inferInsert>,
  now: Date,
): Promise<EstimationRow> {
  const [row] = await tx
    .update(estimations)
    .set({ ...changes, revision: sql`${estimations.revision} + 1`, updatedAt: now })
    .where(eq(estimations.id, id))
    .returning();
  return row as EstimationRow;
}

/** Users who may read the estimation: those whose webhooks hear of it. */
export const readersOf = (row: EstimationRow): string[] => [row.ownerId];

/** The condition of every look-up by id: it exists and `userId` may read it. */
export const readable = (id: string, userId: string) =>
  and(eq(estimations.id, id), eq(estimations.ownerId, userId), isNull(estimations.deletedAt));
