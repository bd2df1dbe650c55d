import { eq, sql } from "drizzle-orm";
import type { Queryable } from "../../db/database.ts";
import type { ReadableEstimation } from "./look-up-store.ts";
import { addReader } from "./reader-store.ts";
import { estimations } from "./tables.ts";

export type EstimationRow = typeof estimations.$inferSelect;

/** Stores a new estimation with its owner as the first reader. */
export async function insertEstimation(
  tx: Queryable,
  row: typeof estimations.$inferInsert,
): Promise<ReadableEstimation> {
  const [inserted] = await tx.insert(estimations).values(row).returning();
  const access = "owner";
  await addReader(tx, { estimationId: row.id, userId: row.ownerId, level: access });
  return { ...(inserted as EstimationRow), access };
}

/** Stores `changes` as the next revision of a locked estimation, and returns it with the other fields of `row`. */
export async function updateEstimation<R extends EstimationRow>(
  tx: Queryable,
  row: R,
  changes: Partial<typeof estimations.$inferInsert>,
  now: Date,
): Promise<R> {
  const [updated] = await tx
    .update(estimations)
    .set({ ...changes, revision: sql`${estimations.revision} + 1`, updatedAt: now })
    .where(eq(estimations.id, row.id))
    .returning();
  return { ...row, ...(updated as EstimationRow) };
}
