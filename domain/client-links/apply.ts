import { type Node, type Option, type Tree, walk } from "../tree/shape.ts";

/**
 * Returns a tree with what a client has chosen in an earlier one. Questions and options that the earlier one did not have stay as
 * they are, but a `single` question has one answer: the client's.
 */
export function withChoice(current: Tree, chosen: Tree): Tree {
  const selected = new Map<string, boolean>();
  walk(chosen.nodes, {
    option: (option, _, { kind }) => {
      if (kind !== "group") selected.set(option.id, option.selected);
    },
  });
  const inNode = (node: Node): Node => {
    const answer = node.options.find(({ id }) => selected.get(id))?.id;
    const isSelected = (option: Option): boolean => {
      if (node.kind === "group") return option.selected;
      if (node.kind === "single" && answer !== undefined) return option.id === answer;
      return selected.get(option.id) ?? option.selected;
    };
    return {
      ...node,
      options: node.options.map((option) => ({
        ...option,
        selected: isSelected(option),
        nodes: option.nodes.map(inNode),
      })),
    };
  };
  return { nodes: current.nodes.map(inNode) };
}
