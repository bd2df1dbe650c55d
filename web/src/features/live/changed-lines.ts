import type { Node, Tree } from "../../../../domain/tree/shape.ts";
import { isAlike } from "../../../../domain/versions/alike.ts";

/** Returns the ids of the nodes and options that are new, or have other fields than before; of their own, not of what is below. */
export function changedLines(before: Tree, after: Tree): string[] {
  const known = fieldsOf(before.nodes);
  return [...fieldsOf(after.nodes)].filter(([id, fields]) => !isAlike(known.get(id), fields)).map(([id]) => id);
}

function fieldsOf(nodes: readonly Node[], fields = new Map<string, object>()): Map<string, object> {
  for (const { options, ...node } of nodes) {
    fields.set(node.id, node);
    for (const { nodes: below, ...option } of options) {
      fields.set(option.id, option);
      fieldsOf(below, fields);
    }
  }
  return fields;
}
