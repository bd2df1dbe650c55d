import type { Node } from "../../../../../domain/tree/shape.ts";
import type { Row } from "../outline/rows.ts";
import type { MarkedTree } from "./marked-tree.ts";

type Marks = MarkedTree["marks"];

const isThere = (id: string, marks: Marks): boolean => marks.get(id)?.kinds[0] !== "removed";

/** Returns the options that are marked as viewed with a line: itself, or all below a question; never what is gone. */
export function optionsToView({ option, node }: Pick<Row, "option" | "node">, marks: Marks): string[] {
  if (option) return isThere(option.id, marks) ? [option.id] : [];
  return optionsIn([node], marks);
}

/** Returns all options of nodes that are not gone, in tree order. */
export function optionsIn(nodes: readonly Node[], marks: Marks): string[] {
  const ids: string[] = [];
  const visit = (list: readonly Node[]): void => {
    for (const { options } of list) {
      for (const { id, nodes: below } of options) {
        if (isThere(id, marks)) ids.push(id);
        visit(below);
      }
    }
  };
  visit(nodes);
  return ids;
}

/** Returns whether what belongs to a line was viewed: `part` where some of it was, null where there is nothing to view. */
export function viewedState(
  row: Pick<Row, "option" | "node">,
  marks: Marks,
  viewed: ReadonlySet<string>,
): boolean | "part" | null {
  const ids = optionsToView(row, marks);
  if (ids.length === 0) return null;
  const count = ids.filter((id) => viewed.has(id)).length;
  return count === ids.length ? true : count > 0 ? "part" : false;
}
