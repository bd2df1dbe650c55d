import { close, open, perform } from "./running.ts";
import type { Change, Snapshot } from "./shape.ts";

/**
 * Returns the snapshot after these changes, applied one after the other. Only the two ends of a diff must be valid:
 * check the result of other changes like an import. Throws `UnfitOperation` if a change does not fit.
 */
export function apply(snapshot: Snapshot, changes: readonly Change[]): Snapshot {
  const running = open(snapshot);
  for (const change of changes) perform(running, change);
  return close(running);
}
