import type { Node, Option, Tree } from "../shape.ts";

/** The place of a node; `parent` is null for a root node. */
export interface NodePlace {
  node: Node;
  index: number;
  parent: OptionPlace | null;
}

/** The place of an option; `parent` is its node. */
export interface OptionPlace {
  option: Option;
  index: number;
  parent: NodePlace;
}

type Search = (nodes: readonly Node[], parent: OptionPlace | null) => NodePlace | OptionPlace | null;

/** Returns the node with this id and everything above it, or null. */
export function findNode(tree: Tree, id: string): NodePlace | null {
  const search = (nodes: readonly Node[], parent: OptionPlace | null): NodePlace | null => {
    for (const [index, node] of nodes.entries()) {
      const place = { node, index, parent };
      const found = node.id === id ? place : searchBelow(place, search);
      if (found) return found as NodePlace;
    }
    return null;
  };
  return search(tree.nodes, null);
}

/** Returns the option with this id and everything above it, or null. */
export function findOption(tree: Tree, id: string): OptionPlace | null {
  const search = (nodes: readonly Node[], parent: OptionPlace | null): OptionPlace | null => {
    for (const [index, node] of nodes.entries()) {
      const place = { node, index, parent };
      const at = node.options.findIndex((option) => option.id === id);
      const option = node.options[at];
      const found = option ? { option, index: at, parent: place } : searchBelow(place, search);
      if (found) return found as OptionPlace;
    }
    return null;
  };
  return search(tree.nodes, null);
}

/** Returns the place of every option by its id. */
export function placesOfOptions(tree: Tree): Map<string, OptionPlace> {
  const places = new Map<string, OptionPlace>();
  const enter = (nodes: readonly Node[], above: OptionPlace | null): void => {
    for (const [nodeIndex, node] of nodes.entries()) {
      const parent = { node, index: nodeIndex, parent: above };
      for (const [index, option] of node.options.entries()) {
        const place = { option, index, parent };
        places.set(option.id, place);
        enter(option.nodes, place);
      }
    }
  };
  enter(tree.nodes, null);
  return places;
}

function searchBelow(parent: NodePlace, search: Search): NodePlace | OptionPlace | null {
  for (const [index, option] of parent.node.options.entries()) {
    if (option.nodes.length === 0) continue;
    const found = search(option.nodes, { option, index, parent });
    if (found) return found;
  }
  return null;
}

/** Returns the number of node levels down to this node, including itself. */
export function depthAt(place: NodePlace): number {
  let depth = 1;
  for (let parent = place.parent; parent !== null; parent = parent.parent.parent) depth += 1;
  return depth;
}

/**
 * Returns the tree with other nodes below `parent`, or at the root; everything except the path to them is shared with
 * the old tree.
 */
export function withNodes(tree: Tree, parent: OptionPlace | null, nodes: Node[]): Tree {
  return parent === null ? { nodes } : withOption(tree, parent, { ...parent.option, nodes });
}

/** Returns the tree with another node in this place. */
export function withNode(tree: Tree, place: NodePlace, node: Node): Tree {
  return withNodes(tree, place.parent, siblingsOf(tree, place).with(place.index, node));
}

/** Returns the tree with other options of the node in this place. */
export function withOptions(tree: Tree, place: NodePlace, options: Option[]): Tree {
  return withNode(tree, place, { ...place.node, options });
}

/** Returns the tree with another option in this place. */
export function withOption(tree: Tree, place: OptionPlace, option: Option): Tree {
  return withOptions(tree, place.parent, place.parent.node.options.with(place.index, option));
}

/** Returns the siblings of this node, including itself. */
export function siblingsOf(tree: Tree, place: NodePlace): Node[] {
  return place.parent ? place.parent.option.nodes : tree.nodes;
}
