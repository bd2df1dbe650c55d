import { eq, sql } from "drizzle-orm";
import type { Queryable } from "../../db/database.ts";
import { addToLists, listAsDeleted, relist, withTouchedLists } from "./listing-store.ts";
import { OWNER, type ReadableEstimation } from "./look-up-store.ts";
import { estimationReaders, estimations } from "./tables.ts";

export type EstimationRow = typeof estimations.$inferSelect;

type Changes = Partial<typeof estimations.$inferInsert>;

/** Marks a new estimation as an example. */
export async function markExample(tx: Queryable, id: string): Promise<void> {
  await tx.update(estimations).set({ isExample: true }).where(eq(estimations.id, id));
}

/** The fields that lists filter by. A change to any other field changes only the time of update in the lists. */
const FILTERED_BY = [
  "title",
  "clientName",
  "tags",
  "status",
  "ownerId",
  "deletedAt",
] as const satisfies (keyof Changes)[];

/** Stores a new estimation, whose only reader is its owner. */
export async function insertEstimation(
  tx: Queryable,
  row: typeof estimations.$inferInsert,
): Promise<ReadableEstimation> {
  const [inserted] = await tx.insert(estimations).values(row).returning();
  await tx.insert(estimationReaders).values({ estimationId: row.id, userId: row.ownerId, owns: true });
  await addToLists(tx, row.id);
  return { ...(inserted as EstimationRow), ...OWNER };
}

/** Stores `changes` as the next revision of a locked estimation, and returns it with the other fields of `row`. */
export async function updateEstimation<R extends EstimationRow>(
  tx: Queryable,
  row: R,
  changes: Changes,
  now: Date,
): Promise<R> {
  const isListedAnew = FILTERED_BY.some((name) => name in changes);
  const [updated] = await (isListedAnew ? tx : withTouchedLists(tx, row.id, now))
    .update(estimations)
    .set({ ...changes, revision: sql`${estimations.revision} + 1`, updatedAt: now })
    .where(eq(estimations.id, row.id))
    .returning();
  if (updated?.deletedAt) await listAsDeleted(tx, row.id);
  else if (isListedAnew) await relist(tx, row.id);
  return { ...row, ...(updated as EstimationRow) };
}

/** Gives a locked estimation to another owner; the caller changes its readers and the usage of both. */
export const setOwner = <R extends EstimationRow>(tx: Queryable, row: R, ownerId: string, now: Date): Promise<R> =>
  updateEstimation(tx, row, { ownerId }, now);
