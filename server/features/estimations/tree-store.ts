import { eq, sql } from "drizzle-orm";
import type { Tree } from "../../../contract/values/tree.ts";
import type { Figures } from "../../../domain/tree/hours/distribution.ts";
import type { Queryable } from "../../db/database.ts";
import { loadedText } from "../../db/stored-text.ts";
import { EMPTY_TREE, readTree, treeColumns } from "./look-up-store.ts";
import { decisionTrees } from "./tables.ts";

/** Returns the decision tree of an estimation. */
export const loadTree = async (db: Queryable, estimationId: string): Promise<Tree> =>
  (await loadMeasuredTree(db, estimationId)).tree;

/** Returns the decision tree of an estimation as JSON. */
export async function loadTreeText(db: Queryable, estimationId: string): Promise<string> {
  const [row] = await findTree(db, estimationId);
  return row ? (loadedText(row) as string) : JSON.stringify(EMPTY_TREE);
}

/** Returns the decision tree of an estimation, and its stored length in bytes. */
export async function loadMeasuredTree(db: Queryable, estimationId: string): Promise<{ tree: Tree; bytes: number }> {
  const [row] = await findTree(db, estimationId);
  return row ? { tree: await readTree(loadedText(row)), bytes: row.bytes } : { tree: EMPTY_TREE, bytes: 0 };
}

const findTree = (db: Queryable, estimationId: string) =>
  db.select(treeColumns()).from(decisionTrees).where(eq(decisionTrees.estimationId, estimationId));

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
  };
}
