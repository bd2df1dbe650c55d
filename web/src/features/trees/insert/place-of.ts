import type { NodeTarget } from "../../../../../domain/tree/edit/edit-nodes.ts";
import type { Row } from "../outline/rows.ts";
import { insertTexts as t } from "./texts.ts";

/** Where a part is added. */
export interface PartPlace extends NodeTarget {
  readonly text: string;
}

/** Returns the place for a part: below the option that has the focus, behind the question that has it, or at the end. */
export function placeOf(row: Row | undefined): PartPlace {
  if (row === undefined) return { text: t.atEnd };
  if (row.option !== null) return { parentOptionId: row.id, text: t.below(row.option.title) };
  return { parentOptionId: row.parentId, position: row.index + 1, text: t.after(row.node.title) };
}
