import type { Diff } from "../../contract/endpoints/versions.ts";
import { type Column, type Row, sideBySide } from "../compare/side-by-side.ts";
import { merge } from "../merge/merge.ts";
import type { Merged, Resolution, Side } from "../merge/shape.ts";
import { summaryHours } from "../tree/hours/roll-up.ts";
import { diff } from "./diff.ts";
import type { Snapshot } from "./shape.ts";

// What compares contents takes long, and runs in worker threads. So contents are given as JSON: a long text is passed to a
// thread in a fraction of the time of as large an object.

const read = (text: string) => JSON.parse(text) as Snapshot;

const expectedOf = (snapshot: Snapshot) => summaryHours(snapshot.tree, snapshot).expected;

/** Returns the operations that turn one content into another, and the expected hours of both. */
export function diffContents({
  from,
  to,
}: {
  readonly from: string;
  readonly to: string;
}): Pick<Diff, "expected" | "operations"> {
  return diffOf(read(from), read(to));
}

const diffOf = (from: Snapshot, to: Snapshot) => ({
  expected: { before: expectedOf(from), after: expectedOf(to) },
  operations: diff(from, to),
});

/** The contents to merge, and what decides their conflicts. */
export interface MergeInput {
  readonly bases: readonly string[];
  readonly into: string;
  readonly from: string;
  readonly resolutions: readonly Resolution[];
  readonly otherwise: Side | null;
}

/** A merge, and how it differs from what it was merged into: not at all, where there are conflicts. */
export interface MergedContents {
  readonly merged: Merged;
  readonly changes: Pick<Diff, "expected" | "operations">;
}

/** Merges two contents. */
export function mergeContents({ bases, into, from, resolutions, otherwise }: MergeInput): MergedContents {
  const before = read(into);
  const merged = merge({ bases: bases.map(read), into: before, from: read(from) }, resolutions, { otherwise });
  if (merged.ok) return { merged, changes: diffOf(before, merged.snapshot) };
  const expected = expectedOf(before);
  return { merged, changes: { expected: { before: expected, after: expected }, operations: [] } };
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
  const { columns, rowCount, rows } = sideBySide(contents.map(read));
  return { columns, rowCount, rows: rows(from, limit) };
}
