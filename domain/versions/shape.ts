import type { Rounding } from "../../contract/values/roundings.ts";
import type { Node, Option, Tree } from "../tree/shape.ts";

/** The fields of an estimation that a version stores besides its tree and milestones. */
export interface Settings {
  title: string;
  description: string;
  assumptions: string;
  clientName: string | null;
  hourlyRate: number | null;
  currency: string | null;
  correlation: number;
  rounding: Rounding;
  /** Settings of the timeline by their names; null where there are none. */
  timeline: Readonly<Record<string, unknown>> | null;
}

/** A date that some nodes and tasks lead to. */
export interface Milestone {
  id: string;
  title: string;
  dueDate: string;
  nodeIds: string[];
  taskIds: string[];
}

/** The content of a version. */
export interface Snapshot extends Settings {
  tree: Tree;
  milestones: Milestone[];
}

/** Anything with an id and a place. */
export type Target = "node" | "option" | "milestone";

/** A node, an option or a milestone, without what is below it. */
export type ThingRecord = Omit<Node, "options"> | Omit<Option, "nodes"> | Milestone;

/**
 * The place of a thing: below `parentId` (an option for a node, a node for an option; null: a root node or a
 * milestone), right after its sibling `afterId` (null: first). It holds at the moment of its operation, when those
 * before it are done and those after it are not.
 */
export interface Place {
  parentId: string | null;
  afterId: string | null;
}

/** One step from one snapshot to another. Settings have no id; `field` is `timeline.` and a name for one of the timeline. */
export type Change =
  | { op: "added"; target: Target; id: string; after: Place & { record: ThingRecord } }
  | { op: "removed"; target: Target; id: string; before: Place & { record: ThingRecord } }
  | { op: "moved" | "reordered"; target: Target; id: string; before: Place; after: Place }
  | { op: "changed"; target: Target; id: string; field: string; before: unknown; after: unknown }
  | { op: "changed"; target: "setting"; id: null; field: string; before: unknown; after: unknown }
  | { op: "selected" | "deselected"; target: "option"; id: string };

/** A change with the hours by which it moves the running total of expected hours. */
export type Operation = Change & { hoursDelta: number };
