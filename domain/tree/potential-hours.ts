import { limits } from "../../contract/limits.ts";
import { type NodeInput, type NodeKind, type OptionInput, toPoints } from "./shape.ts";

/**
 * Weighted pessimistic hours of the dearest choice that these nodes allow: of a `single` node the dearest option counts,
 * of any other all of them. No selection can go over it, so a tree within the limit stays within it whatever is selected.
 */
function potentialHours(nodes: readonly NodeInput[]): number {
  let sum = 0;
  for (const node of nodes) sum += potentialOf(node.kind, node.options ?? []);
  return sum;
}

/** Whether these nodes, the whole of a tree, can go over the limit. */
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
