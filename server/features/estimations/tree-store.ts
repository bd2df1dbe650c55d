import { eq, sql } from "drizzle-orm";
import type { Tree } from "../../../contract/tree.ts";
import type { Figures } from "../../../domain/tree/distribution.ts";
import { ROLL_UP_VERSION } from "../../../domain/tree/roll-up.ts";
import type { Queryable } from "../../db/database.ts";
import { leaveForThread } from "../../http/in-thread.ts";
import { EMPTY_TREE, treeUpTo } from "./look-up-store.ts";
import { decisionTrees } from "./tables.ts";

/**
 * Returns the decision tree of an estimation. A handler of a `heavy` row passes `treeBytesHere`: for a larger
 * tree the request is moved to a thread.
 */
export const loadTree = async (db: Queryable, estimationId: string, bytesMax?: number): Promise<Tree> =>
  (await loadMeasuredTree(db, estimationId, bytesMax)).tree;

/** Returns the decision tree of an estimation, as `loadTree` does, and its stored length in bytes. */
export async function loadMeasuredTree(
  db: Queryable,
  estimationId: string,
  bytesMax = Number.POSITIVE_INFINITY,
): Promise<{ tree: Tree; bytes: number }> {
  const [row] = await db
    .select({ tree: treeUpTo(bytesMax), bytes: decisionTrees.bytes })
    .from(decisionTrees)
    .where(eq(decisionTrees.estimationId, estimationId));
  if (!row) return { tree: EMPTY_TREE, bytes: 0 };
  return { tree: row.tree ?? leaveForThread(), bytes: row.bytes };
}

/** Stores the tree of a locked estimation, given as JSON with its length in bytes. */
export async function saveTree(tx: Queryable, estimationId: string, text: string, bytes: number): Promise<void> {
  await tx
    .insert(decisionTrees)
    .values({ estimationId, tree: sql`${text}::json`, bytes })
    .onConflictDoUpdate({
      target: decisionTrees.estimationId,
      set: { tree: sql`excluded.tree`, bytes: sql`excluded.bytes` },
    });
}

/** The columns that keep the hours of a roll-up. */
export function hoursColumns({ optimistic, pessimistic, expected, standardDeviation, p50, p80, p90, p95 }: Figures) {
  return {
    hoursOptimistic: optimistic,
    hoursPessimistic: pessimistic,
    hoursDeviation: standardDeviation,
    hoursExpected: expected,
    hoursP50: p50,
    hoursP80: p80,
    hoursP90: p90,
    hoursP95: p95,
    rollUpVersion: ROLL_UP_VERSION,
  };
}
