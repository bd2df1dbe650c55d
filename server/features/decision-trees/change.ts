import type { Outcome } from "../../../domain/tree/outcome.ts";
import { idsOf, type Tree } from "../../../domain/tree/shape.ts";
import type { Queryable } from "../../db/database.ts";
import { fail, failWith } from "../../http/failure.ts";
import { loadTree, type ReadableEstimation, rememberRemoved, storeTree } from "../estimations/index.ts";

/** What of a call an edit of a tree needs. */
export interface TreeCall {
  readonly estimation: ReadableEstimation;
  readonly db: Queryable;
  readonly now: Date;
}

/**
 * Applies an edit to the tree of an estimation that is locked meanwhile, and stores the outcome. Refuses what the edit
 * refuses: 404 where the thing to edit is not in the tree, 400 with its faults where it would break the structure.
 * An edit that changes nothing stores nothing and keeps the revision.
 */
export async function changeTree<Part>(
  { estimation, db, now }: TreeCall,
  edit: (tree: Tree) => Outcome<Part>,
): Promise<{ row: ReadableEstimation; tree: Tree } & Part> {
  const before = await loadTree(db, estimation.id);
  const outcome = edit(before);
  if (!outcome.ok) return outcome.reason === "not_found" ? fail("not_found") : failWith(outcome.faults);
  if (outcome.tree === before) return { ...outcome, row: estimation };
  await rememberRemoved(db, estimation.id, removedIds(before, outcome.tree));
  return { ...outcome, row: await storeTree(db, estimation, { before, tree: outcome.tree, now }) };
}

/** Ids of `before` that are not in `after`. */
export function removedIds(before: Tree, after: Tree): string[] {
  const kept = idsOf(after.nodes);
  const had = idsOf(before.nodes);
  return [...had.nodes.difference(kept.nodes), ...had.options.difference(kept.options)];
}
