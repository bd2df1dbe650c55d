import { longestIncreasing } from "../versions/increasing.ts";

/** The children of one parent that the merge has, in the order of each version. */
export interface Orders {
  readonly base: readonly string[];
  readonly into: readonly string[];
  readonly from: readonly string[];
}

/**
 * Returns the merged order, which never conflicts: `into`'s, with what `from` added, moved here or reordered after its
 * predecessor in `from`. What both sides reordered stays where `into` has it.
 */
export function arrange({ base, into, from }: Orders): readonly string[] {
  const theirs = reordered(base, from);
  if (theirs.size > 0) for (const id of reordered(base, into)) theirs.delete(id);
  const has = new Set(into);
  const placed = from.filter((id) => !has.has(id) || theirs.has(id));
  if (placed.length === 0) return into;
  return insertAll(theirs.size > 0 ? into.filter((id) => !theirs.has(id)) : into, from, new Set(placed));
}

/** Inserts those of `order` that are `placed`, each right after the one before it in `order`. */
function insertAll(list: readonly string[], order: readonly string[], placed: ReadonlySet<string>): string[] {
  const next = new Map<string | null, string | null>();
  let last: string | null = null;
  for (const id of list) {
    next.set(last, id);
    last = id;
  }
  next.set(last, null);
  let previous: string | null = null;
  for (const id of order) {
    if (placed.has(id)) {
      next.set(id, next.get(previous) ?? null);
      next.set(previous, id);
    }
    previous = id;
  }
  const all: string[] = [];
  for (let id = next.get(null) ?? null; id !== null; id = next.get(id) ?? null) all.push(id);
  return all;
}

/** Returns as few as possible of the entries in both lists, so that the others have the same order in both. */
function reordered(before: readonly string[], after: readonly string[]): Set<string> {
  const ranks = new Map(before.map((id, rank) => [id, rank]));
  const stayed = after.filter((id) => ranks.has(id));
  const order = stayed.map((id) => ranks.get(id) ?? -1);
  if (order.every((rank, at) => at === 0 || rank > (order[at - 1] as number))) return new Set();
  const kept = new Set(longestIncreasing(order).map((at) => stayed[at]));
  return new Set(stayed.filter((id) => !kept.has(id)));
}
