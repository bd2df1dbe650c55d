import { close, open, perform } from "./running.ts";
import type { Change, Snapshot } from "./shape.ts";

/**
 * The snapshot after these changes, one after the other. Only the ends of a diff need be legal: what comes out of other
 * changes is to be checked as an import is. Throws `UnfitOperation` where a change does not fit.
 */
export function apply(snapshot: Snapshot, changes: readonly Change[]): Snapshot {
  const running = open(snapshot);
  for (const change of changes) perform(running, change);
  return close(running);
}
