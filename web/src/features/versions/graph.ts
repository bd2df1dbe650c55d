import type { Version } from "../../../../contract/endpoints/versions.ts";

/** A version in the graph: its lane, and the lines that cross its row. Lanes count from 0. */
export interface GraphRow {
  readonly lane: number;
  /** Lanes whose line comes from above and ends in the version. */
  readonly above: readonly number[];
  /** Lanes to which a line goes from the version, down to one of its parents. */
  readonly below: readonly number[];
  /** Lanes whose line passes by. */
  readonly passing: readonly number[];
}

/**
 * Returns the graph of versions that are listed newest first, a row for each. A lane holds the line down to one version; of
 * several lines to the same version only one goes on. Where the list is cut, lines leave at its end.
 */
export function graphOf(versions: readonly Pick<Version, "id" | "parents">[]): GraphRow[] {
  /** The version that each lane leads to; null: it is free. */
  const lanes: (string | null)[] = [];
  const free = (): number => {
    const at = lanes.indexOf(null);
    return at === -1 ? lanes.length : at;
  };
  return versions.map(({ id, parents }) => {
    const above = lanes.flatMap((leadsTo, at) => (leadsTo === id ? [at] : []));
    const lane = above[0] ?? free();
    for (const at of above) lanes[at] = null;
    const passing = lanes.flatMap((leadsTo, at) => (leadsTo === null ? [] : [at]));
    const below = parents.map((parent, at) => {
      const shared = lanes.indexOf(parent);
      if (shared !== -1) return shared;
      const next = at === 0 || lanes[lane] === null || lanes[lane] === undefined ? lane : free();
      lanes[next] = parent;
      return next;
    });
    return { lane, above, below, passing };
  });
}

/** The number of lanes that the rows take. */
export const lanesOf = (rows: readonly GraphRow[]): number =>
  1 + Math.max(0, ...rows.flatMap(({ lane, above, below, passing }) => [lane, ...above, ...below, ...passing]));
