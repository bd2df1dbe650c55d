import { copyTree, orderOf } from "../tree/import-tree.ts";
import { type NewId, type Node, type Option, pointsOf, type Tree } from "../tree/shape.ts";
import type { TemplateNode, TemplateOption, TemplateTree } from "./shape.ts";

/**
 * Returns the structure of a tree with new ids: its questions, options, hours and links, without what was chosen for one
 * project (selections, overrides, origins). An option that has no hours but an override keeps that as its hours.
 */
export const toTemplate = (tree: Tree, newId: NewId, order = orderOf(tree.nodes)): TemplateTree => ({
  nodes: copyTree(tree, newId, () => null, order).nodes.map(bareNode),
});

const bareNode = ({ options, ...node }: Node): TemplateNode => ({ ...node, options: options.map(bareOption) });

function bareOption({ selected: _, override, hours, nodes, ...option }: Option): TemplateOption {
  const { id, title, description, ...rest } = option;
  return {
    ...{ id, title, description, hours: hours ?? pointsOf({ hours, override }) },
    ...rest,
    nodes: nodes.map(bareNode),
  };
}
