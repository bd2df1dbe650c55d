import type { Node, Option, ThreePoint, Tree } from "../../contract/values/tree.ts";

export type { Node, NodeKind, Option, Origin, Problem, ThreePoint, Tree } from "../../contract/values/tree.ts";
export type { TreeHours } from "../../contract/values/tree-hours.ts";
export type { NodeFields, NodeInput, OptionFields, OptionInput } from "../../contract/values/tree-input.ts";

/** Makes the id of a new node or option; every call returns a new one. */
export type NewId = (kind: "node" | "option") => string;

/** Ids by kind, each in tree order if they were read from a tree. */
export interface TreeIds {
  nodes: ReadonlySet<string>;
  options: ReadonlySet<string>;
}

/** Returns the hours of an option: its override if it has one. */
export function pointsOf(option: { hours: ThreePoint | null; override: ThreePoint | null }): ThreePoint | null {
  return option.override ?? option.hours;
}

/**
 * Returns a node or option with its origin, if it has one, as the last field: the order in which trees are stored. Equal
 * trees have to have equal text (`reviewed-store.ts` hashes it).
 */
export function originLast<T extends Node | Option>({ origin, ...part }: T): T {
  return (origin ? { ...part, origin } : part) as T;
}

/** Reads three points of hours from input: a single number means that all three are equal. */
export function toPoints(hours: ThreePoint | number | null | undefined): ThreePoint | null {
  if (hours === null || hours === undefined) return null;
  if (typeof hours === "number") return { optimistic: hours, likely: hours, pessimistic: hours };
  const { optimistic, likely, pessimistic } = hours;
  return { optimistic, likely, pessimistic };
}

/**
 * Visits every node and option in tree order, a node before its options and an option before its nested nodes. `path`
 * is the JSON pointer of the visited node or option in the tree; `depth` is 1 for a root node.
 */
export function walk(
  nodes: readonly Node[],
  visit: {
    node?: (node: Node, path: string, depth: number) => void;
    option?: (option: Option, path: string, node: Node) => void;
  },
  path = "",
  depth = 1,
): void {
  nodes.forEach((node, nodeIndex) => {
    const nodePath = `${path}/nodes/${nodeIndex}`;
    visit.node?.(node, nodePath, depth);
    node.options.forEach((option, optionIndex) => {
      const optionPath = `${nodePath}/options/${optionIndex}`;
      visit.option?.(option, optionPath, node);
      walk(option.nodes, visit, optionPath, depth + 1);
    });
  });
}

/** Returns every id of a tree, or of a part of one. */
export function idsOf(nodes: Tree["nodes"]): { nodes: Set<string>; options: Set<string> } {
  const ids = { nodes: new Set<string>(), options: new Set<string>() };
  walk(nodes, { node: (node) => ids.nodes.add(node.id), option: (option) => ids.options.add(option.id) });
  return ids;
}

/** Returns the node levels of a part of a tree: 0 for none, 1 for nodes whose options have no nodes below. */
export function depthOf(nodes: readonly Node[]): number {
  let deepest = 0;
  walk(nodes, {
    node: (_node, _path, depth) => {
      if (depth > deepest) deepest = depth;
    },
  });
  return deepest;
}
