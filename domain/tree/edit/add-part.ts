import { limits } from "../../../contract/limits.ts";
import { breaches, faultAt } from "../check/faults.ts";
import { exceedsTreeBytes } from "../check/tree-bytes.ts";
import { treeBreaches } from "../check/tree-limits.ts";
import { fault, invalid, type Outcome } from "../hours/outcome.ts";
import { depthOf, type Node, type Tree } from "../shape.ts";
import type { NodeTarget } from "./edit-nodes.ts";
import { depthAt, findOption, withNodes } from "./locate.ts";

/**
 * Adds nodes with everything below them, side by side, below an option or at the root; at the end if no position is given. They
 * are valid by themselves, and their ids are new. Refuses a tree that would exceed a limit, with a fault for each.
 */
export function addPart(
  tree: Tree,
  nodes: readonly Node[],
  { parentOptionId = null, position }: NodeTarget,
): Outcome<object> {
  const parent = parentOptionId === null ? null : findOption(tree, parentOptionId);
  if (parentOptionId !== null && !parent) return fault("/parentOptionId", breaches.parentOption);
  const depth = parent ? depthAt(parent.parent) : 0;
  if (depth + depthOf(nodes) > limits.treeDepth) return fault("/parentOptionId", breaches.depth);
  const siblings = parent ? parent.option.nodes : tree.nodes;
  const grown = withNodes(tree, parent, siblings.toSpliced(position ?? siblings.length, 0, ...nodes));
  const exceeded = treeBreaches(grown.nodes);
  if (exceeded.length > 0) return invalid(exceeded.map((breach) => faultAt("", breach)));
  return exceedsTreeBytes(grown.nodes) ? fault("", breaches.treeBytes) : { ok: true, tree: grown };
}
