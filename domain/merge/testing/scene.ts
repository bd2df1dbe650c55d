import type { Outcome } from "../../tree/hours/outcome.ts";
import type { NodeInput, Option, Tree } from "../../tree/shape.ts";
import { optionTitled, plant } from "../../tree/testing/trees.ts";
import type { Snapshot } from "../../versions/shape.ts";
import { merge } from "../merge.ts";
import type { Conflict, Merged, Resolution } from "../shape.ts";

/** Settings of the snapshots of examples. */
const settings = {
  title: "Shop",
  description: "",
  assumptions: "",
  clientName: null,
  hourlyRate: null,
  currency: null,
  correlation: 0,
  rounding: 0.01,
  timeline: null,
  milestones: [],
} as const;

export const snapshotOf = (tree: Tree, changes: Partial<Snapshot> = {}): Snapshot => ({
  ...settings,
  milestones: [],
  ...changes,
  tree,
});

/** A tree with nodes and options that are named by their titles. */
export function scene(nodes: NodeInput[]) {
  const tree = plant(nodes);
  return {
    tree,
    base: snapshotOf(tree),
    /** The id of the option with this title. */
    option: (title: string): string => optionTitled(tree, title).id,
    /** The id of the node with this title. */
    node(title: string): string {
      const search = (list: Tree["nodes"]): string | undefined => {
        for (const one of list) {
          const found =
            one.title === title ? one.id : one.options.map(({ nodes: below }) => search(below)).find(Boolean);
          if (found) return found;
        }
        return undefined;
      };
      return search(tree.nodes) ?? "";
    },
  };
}

type Step = (tree: Tree) => Outcome<unknown>;

/** Returns the snapshot after these edits, which must be allowed. */
export function afterEdits(base: Snapshot, ...steps: readonly Step[]): Snapshot {
  let { tree } = base;
  for (const step of steps) {
    const outcome = step(tree);
    if (!outcome.ok) throw new Error(JSON.stringify(outcome));
    tree = outcome.tree;
  }
  return { ...base, tree };
}

/** Merges, and returns the result. */
export function tryMerge(base: Snapshot, into: Snapshot, from: Snapshot, resolutions: readonly Resolution[] = []) {
  const result: Merged = merge({ bases: [base], into, from }, resolutions);
  const conflicts: readonly Conflict[] = !result.ok && result.conflicts ? result.conflicts : [];
  const faults = !result.ok && !result.conflicts ? result.faults : [];
  const snapshot = result.ok ? result.snapshot : null;
  return {
    snapshot,
    conflicts,
    faults,
    /** An option of the merge by its id. */
    option(id: string): Option | undefined {
      const search = (list: Tree["nodes"]): Option | undefined => {
        for (const { options } of list) {
          for (const one of options) {
            const found = one.id === id ? one : search(one.nodes);
            if (found) return found;
          }
        }
        return undefined;
      };
      return search(snapshot?.tree.nodes ?? []);
    },
  };
}
