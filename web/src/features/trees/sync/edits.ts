import { createNode, deleteNode, moveNode } from "../../../../../domain/tree/edit/edit-nodes.ts";
import {
  createOption,
  deleteOption,
  deselectOption,
  moveOption,
  selectOption,
} from "../../../../../domain/tree/edit/edit-options.ts";
import type { Outcome } from "../../../../../domain/tree/hours/outcome.ts";
import type { Tree } from "../../../../../domain/tree/shape.ts";
import type { Row } from "../outline/rows.ts";
import { treeTexts } from "../texts.ts";

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

/** Adds a question: below the option that has the focus, or behind the question that has it, or at the end. */
export function addNode(row: Row | undefined, id: string): Edit {
  const parentOptionId = row === undefined ? null : row.option === null ? row.parentId : row.id;
  const position = row?.option === null ? row.index + 1 : undefined;
  const fields = { title: treeTexts.editor.newNode, kind: "single" as const, parentOptionId, position };
  return (tree) => createNode(tree, fields, () => id);
}

/**
 * Adds an option: behind the option that has the focus, or at the end of the question that has it. The first
 * option of a `single` question is chosen.
 */
export function addOption(row: Row, id: string): Edit {
  const position = row.option === null ? undefined : row.index + 1;
  const fields = { title: treeTexts.editor.newOption, position };
  const create: Edit = (tree) => createOption(tree, row.node.id, fields, () => id);
  const isFirst = row.node.kind === "single" && row.node.options.length === 0;
  return isFirst ? inTurn([create, (tree) => selectOption(tree, id)]) : create;
}
