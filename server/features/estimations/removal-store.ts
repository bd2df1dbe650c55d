import { and, asc, inArray, isNotNull, lt, type SQL, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { Database, Queryable } from "../../db/database.ts";
import type { Removal } from "../../jobs/removals.ts";
import { estimations } from "./tables.ts";
import { freeUsage } from "./usage-store.ts";

/** Forgets what is stored about estimations where no foreign key reaches it, before they are removed for good. */
export type Forget = (tx: Queryable, estimationIds: readonly string[]) => Promise<void>;

/** An estimation can have megabytes of trees and many thousands of rows, so only few are removed in one transaction. */
const MOST_ESTIMATIONS = 10;

/** Removes up to `rows` rows of `table` that match `condition`, which needs an index. */
export async function removeRows(tx: Queryable, table: PgTable, condition: SQL, rows: number): Promise<number> {
  const some = sql`select ctid from ${table} where ${condition} limit ${rows}`;
  return (await tx.execute(sql`delete from ${table} where ctid = any (array(${some}))`)).rowCount ?? 0;
}

/**
 * Removes estimations that were deleted before `time`, the longest deleted first, a few in a transaction. What refers to
 * them goes with them (`on delete cascade`); `forget` removes the rest.
 */
export const removeDeleted =
  (pool: Database, time: Date, forget: readonly Forget[]): Removal =>
  () =>
    pool.transaction(async (tx) => {
      const ids = await lockOldest(tx, time);
      if (ids.length === 0) return false;
      await removeForGood(tx, ids, forget);
      return ids.length === MOST_ESTIMATIONS;
    });

/** Removes locked estimations with all that refers to them. */
export async function removeForGood(tx: Queryable, ids: readonly string[], forget: readonly Forget[]): Promise<void> {
  await freeUsage(tx, ids);
  for (const each of forget) await each(tx, ids);
  await tx.delete(estimations).where(inArray(estimations.id, [...ids]));
}

async function lockOldest(tx: Queryable, time: Date): Promise<string[]> {
  const oldest = await tx
    .select({ id: estimations.id })
    .from(estimations)
    .where(and(isNotNull(estimations.deletedAt), lt(estimations.deletedAt, time)))
    .orderBy(asc(estimations.deletedAt))
    .limit(MOST_ESTIMATIONS)
    .for("update", { skipLocked: true });
  return oldest.map(({ id }) => id);
}
