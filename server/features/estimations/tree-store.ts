import { and, eq, inArray } from "drizzle-orm";
import type { Tree } from "../../../contract/decision-trees.ts";
import { summaryHours } from "../../../domain/tree/roll-up.ts";
import type { Queryable } from "../../db/database.ts";
import { type EstimationRow, updateEstimation } from "./store.ts";
import { decisionTrees, removedTreeIds } from "./tables.ts";

/** The decision tree of an estimation. */
export async function loadTree(db: Queryable, estimationId: string): Promise<Tree> {
  const [row] = await db
    .select({ tree: decisionTrees.tree })
    .from(decisionTrees)
    .where(eq(decisionTrees.estimationId, estimationId));
  return row?.tree ?? { nodes: [] };
}

/** Stores the tree of a locked estimation and the hours that follow from it, as its next revision. */
export async function storeTree(tx: Queryable, row: EstimationRow, tree: Tree, now: Date): Promise<EstimationRow> {
  await tx
    .insert(decisionTrees)
    .values({ estimationId: row.id, tree })
    .onConflictDoUpdate({ target: decisionTrees.estimationId, set: { tree } });
  return updateEstimation(tx, row.id, hoursColumns(tree, row), now);
}

/** The columns that keep the roll-up, in hours, of `tree` under the settings of an estimation. */
export function hoursColumns(tree: Tree, settings: Pick<EstimationRow, "correlation">) {
  const { expected, p50, p80, p90, p95 } = summaryHours(tree, settings);
  return { hoursExpected: expected, hoursP50: p50, hoursP80: p80, hoursP90: p90, hoursP95: p95 };
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
