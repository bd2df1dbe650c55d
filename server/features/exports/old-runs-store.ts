import { and, eq, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import { limits } from "../../../contract/limits.ts";
import type { Queryable } from "../../db/database.ts";
import { lockEstimations, removeRows } from "../estimations/index.ts";
import { isActive } from "./store.ts";
import { exportItems, exportRuns } from "./tables.ts";

/** Tasks of the runs of an estimation that are retained; those of the newest run in any case. */
export const RETAINED_ITEMS = 100_000;

/**
 * Returns the oldest run of an estimation that is beyond the limits; undefined if there is none. Active runs are retained
 * beyond the limits, and so are runs that another one retries, until that one has listed their tasks: it may end before
 * that, and be resumed.
 */
async function oldRun(tx: Queryable, estimationId: string): Promise<string | undefined> {
  const retried = tx
    .select({ id: exportRuns.retryOf })
    .from(exportRuns)
    .where(and(eq(exportRuns.estimationId, estimationId), isNull(exportRuns.layout), isNotNull(exportRuns.retryOf)));
  const counted = tx.$with("counted").as(
    tx
      .select({
        id: exportRuns.id,
        place: sql<number>`row_number() over (order by ${exportRuns.id} desc)`.as("place"),
        items: sql<number>`sum(${exportRuns.total}) over (order by ${exportRuns.id} desc)`.as("items"),
        isActive: sql<boolean>`${isActive}`.as("is_active"),
      })
      .from(exportRuns)
      .where(eq(exportRuns.estimationId, estimationId)),
  );
  const isBeyond = sql`(${counted.place} > ${limits.exportsPerEstimation}
    or ${counted.items} > ${RETAINED_ITEMS})`;
  const [row] = await tx
    .with(counted)
    .select({ id: counted.id })
    .from(counted)
    .where(and(isBeyond, sql`${counted.place} > 1`, sql`not ${counted.isActive}`, sql`${counted.id} not in ${retried}`))
    .orderBy(counted.id)
    .limit(1);
  return row?.id;
}

/**
 * Removes up to about `rows` rows of the oldest run of an estimation that is beyond the limits: finished items first,
 * because a new run may retry the others. Returns whether there was such a run.
 */
export async function removeOldRun(tx: Queryable, estimationId: string, rows: number): Promise<boolean> {
  const [estimation] = await lockEstimations(tx, [estimationId]);
  // The removal of a deleted one has its own job.
  const id = estimation && (await oldRun(tx, estimationId));
  if (id === undefined) return false;
  const ofRun = eq(exportItems.exportId, id);
  const isOpen = inArray(exportItems.outcome, ["pending", "failed"]);
  const removed = await removeRows(tx, exportItems, sql`${ofRun} and not ${isOpen}`, rows);
  const more = removed < rows ? await removeRows(tx, exportItems, ofRun, rows - removed) : 0;
  if (removed + more < rows) await tx.delete(exportRuns).where(eq(exportRuns.id, id));
  return true;
}
