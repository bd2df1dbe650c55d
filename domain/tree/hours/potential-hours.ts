import { limits } from "../../../contract/limits.ts";
import { type NodeInput, type NodeKind, type OptionInput, toPoints } from "../shape.ts";

/**
 * Returns the weighted pessimistic hours of the largest selection that these nodes allow: the largest option of a
 * `single` node, and all options of any other. No selection exceeds it, so a tree within the limit stays within it
 * whatever is selected.
 */
function potentialHours(nodes: readonly NodeInput[]): number {
  let sum = 0;
  for (const node of nodes) sum += potentialOf(node.kind, node.options ?? []);
  return sum;
}

/** Returns whether these nodes, all nodes of a tree, can exceed the limit. */
export function exceedsTreeHours(nodes: readonly NodeInput[]): boolean {
  return potentialHours(nodes) > limits.treeHoursMax;
}

function potentialOf(kind: NodeKind, options: readonly OptionInput[]): number {
  let sum = 0;
  let dearest = 0;
  for (const { hours, override, quantity = 1, nodes } of options) {
    const own = toPoints(override ?? hours)?.pessimistic ?? 0;
    const all = quantity * (own + (nodes ? potentialHours(nodes) : 0));
    sum += all;
    if (all > dearest) dearest = all;
  }
  return kind === "single" ? dearest : sum;
}
