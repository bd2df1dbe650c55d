import type { Diff } from "../../contract/endpoints/versions.ts";
import type { AddedTwice } from "../../contract/values/merge-hints.ts";
import { type Column, type Row, sideBySide } from "../compare/side-by-side.ts";
import { addedTwice } from "../merge/added-twice.ts";
import { merge } from "../merge/merge.ts";
import type { Merged, Resolution, Side } from "../merge/shape.ts";
import { summaryHours } from "../tree/hours/roll-up.ts";
import { readSnapshot } from "./canonical.ts";
import { diff } from "./diff.ts";
import type { Snapshot } from "./shape.ts";

// What compares contents takes long, and runs in worker threads. So contents are given as JSON: a long text is passed to a
// thread in a fraction of the time of as large an object.

const hoursOf = (snapshot: Snapshot) => summaryHours(snapshot.tree, snapshot);

type Changes = Pick<Diff, "expected" | "p80" | "operations">;

/** Returns the operations that turn one content into another, and the hours of both. */
export function diffContents({ from, to }: { readonly from: string; readonly to: string }): Changes {
  return diffOf(readSnapshot(from), readSnapshot(to));
}

function diffOf(from: Snapshot, to: Snapshot): Changes {
  const [before, after] = [hoursOf(from), hoursOf(to)];
  return {
    expected: { before: before.expected, after: after.expected },
    p80: { before: before.p80, after: after.p80 },
    operations: diff(from, to),
  };
}

/** The contents to merge, and what decides their conflicts. */
export interface MergeInput {
  readonly bases: readonly string[];
  readonly into: string;
  readonly from: string;
  readonly resolutions: readonly Resolution[];
  readonly otherwise: Side | null;
  /** Whether to say what both sides have added. */
  readonly hints: boolean;
}

/** A merge, and how it differs from what it was merged into: not at all, where there are conflicts. */
export interface MergedContents {
  readonly merged: Merged;
  readonly changes: Changes;
  /** Empty where it was not asked for, or there are conflicts. */
  readonly addedTwice: readonly AddedTwice[];
}

/** Merges two contents. */
export function mergeContents({ bases, into, from, resolutions, otherwise, hints }: MergeInput): MergedContents {
  const before = readSnapshot(into);
  const ends = { bases: bases.map(readSnapshot), into: before, from: readSnapshot(from) };
  const merged = merge(ends, resolutions, { otherwise });
  if (merged.ok)
    return {
      merged,
      changes: diffOf(before, merged.snapshot),
      addedTwice: hints ? addedTwice(ends, merged.snapshot) : [],
    };
  const { expected, p80 } = hoursOf(before);
  const same = (hours: number) => ({ before: hours, after: hours });
  return { merged, changes: { expected: same(expected), p80: same(p80), operations: [] }, addedTwice: [] };
}

/** A page of a comparison. */
export interface Comparison {
  readonly columns: readonly Column[];
  readonly rowCount: number;
  readonly rows: readonly Row[];
}

/** Compares contents side by side, and returns the rows from index `from` on. */
export function compareContents({
  contents,
  from,
  limit,
}: {
  readonly contents: readonly string[];
  readonly from: number;
  readonly limit: number;
}): Comparison {
  const { columns, rowCount, rows } = sideBySide(contents.map(readSnapshot));
  return { columns, rowCount, rows: rows(from, limit) };
}
