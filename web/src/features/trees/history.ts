import type { Estimation } from "../../../../contract/estimations.ts";
import { merge } from "../../../../domain/merge/merge.ts";
import type { Merged, Resolution, Side } from "../../../../domain/merge/shape.ts";
import type { Tree } from "../../../../domain/tree/shape.ts";
import type { Snapshot } from "../../../../domain/versions/shape.ts";

/** One gesture: the tree before and after it. */
export interface Step {
  readonly before: Tree;
  readonly after: Tree;
}

type Settings = Pick<
  Estimation,
  "title" | "description" | "clientName" | "hourlyRate" | "currency" | "correlation" | "rounding"
>;

/** Merges three trees of one estimation by the rules by which the server merges versions. */
export function mergeTrees(
  settings: Settings,
  trees: { readonly base: Tree; readonly into: Tree; readonly from: Tree },
  resolutions: readonly Resolution[] = [],
  otherwise: Side | null = null,
): Merged {
  const { title, description, clientName, hourlyRate, currency, correlation, rounding } = settings;
  const own = { title, description, clientName, hourlyRate, currency, correlation, rounding };
  const snapshotOf = (tree: Tree): Snapshot => ({ ...own, timeline: null, milestones: [], tree });
  const ends = { bases: [snapshotOf(trees.base)], into: snapshotOf(trees.into), from: snapshotOf(trees.from) };
  return merge(ends, resolutions, { otherwise });
}

/**
 * Returns `tree` with the change from one tree to another made in it: exactly the other one where nothing else happened
 * meanwhile, else what others changed stays.
 */
export function changeBy(settings: Settings, tree: Tree, from: Tree, to: Tree): Tree {
  if (tree === from) return to;
  const merged = mergeTrees(settings, { base: from, into: tree, from: to }, [], "from");
  return merged.ok ? merged.snapshot.tree : tree;
}
