import { moveNode } from "../../../../../domain/tree/edit/edit-nodes.ts";
import { moveOption } from "../../../../../domain/tree/edit/edit-options.ts";
import type { Row } from "../outline/rows.ts";
import type { Edit } from "../sync/edits.ts";

/** Returns the nearest line above `row` that is indented at most as far as `depth`. */
function lastAbove(rows: readonly Row[], { at }: Row, depth: number): Row | undefined {
  for (let line = at - 1; line >= 0; line -= 1) {
    const row = rows[line];
    if (row && row.depth <= depth) return row;
  }
  return undefined;
}

/** Returns the line that holds `row`; undefined at the top. */
export const parentOf = (rows: readonly Row[], row: Row): Row | undefined =>
  row.parentId === null ? undefined : lastAbove(rows, row, row.depth - 1);

/** Where something that is moved is put. */
export interface Target {
  /** An option for a question, null for the top; a question for an option. */
  readonly parentId: string | null;
  /** Among its new siblings, without itself. */
  readonly position: number;
}

/** Puts a line with everything below it into a place. */
export const moveTo =
  ({ id, option }: Row, { parentId, position }: Target): Edit =>
  (tree) =>
    option === null
      ? moveNode(tree, id, { parentOptionId: parentId, position })
      : moveOption(tree, id, { nodeId: parentId ?? "", position });

/** Returns the place one level further out, behind what holds it; undefined at the top. */
export function placeOutside(rows: readonly Row[], row: Row): Target | undefined {
  const parent = parentOf(rows, row);
  const holder = parent && parentOf(rows, parent);
  return holder && { parentId: holder.parentId, position: holder.index + 1 };
}

/** Returns the place one level further in, at the end of the last thing that the line above it holds. */
export function placeInside(rows: readonly Row[], row: Row): Target | undefined {
  const above = lastAbove(rows, row, row.depth);
  if (above === undefined || above.parentId !== row.parentId) return undefined;
  const { option, node } = above;
  const last = (option ? option.nodes : node.options).at(-1);
  return last && { parentId: last.id, position: "options" in last ? last.options.length : last.nodes.length };
}
