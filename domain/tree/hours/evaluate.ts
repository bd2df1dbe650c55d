import type { Node, Option, Tree } from "../shape.ts";

/** Returns whether an option counts if its node is active. */
export function counts(node: Pick<Node, "kind">, option: Pick<Option, "selected">): boolean {
  return node.kind === "group" || option.selected;
}

/**
 * Visits the active nodes and the counted options in tree order, each option with its weight: its quantity times the
 * quantities of the counted options above it. A node is active at the root or below a counted option; an option counts
 * if its node is active and it is selected, or in a `group`.
 */
export function walkCounted(
  nodes: readonly Node[],
  visit: { node?: (node: Node) => void; option?: (option: Option, weight: number, node: Node) => void },
  weight = 1,
): void {
  for (const node of nodes) {
    visit.node?.(node);
    for (const option of node.options) {
      if (!counts(node, option)) continue;
      const optionWeight = weight * option.quantity;
      visit.option?.(option, optionWeight, node);
      walkCounted(option.nodes, visit, optionWeight);
    }
  }
}

/** The active nodes and the counted options. */
export interface Evaluation {
  /** Ids of the active nodes, in tree order. */
  activeNodes: ReadonlySet<string>;
  /** The weight of each counted option by its id, in tree order; 0 if its own quantity or one above it is 0. */
  weights: ReadonlyMap<string, number>;
}

export function evaluate(tree: Tree): Evaluation {
  const activeNodes = new Set<string>();
  const weights = new Map<string, number>();
  walkCounted(tree.nodes, {
    node: (node) => activeNodes.add(node.id),
    option: (option, weight) => weights.set(option.id, weight),
  });
  return { activeNodes, weights };
}
