import { betaQuantiles } from "../hours/beta.ts";
import type { Node, Option, Tree } from "../shape.ts";

/** A counted option with the nodes and counted options above it, written without regard for cost. */
export interface Counted {
  option: Option;
  nodeIds: string[];
  weight: number;
  o: number;
  l: number;
  p: number;
}

/** Returns every counted option of a tree, in tree order. */
export function countedOptions(tree: Tree): Counted[] {
  const below = (nodes: Node[], nodeIds: string[], quantities: number[]): Counted[] =>
    nodes.flatMap((node) =>
      node.options
        .filter((option) => node.kind === "group" || option.selected)
        .flatMap((option) => {
          const path = [...nodeIds, node.id];
          const weights = [...quantities, option.quantity];
          const hours = option.override ?? option.hours ?? { optimistic: 0, likely: 0, pessimistic: 0 };
          const weight = weights.reduce((product, quantity) => product * quantity, 1);
          const own = { option, nodeIds: path, weight, o: hours.optimistic, l: hours.likely, p: hours.pessimistic };
          return [own, ...below(option.nodes, path, weights)];
        }),
    );
  return below(tree.nodes, [], []);
}

const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);

/** Computes the documented formulas, one by one. */
export function expectedFigures(counted: Counted[], rho: number) {
  const sigmas = counted.map(({ weight, o, l, p }) => {
    const mean = (o + 4 * l + p) / 6;
    return weight * Math.sqrt(Math.max(((mean - o) * (p - mean)) / 7, 0));
  });
  const m = sum(counted.map(({ weight, o, l, p }) => (weight * (o + 4 * l + p)) / 6));
  const s2 = (1 - rho) * sum(sigmas.map((sigma) => sigma ** 2)) + rho * sum(sigmas) ** 2;
  const optimistic = sum(counted.map(({ weight, o }) => weight * o));
  const pessimistic = sum(counted.map(({ weight, p }) => weight * p));
  const s = Math.sqrt(s2);
  const range = pessimistic - optimistic;
  const tau = ((m - optimistic) * (pessimistic - m)) / s2 - 1;
  const percentile = (q: number): number => {
    if (range < 1e-9 * m || s < 1e-9 * m || m === 0) return m;
    const [part = Number.NaN] = betaQuantiles([q], (tau * (m - optimistic)) / range, (tau * (pessimistic - m)) / range);
    return optimistic + range * part;
  };
  return {
    optimistic,
    likely: sum(counted.map(({ weight, l }) => weight * l)),
    pessimistic,
    expected: m,
    standardDeviation: Math.sqrt(s2),
    p50: percentile(0.5),
    p80: percentile(0.8),
    p90: percentile(0.9),
    p95: percentile(0.95),
  };
}
