import { and, asc, eq, inArray, sql } from "drizzle-orm";
import type { Database } from "../../db/database.ts";
import { estimationReaders, estimations, estimationTexts } from "./tables.ts";

/** Few, because everybody who writes to one of them waits for the others. */
export const ESTIMATIONS_AT_ONCE = 50;

/**
 * Removes what is stored of some estimations about a team that was removed, in one transaction; returns whether there may be
 * more. Nobody has had access through it since its members went. Locks the estimations in the order of their ids, to avoid
 * deadlocks.
 */
export function endSomeOfTeam(pool: Database, teamId: string): Promise<boolean> {
  const { estimationId, holderId } = estimationReaders;
  return pool.transaction(async (tx) => {
    const held = await tx
      .select({ id: estimationId })
      .from(estimationReaders)
      .where(eq(holderId, teamId))
      .orderBy(asc(estimationId))
      .limit(ESTIMATIONS_AT_ONCE);
    const ids = held.map(({ id }) => id);
    if (ids.length === 0) return false;
    await tx
      .select({ id: estimations.id })
      .from(estimations)
      .where(inArray(estimations.id, ids))
      .orderBy(estimations.id)
      .for("update");
    // Its listings go with them.
    await tx.delete(estimationReaders).where(and(eq(holderId, teamId), inArray(estimationId, ids)));
    await tx
      .update(estimationTexts)
      .set({ readers: sql`array_remove(${estimationTexts.readers}, ${teamId})` })
      .where(inArray(estimationTexts.estimationId, ids));
    return ids.length === ESTIMATIONS_AT_ONCE;
  });
}
