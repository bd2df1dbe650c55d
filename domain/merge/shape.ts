import type { FaultCode } from "../../contract/values/faults.ts";
import type { Snapshot, Target } from "../versions/shape.ts";

/** The two lines of a merge: the changes of `from` are taken over `into` the other one. */
export const sides = ["into", "from"] as const;
export type Side = (typeof sides)[number];

/**
 * What a conflict is about: a unit that both sides changed, each to another value (`changed`); a thing that one side
 * removed and the other one changed or put something into (`removed`); a thing that both sides moved, each elsewhere
 * (`moved`); things that would be below themselves (`moved_into_itself`); a rule that only both sides together break
 * (`structure`).
 */
export const conflictKinds = ["changed", "removed", "moved", "moved_into_itself", "structure"] as const;
export type ConflictKind = (typeof conflictKinds)[number];

/** The effect of deciding a conflict for a side. */
export interface Choice {
  /** The value of the unit; null where the side does not have the thing. */
  readonly value: unknown;
  /**
   * By how much choosing it changes the expected hours of the merge, to two decimals: compared with the common
   * ancestor's value, or for `structure` and `moved_into_itself` with what both sides' changes would make together. Null
   * where it is not computed: of those two kinds, all but the first ones.
   */
  readonly hoursDelta: number | null;
}

/** A conflict that a merge cannot decide by itself. */
export interface Conflict {
  /** The same for the same conflict, and another one as soon as one of its values changes. */
  readonly id: string;
  readonly kind: ConflictKind;
  /** Null for the whole tree. */
  readonly target: Target | "setting" | null;
  /** The node, option or milestone; null for a setting and for the whole tree. */
  readonly thingId: string | null;
  readonly title: string | null;
  /** The unit: a field, `bounds` (min and max), `choice` (the selected option of a `single` node) or `parentId`. */
  readonly field: string | null;
  /** The value of the common ancestor; null if it has none, or if several ancestors differ in it. */
  readonly base: unknown;
  readonly into: Choice;
  readonly from: Choice;
  /** Other things that are decided with it, or that are the reason for it. */
  readonly things: readonly string[];
  /** Of `structure`: the rule. */
  readonly rule: { readonly code: FaultCode; readonly message: string } | null;
}

/** How a conflict is to be decided: by a side, or for `changed` by another value. */
export type Resolution =
  | { readonly id: string; readonly side: Side }
  | { readonly id: string; readonly value: unknown };

/** A resolution that cannot be used: `index` is its position among the resolutions, `part` the faulty part. */
export interface BadResolution {
  readonly index: number;
  readonly part: "id" | "value";
  readonly code: FaultCode;
  readonly message: string;
}

export type Merged =
  | {
      readonly ok: true;
      readonly snapshot: Snapshot;
      /** Ids of resolutions that decided nothing, because others ended their conflicts. */
      readonly unused: readonly string[];
    }
  | {
      readonly ok: false;
      /** At most `limits.reportedProblems`; the others show once these are decided. */
      readonly conflicts: readonly Conflict[];
    }
  | { readonly ok: false; readonly conflicts?: never; readonly faults: readonly BadResolution[] };
