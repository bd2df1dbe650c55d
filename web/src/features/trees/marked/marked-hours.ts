import type { RollUp } from "../../../../../domain/tree/hours/roll-up.ts";
import type { Tree } from "../../../../../domain/tree/shape.ts";
import { expectedOf, rowsOf } from "../outline/rows.ts";

const NONE: ReadonlySet<string> = new Set();

/** Expected hours by the ids of what counts: of an option its own, as often as it is done, of a node everything in it. */
export type CountedHours = ReadonlyMap<string, number>;

/** Returns what each node and option of a tree adds to its expected hours; `byNode` is that of its roll-up. */
export function countedHours(tree: Tree, byNode: RollUp["byNode"]): CountedHours {
  const hours = new Map(byNode.map(({ nodeId, expected }) => [nodeId, expected]));
  for (const row of rowsOf(tree, NONE)) {
    const own = row.option && row.isActive ? expectedOf(row) : null;
    if (own !== null) hours.set(row.id, own);
  }
  return hours;
}
