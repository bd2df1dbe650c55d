import type { Node, Option, Origin } from "../../../contract/values/tree.ts";

/** A node or an option as the API shows it, with `origin: null` if it did not come from a template. */
type Presented<T extends Node | Option> = T & { origin: Origin | null };

/**
 * Returns nodes as the API shows them. Writes into them, because copying a tree at its limits takes longer than reading
 * it: they must be the caller's own, and stored already.
 */
export function presentNodes(nodes: Node[]): Presented<Node>[] {
  for (const node of nodes) presentNode(node);
  return nodes as Presented<Node>[];
}

/** The same for one node. */
export function presentNode(node: Node): Presented<Node> {
  node.origin ??= null;
  for (const option of node.options) presentOption(option);
  return node as Presented<Node>;
}

/** The same for an option. */
export function presentOption(option: Option): Presented<Option> {
  option.origin ??= null;
  presentNodes(option.nodes);
  return option as Presented<Option>;
}
