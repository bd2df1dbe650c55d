import { deleteNode, moveNode } from "../../../../../domain/tree/edit/edit-nodes.ts";
import {
  deleteOption,
  deselectOption,
  moveOption,
  selectOption,
} from "../../../../../domain/tree/edit/edit-options.ts";
import type { Outcome } from "../../../../../domain/tree/hours/outcome.ts";
import type { Tree } from "../../../../../domain/tree/shape.ts";
import type { Row } from "../outline/rows.ts";

/** An edit of the tree, as one gesture. */
export type Edit = (tree: Tree) => Outcome<object>;

/** Makes edits one after the other, as one gesture: all of them or none. */
export const inTurn =
  (edits: readonly Edit[]): Edit =>
  (before) => {
    let tree = before;
    for (const edit of edits) {
      const outcome = edit(tree);
      if (!outcome.ok) return outcome;
      tree = outcome.tree;
    }
    return { ok: true, tree };
  };

/** Selects an option, or deselects it; in a fixed scope there is nothing to choose. */
export const toggle =
  ({ option, node }: Row): Edit =>
  (tree) => {
    if (option === null || node.kind === "group") return { ok: true, tree };
    return option.selected ? deselectOption(tree, option.id) : selectOption(tree, option.id);
  };

export const remove =
  ({ id, option }: Row): Edit =>
  (tree) =>
    option === null ? deleteNode(tree, id) : deleteOption(tree, id);

/** Moves it among its siblings: −1 before the one above, 1 behind the one below. */
export const moveBy =
  ({ id, node, option, index, siblings, parentId }: Row, by: -1 | 1): Edit =>
  (tree) => {
    const position = index + by;
    if (position < 0 || position >= siblings) return { ok: true, tree };
    return option === null
      ? moveNode(tree, id, { parentOptionId: parentId, position })
      : moveOption(tree, id, { nodeId: node.id, position });
  };
