import type { Node, Option, Tree } from "./shape.ts";

/** Where an option stands. */
export interface Standing {
  option: Option;
  node: Node;
  /** The option that opens `node`; null at the root. */
  above: Standing | null;
}

/** The standing of every option by its id. */
export function standingsOf(tree: Tree): Map<string, Standing> {
  const standings = new Map<string, Standing>();
  const enter = (nodes: readonly Node[], above: Standing | null): void => {
    for (const node of nodes) {
      for (const option of node.options) {
        const standing = { option, node, above };
        standings.set(option.id, standing);
        enter(option.nodes, standing);
      }
    }
  };
  enter(tree.nodes, null);
  return standings;
}
