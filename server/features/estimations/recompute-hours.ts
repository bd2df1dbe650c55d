import { and, asc, eq, lt } from "drizzle-orm";
import { ROLL_UP_VERSION, summaryHours } from "../../../domain/tree/roll-up.ts";
import type { Queryable } from "../../db/database.ts";
import { updateEstimation } from "./store.ts";
import { estimations } from "./tables.ts";
import { hoursColumns, loadTree } from "./tree-store.ts";

/** Ids read in one query. */
const BATCH = 100;

/**
 * Computes stored hours of older roll-up versions again, including those of deleted estimations, and returns for how
 * many estimations. Each estimation has its own transaction, which also marks it as done: a run that ends early,
 * because `signal` aborts or the process dies, loses nothing, and the next one continues. An estimation gets a new
 * revision only if its hours change; `updatedAt` stays, because nobody edited it.
 */
export async function recomputeHours(db: Queryable, signal: AbortSignal, batch = BATCH): Promise<number> {
  let done = 0;
  for (;;) {
    const found = await findOutdated(db, batch);
    for (const { id } of found) {
      if (signal.aborted) return done;
      if (await db.transaction((tx) => recomputeOne(tx, id))) done += 1;
    }
    if (found.length < batch) return done;
  }
}

/** Reads the next ones to do, in the order of the index `estimations_by_roll_up_version`. */
function findOutdated(db: Queryable, batch: number): Promise<{ id: string }[]> {
  return db
    .select({ id: estimations.id })
    .from(estimations)
    .where(lt(estimations.rollUpVersion, ROLL_UP_VERSION))
    .orderBy(asc(estimations.rollUpVersion), asc(estimations.id))
    .limit(batch);
}

/** Returns whether the hours had to be computed: an edit may have done it first. */
async function recomputeOne(tx: Queryable, id: string): Promise<boolean> {
  const [row] = await tx
    .select()
    .from(estimations)
    .where(and(eq(estimations.id, id), lt(estimations.rollUpVersion, ROLL_UP_VERSION)))
    .for("update");
  if (!row) return false;
  const hours = hoursColumns(summaryHours(await loadTree(tx, id), row));
  const { rollUpVersion: _, ...figures } = hours;
  const isSame = Object.entries(figures).every(([name, value]) => row[name as keyof typeof figures] === value);
  if (isSame) await tx.update(estimations).set({ rollUpVersion: ROLL_UP_VERSION }).where(eq(estimations.id, id));
  else await updateEstimation(tx, row, hours, row.updatedAt);
  return true;
}
