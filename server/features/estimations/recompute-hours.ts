import { and, asc, eq, lt } from "drizzle-orm";
import { ROLL_UP_VERSION, totalFigures } from "../../../domain/tree/roll-up.ts";
import type { Queryable } from "../../db/database.ts";
import { estimations } from "./tables.ts";
import { hoursColumns, loadTree } from "./tree-store.ts";

/** Ids read in one query. */
const BATCH = 100;

/** Where hours are stored: how to find some that an older version of the roll-up computed, and how to compute one anew. */
export interface StoredHours {
  /** Returns the next ids to do, at most `limit`, in the order of an index. */
  findOutdated(db: Queryable, limit: number): Promise<{ id: string }[]>;
  /** Computes and marks one in a transaction. Returns false where somebody else did it meanwhile. */
  recompute(tx: Queryable, id: string): Promise<boolean>;
}

/**
 * Computes stored hours of older roll-up versions again and returns how many. Each has its own transaction, which also
 * marks it as done: a run that ends early, because `signal` aborts or the process dies, loses nothing, and the next one
 * continues.
 */
export async function recomputeStored(
  db: Queryable,
  stored: StoredHours,
  signal: AbortSignal,
  batch = BATCH,
): Promise<number> {
  let done = 0;
  for (;;) {
    const found = await stored.findOutdated(db, batch);
    for (const { id } of found) {
      if (signal.aborted) return done;
      if (await db.transaction((tx) => stored.recompute(tx, id))) done += 1;
    }
    if (found.length < batch) return done;
  }
}

/** The hours of estimations, deleted ones included. `revision` and `updatedAt` stay, because nobody edited them. */
const ofEstimations: StoredHours = {
  findOutdated: (db, limit) =>
    db
      .select({ id: estimations.id })
      .from(estimations)
      .where(lt(estimations.rollUpVersion, ROLL_UP_VERSION))
      .orderBy(asc(estimations.rollUpVersion), asc(estimations.id))
      .limit(limit),
  async recompute(tx, id) {
    const [row] = await tx
      .select()
      .from(estimations)
      .where(and(eq(estimations.id, id), lt(estimations.rollUpVersion, ROLL_UP_VERSION)))
      .for("update");
    if (!row) return false;
    const hours = hoursColumns(totalFigures(await loadTree(tx, id), row));
    await tx.update(estimations).set(hours).where(eq(estimations.id, id));
    return true;
  },
};

/** `recomputeStored` for the hours of estimations. */
export const recomputeHours = (db: Queryable, signal: AbortSignal, batch = BATCH): Promise<number> =>
  recomputeStored(db, ofEstimations, signal, batch);
