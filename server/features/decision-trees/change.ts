import type { Outcome } from "../../../domain/tree/outcome.ts";
import { idsOf, type Tree } from "../../../domain/tree/shape.ts";
import type { Queryable } from "../../db/database.ts";
import { fail, failWith } from "../../http/failure.ts";
import type { Actor } from "../../http/handler.ts";
import type { Revisions } from "../../http/revisions.ts";
import { type EstimationRow, loadTree, lockEstimation, rememberRemoved, storeTree } from "../estimations/index.ts";

/** What of a call an edit of a tree needs. */
export interface TreeCall {
  readonly actor: Actor;
  readonly params: { readonly id: string };
  readonly db: Queryable;
  readonly now: Date;
  readonly ifMatch: Revisions | null;
}

/**
 * Applies an edit to the tree of an estimation that is locked meanwhile, and stores the outcome. Refuses what the edit
 * refuses: 404 where the thing to edit is not in the tree, 400 with its faults where it would break the structure.
 * An edit that changes nothing stores nothing and keeps the revision.
 */
export async function changeTree<Part>(
  { actor, params, db, now, ifMatch }: TreeCall,
  edit: (tree: Tree) => Outcome<Part>,
): Promise<{ row: EstimationRow; tree: Tree } & Part> {
  const row = await lockEstimation(db, params.id, actor.userId, ifMatch);
  const before = await loadTree(db, row.id);
  const outcome = edit(before);
  if (!outcome.ok) return outcome.reason === "not_found" ? fail("not_found") : failWith(outcome.faults);
  if (outcome.tree === before) return { ...outcome, row };
  await rememberRemoved(db, row.id, removedIds(before, outcome.tree));
  return { ...outcome, row: await storeTree(db, row, { before, tree: outcome.tree, now }) };
}

/** Ids of `before` that are not in `after`. */
export function removedIds(before: Tree, after: Tree): string[] {
  const kept = idsOf(after.nodes);
  const had = idsOf(before.nodes);
  return [...had.nodes.difference(kept.nodes), ...had.options.difference(kept.options)];
}
