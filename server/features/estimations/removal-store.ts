import { and, asc, eq, isNotNull, lt, type SQL, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { Database, Queryable } from "../../db/database.ts";
import type { Removal } from "../../jobs/removals.ts";
import { estimationReaders, estimations, removedTreeIds, reviewedContents } from "./tables.ts";
import { removeTimeline } from "./timeline-store.ts";
import { removeTree } from "./usage-store.ts";

/** Removes up to `rows` of the rows that belong to an estimation, and returns how many were removed. */
export type RemovePart = (tx: Queryable, estimationId: string, rows: number) => Promise<number>;

/** A tree can take megabytes, so only few are removed in one transaction. */
const MOST_ESTIMATIONS = 20;

/** Removes up to `rows` rows of `table` that match `condition`, which needs an index. */
export async function removeRows(tx: Queryable, table: PgTable, condition: SQL, rows: number): Promise<number> {
  const some = sql`select ctid from ${table} where ${condition} limit ${rows}`;
  return (await tx.execute(sql`delete from ${table} where ctid = any (array(${some}))`)).rowCount ?? 0;
}

/**
 * The first step of a removal. Nobody finds the estimation afterwards, so it cannot be restored after a part of it has been
 * removed, even through a process whose clock is behind.
 */
const removeOwner: RemovePart = (tx, id, rows) => {
  const isOwner = sql`${eq(estimationReaders.estimationId, id)} and ${estimationReaders.owns}`;
  return removeRows(tx, estimationReaders, isOwner, rows);
};

const ownParts: readonly RemovePart[] = [
  (tx, id, rows) => removeRows(tx, reviewedContents, eq(reviewedContents.estimationId, id), rows),
  (tx, id, rows) => removeRows(tx, removedTreeIds, eq(removedTreeIds.estimationId, id), rows),
  (tx, id, rows) => removeRows(tx, estimationReaders, eq(estimationReaders.estimationId, id), rows),
  (tx, id) => removeTree(tx, id),
  removeTimeline,
];

/**
 * Removes estimations that were deleted before `time`, the longest deleted first, with everything that belongs to them:
 * `parts` name what other features store. One transaction removes at most about as many rows as requested; the next one
 * removes the rest of an estimation.
 */
export const removeDeleted =
  (pool: Database, time: Date, parts: readonly RemovePart[]): Removal =>
  (rows) =>
    pool.transaction(async (tx) => {
      let left = rows;
      const oldest = await lockOldest(tx, time);
      // Locks the owners' usage in the order of their ids, as a transfer does, to avoid deadlocks.
      for (const { id } of oldest.sort((a, b) => (a.ownerId < b.ownerId ? -1 : 1))) {
        for (const remove of [removeOwner, ...parts, ...ownParts]) {
          if (left > 0) left -= await remove(tx, id, left);
        }
        if (left <= 0) return true;
        await tx.delete(estimations).where(eq(estimations.id, id));
        left -= 1;
      }
      return oldest.length === MOST_ESTIMATIONS;
    });

function lockOldest(tx: Queryable, time: Date): Promise<{ id: string; ownerId: string }[]> {
  return tx
    .select({ id: estimations.id, ownerId: estimations.ownerId })
    .from(estimations)
    .where(and(isNotNull(estimations.deletedAt), lt(estimations.deletedAt, time)))
    .orderBy(asc(estimations.deletedAt))
    .limit(MOST_ESTIMATIONS)
    .for("update", { skipLocked: true });
}
