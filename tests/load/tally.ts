/** The responses to requests of one kind, and how soon they came. */
interface Kind {
  readonly statuses: Map<number, number>;
  /** Milliseconds of each. */
  readonly times: number[];
}

/** Counts responses by what was requested. */
export interface Tally {
  add(kind: string, status: number, ms: number): void;
  /** How many responses have a status from `first` to `last`. */
  count(first: number, last: number): number;
  readonly total: number;
  /** A line for each kind and one for all. */
  lines(): string[];
}

const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

export function createTally(): Tally {
  const kinds = new Map<string, Kind>();
  const all: Kind = { statuses: new Map(), times: [] };
  const lineOf = (name: string, { statuses, times }: Kind) => {
    const sorted = times.toSorted((a, b) => a - b);
    const shown = [0.5, 0.95, 0.99, 1].map((share) => percentile(sorted, share).toFixed(0).padStart(7));
    const counts = [...statuses].sort().map(([status, count]) => `${status}: ${count}`);
    return `${name.padEnd(16)}${String(times.length).padStart(7)}${shown.join("")}  ${counts.join(", ")}`;
  };
  return {
    add(name, status, ms) {
      const kind: Kind = kinds.get(name) ?? { statuses: new Map(), times: [] };
      kinds.set(name, kind);
      for (const { statuses, times } of [kind, all]) {
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        times.push(ms);
      }
    },
    count: (first, last) =>
      [...all.statuses].reduce((sum, [status, n]) => (status >= first && status <= last ? sum + n : sum), 0),
    get total() {
      return all.times.length;
    },
    lines: () => [
      `${"".padEnd(16)}${"number".padStart(7)}${["p50", "p95", "p99", "most"].map((name) => name.padStart(7)).join("")}  ms, and statuses (0: no response)`,
      ...[...kinds].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, kind]) => lineOf(name, kind)),
      lineOf("all", all),
    ],
  };
}
