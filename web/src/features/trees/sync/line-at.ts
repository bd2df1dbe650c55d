import type { Node, Option, Tree } from "../../../../../domain/tree/shape.ts";

/** Returns the question or option that a path of a fault is in, such as `/nodes/0/options/2/title`; undefined for none. */
export function lineAt(tree: Tree, path: string): Node | Option | undefined {
  let at: Node | Option | undefined;
  let nodes: readonly Node[] = tree.nodes;
  for (const [, list, index] of path.matchAll(/(nodes|options)\/(\d+)/g)) {
    const below: readonly (Node | Option)[] = list === "nodes" ? nodes : at && "options" in at ? at.options : [];
    at = below[Number(index)];
    if (at === undefined) return undefined;
    nodes = "nodes" in at ? at.nodes : [];
  }
  return at;
}
