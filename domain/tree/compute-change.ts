import type { Figures } from "./distribution.ts";
import type { Outcome, Refusal } from "./outcome.ts";
import { totalFigures } from "./roll-up.ts";
import { idsOf, type Tree, type TreeIds } from "./shape.ts";

/** An edit of a tree. `known` holds the ids that its estimation has or had, as far as the edit asked for them. */
export type EditTree<Part> = (tree: Tree, known: TreeIds) => Outcome<Part>;

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

/** Applies a change and computes its results: all the work that grows with the tree, without the database. */
export function computeChange<Part>(change: ContentChange<Part>): Refusal | ComputedChange<Part> {
  const { before, edit, known, correlation } = change;
  const outcome = edit(before.tree, known);
  if (!outcome.ok) return outcome;
  const text = changedText(before.tree, outcome.tree);
  const isSame = text === null && correlation === before.correlation;
  return {
    ok: true,
    outcome,
    text,
    removedIds: text === null ? [] : removedIds(before.tree, outcome.tree),
    hours: isSame ? null : totalFigures(outcome.tree, { correlation }),
  };
}

/** Returns the tree as JSON; null if it is unchanged. */
function changedText(before: Tree, after: Tree): string | null {
  if (after === before) return null;
  const text = JSON.stringify(after);
  // Trees are built with their fields in one order and stored as text: equal content is equal text.
  return text === JSON.stringify(before) ? null : text;
}

function removedIds(before: Tree, after: Tree): string[] {
  const [had, kept] = [idsOf(before.nodes), idsOf(after.nodes)];
  return [...had.nodes.difference(kept.nodes), ...had.options.difference(kept.options)];
}
