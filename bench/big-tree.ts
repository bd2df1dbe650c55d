import type { Node, Option, Tree } from "../domain/tree/shape.ts";
import type { Snapshot } from "../domain/versions/shape.ts";

/**
 * Builds a tree at its limits: 2,000 nodes and 10,000 options. 400 root nodes, each a chain of five levels with five
 * options a node; the first option opens the next level. `isSelected` says which options are selected, by their number;
 * all by default.
 */
export function bigTree(isSelected: (made: number) => boolean = () => true): Tree {
  let made = 0;
  const id = (prefix: string): string => {
    made += 1;
    return `${prefix}_01k00000000000000000${String(made).padStart(6, "0")}`;
  };
  const node = (levels: number): Node => ({
    id: id("nod"),
    title: `Which way to build part ${made}?`,
    description: "",
    kind: "multi",
    required: true,
    min: 1,
    max: 5,
    options: Array.from({ length: 5 }, (_, index) => option(index === 0 && levels > 1 ? [node(levels - 1)] : [])),
  });
  const option = (nodes: Node[]): Option => ({
    id: id("opt"),
    title: `Way ${made} to build it`,
    description: "As the client described it",
    hours: { optimistic: 1 + (made % 7), likely: 9 + (made % 5), pessimistic: 16 + (made % 23) },
    quantity: 1 + (made % 3) / 2,
    unit: null,
    role: ["backend", "frontend", "design", null][made % 4] ?? null,
    requires: [],
    excludes: [],
    selected: isSelected(made),
    override: null,
    nodes,
  });
  return { nodes: Array.from({ length: 400 }, () => node(5)) };
}

/** Returns the content of an estimation with these nodes. */
export const snapshotOf = (nodes: Node[]): Snapshot => ({
  title: "Big",
  description: "",
  assumptions: "",
  clientName: null,
  hourlyRate: null,
  currency: null,
  correlation: 0.2,
  rounding: 0.01,
  timeline: null,
  milestones: [],
  tree: { nodes },
});
