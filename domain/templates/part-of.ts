import { findNode, findOption } from "../tree/edit/locate.ts";
import { idsOf, type Node, type Option, type Tree } from "../tree/shape.ts";

/**
 * Returns the part of a tree that a node or an option is, with everything below it; null if the tree has no such part. An option
 * becomes a group of its own, since only nodes stand in a tree. Links that lead out of the part are left out.
 */
export function partOf(tree: Tree, id: string): Tree | null {
  const found = findNode(tree, id)?.node ?? aroundOption(tree, id);
  if (!found) return null;
  const { options } = idsOf([found]);
  const isInside = (link: string) => options.has(link);
  const withLinks = (node: Node): Node => ({ ...node, options: node.options.map(inside) });
  const inside = (option: Option): Option => ({
    ...option,
    requires: option.requires.filter(isInside),
    excludes: option.excludes.filter(isInside),
    nodes: option.nodes.map(withLinks),
  });
  return { nodes: [withLinks(found)] };
}

function aroundOption(tree: Tree, id: string): Node | null {
  const place = findOption(tree, id);
  return (
    place && { ...place.parent.node, kind: "group", required: false, min: null, max: null, options: [place.option] }
  );
}
