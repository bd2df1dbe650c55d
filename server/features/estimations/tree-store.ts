import { and, eq, inArray, sql } from "drizzle-orm";
import { limits } from "../../../contract/limits.ts";
import type { Tree } from "../../../contract/tree.ts";
import { messages } from "../../../domain/tree/faults.ts";
import { ROLL_UP_VERSION, summaryHours } from "../../../domain/tree/roll-up.ts";
import type { Queryable } from "../../db/database.ts";
import { failWith } from "../../http/failure.ts";
import { EMPTY_TREE, type ReadableEstimation } from "./look-up.ts";
import { type EstimationRow, updateEstimation } from "./store.ts";
import { decisionTrees, removedTreeIds } from "./tables.ts";

/** The decision tree of an estimation. */
export async function loadTree(db: Queryable, estimationId: string): Promise<Tree> {
  const [row] = await db
    .select({ tree: decisionTrees.tree })
    .from(decisionTrees)
    .where(eq(decisionTrees.estimationId, estimationId));
  return row?.tree ?? EMPTY_TREE;
}

/**
 * Stores the tree of a locked estimation in the place of `before`, and the hours that follow from it, as its next
 * revision. A tree that says the same as before is not stored, and the revision stays. Refuses (400) one that takes more
 * than `limits.treeBytes`: every stored tree can be read, edited and sent back.
 */
export async function storeTree(
  tx: Queryable,
  row: ReadableEstimation,
  { before, tree, now }: { readonly before: Tree; readonly tree: Tree; readonly now: Date },
): Promise<ReadableEstimation> {
  const text = JSON.stringify(tree);
  // Trees are made with their fields in one order and stored as text: alike in content is alike in text.
  if (text === JSON.stringify(before)) return row;
  if (Buffer.byteLength(text) > limits.treeBytes) failWith([{ path: "", message: messages.treeBytes }]);
  await tx
    .insert(decisionTrees)
    .values({ estimationId: row.id, tree: sql`${text}::json` })
    .onConflictDoUpdate({ target: decisionTrees.estimationId, set: { tree: sql`excluded.tree` } });
  return updateEstimation(tx, row, hoursColumns(tree, row), now);
}

/** The columns that keep the roll-up, in hours, of `tree` under the settings of an estimation. */
export function hoursColumns(tree: Tree, settings: Pick<EstimationRow, "correlation">) {
  const { expected, p50, p80, p90, p95 } = summaryHours(tree, settings);
  return {
    hoursExpected: expected,
    hoursP50: p50,
    hoursP80: p80,
    hoursP90: p90,
    hoursP95: p95,
    rollUpVersion: ROLL_UP_VERSION,
  };
}

/** Remembers ids that left the tree. */
export async function rememberRemoved(tx: Queryable, estimationId: string, ids: readonly string[]): Promise<void> {
  for (let at = 0; at < ids.length; at += ROWS_A_STATEMENT) {
    const rows = ids.slice(at, at + ROWS_A_STATEMENT).map((id) => ({ estimationId, id }));
    await tx.insert(removedTreeIds).values(rows).onConflictDoNothing();
  }
}

/** Of `ids`, those that were once in this tree. */
export async function onceKnown(db: Queryable, estimationId: string, ids: readonly string[]): Promise<Set<string>> {
  const known = new Set<string>();
  for (let at = 0; at < ids.length; at += ROWS_A_STATEMENT) {
    const rows = await db
      .select({ id: removedTreeIds.id })
      .from(removedTreeIds)
      .where(
        and(
          eq(removedTreeIds.estimationId, estimationId),
          inArray(removedTreeIds.id, ids.slice(at, at + ROWS_A_STATEMENT)),
        ),
      );
    for (const row of rows) known.add(row.id);
  }
  return known;
}

/** Far below the 65,535 parameters that one statement may have. */
const ROWS_A_STATEMENT = 5_000;
