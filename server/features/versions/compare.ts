import type { Diff } from "../../../contract/versions.ts";
import { summaryHours } from "../../../domain/tree/roll-up.ts";
import { diff } from "../../../domain/versions/diff.ts";
import type { Snapshot } from "../../../domain/versions/shape.ts";

/** Returns the operations that turn `from` into `to`, and the expected hours of both. */
export function compare(from: Snapshot, to: Snapshot): Pick<Diff, "expected" | "operations"> {
  return {
    expected: { before: summaryHours(from.tree, from).expected, after: summaryHours(to.tree, to).expected },
    operations: diff(from, to),
  };
}
