import type { Figures } from "../hours/distribution.ts";
import type { Outcome, Refusal } from "../hours/outcome.ts";
import { totalFigures } from "../hours/roll-up.ts";
import { idsOf, type Tree, type TreeIds } from "../shape.ts";

/**
 * An edit of a tree, in steps if it takes long. `known` holds the ids that its estimation has or had, as far as the edit asked
 * for them.
 */
export type EditTree<Part> = (tree: Tree, known: TreeIds) => Outcome<Part> | Generator<void, Outcome<Part>>;

/** A change of a tree, or of the settings that its hours depend on. */
export interface ContentChange<Part> {
  readonly before: { readonly tree: Tree; readonly correlation: number };
  readonly edit: EditTree<Part>;
  readonly known: TreeIds;
  readonly correlation: number;
}

/** The result of a change. */
export interface ComputedChange<Part> {
  readonly ok: true;
  readonly outcome: Outcome<Part> & { ok: true };
  /** The new tree as JSON; null if it is unchanged. */
  readonly text: string | null;
  /** Ids of nodes and options that are no longer in the tree. */
  readonly removedIds: readonly string[];
  /** The new hours, rounded to two decimals; null if neither tree nor settings changed. */
  readonly hours: Figures | null;
}

/**
 * Applies a change and computes its results: all the work that grows with the tree, without the database, in steps between
 * which other work can run.
 */
export function* computeChange<Part>(change: ContentChange<Part>): Generator<void, Refusal | ComputedChange<Part>> {
  const { before, edit, known, correlation } = change;
  const edited = edit(before.tree, known);
  const outcome = Symbol.iterator in edited ? yield* edited : edited;
  if (!outcome.ok) return outcome;
  yield;
  const text = yield* changedText(before.tree, outcome.tree);
  const removed = text === null ? [] : yield* removedIds(before.tree, outcome.tree);
  const isSame = text === null && correlation === before.correlation;
  return {
    ok: true,
    outcome,
    text,
    removedIds: removed,
    hours: isSame ? null : totalFigures(outcome.tree, { correlation }),
  };
}

/** Returns the tree as JSON; null if it is unchanged. */
function* changedText(before: Tree, after: Tree): Generator<void, string | null> {
  if (after === before) return null;
  const text = JSON.stringify(after);
  yield;
  // Trees are built with their fields in one order and stored as text: equal content is equal text.
  const isSame = text === JSON.stringify(before);
  yield;
  return isSame ? null : text;
}

function* removedIds(before: Tree, after: Tree): Generator<void, string[]> {
  const [had, kept] = [idsOf(before.nodes), idsOf(after.nodes)];
  yield;
  return [...had.nodes.difference(kept.nodes), ...had.options.difference(kept.options)];
}
