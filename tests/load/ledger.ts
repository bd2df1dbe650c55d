/** What was acknowledged about one estimation: all of it must exist at the end. */
export interface Ledger {
  readonly id: string;
  /** Titles of nodes and options that were added. */
  readonly nodes: Set<string>;
  /** Texts of comments, by review. */
  readonly comments: Map<string, Set<string>>;
  readonly shares: Set<string>;
  readonly versions: Set<string>;
  /** Names of the deliveries that are expected, once each: the event and what identifies the occurrence. */
  readonly events: string[];
  readonly reviews: Set<string>;
}

export const createLedger = (id: string): Ledger => ({
  id,
  nodes: new Set(),
  comments: new Map(),
  shares: new Set(),
  versions: new Set(),
  events: [],
  reviews: new Set(),
});

/** Adds `value` to the set of `key`. */
export function addTo(sets: Map<string, Set<string>>, key: string, value: string): void {
  const set = sets.get(key) ?? new Set();
  sets.set(key, set.add(value));
}
