import { type Figures, percentiles } from "../domain/tree/hours/distribution.ts";
import { rollUp } from "../domain/tree/hours/roll-up.ts";
import type { NodeInput, OptionInput, Tree } from "../domain/tree/shape.ts";
import { examples } from "../domain/tree/testing/examples.ts";
import { countedOptions } from "../domain/tree/testing/oracle.ts";
import { simulate } from "../domain/tree/testing/simulate.ts";
import { plant } from "../domain/tree/testing/trees.ts";

/**
 * `npm run bench:percentiles`: how far the percentiles of the closed form are from simulated ones, of the examples and of
 * random trees, at several correlations. Exits with 1 if one is off by more than `MOST`.
 */
const MOST = { p50: 0.01, p80: 0.01, p90: 0.013, p95: 0.013 };
const CORRELATIONS = [0, 0.2, 0.5];
const SEEDS = Array.from({ length: 30 }, (_, index) => 1_000 + index);
const DRAWS = 200_000;
/** The distribution used before: the lognormal with the same mean and variance. */
const Z = { p50: 0, p80: 0.8416, p90: 1.2816, p95: 1.6449 };

const trees = [
  ...examples.map(({ file, tree }) => ({ name: file, tree })),
  ...SEEDS.map((seed) => ({ name: `random tree ${seed}`, tree: randomTree(seed) })),
];

const worst = { p50: 0, p80: 0, p90: 0, p95: 0 };
const table: string[] = [];
for (const { name, tree } of trees) {
  const weighted = countedOptions(tree).map(({ weight, o, l, p }) => ({
    optimistic: weight * o,
    likely: weight * l,
    pessimistic: weight * p,
  }));
  for (const correlation of CORRELATIONS) {
    const closed = rollUp(tree, { correlation, hourlyRate: null, currency: null });
    const drawn = simulate(weighted, correlation, DRAWS, 20_260_101);
    const cells = percentiles.map(([percentile, probability]) => {
      const target = drawn[Math.floor(probability * drawn.length)] as number;
      const off = closed[percentile] / target - 1;
      worst[percentile] = Math.max(worst[percentile], Math.abs(off));
      return `${hours(formerly(closed, percentile))} → ${hours(closed[percentile])} (${perCent(off)})`;
    });
    table.push(`| ${name} | ${correlation} | ${cells.join(" | ")} |`);
  }
}
console.log("Before → now, in hours (now against simulated)\n");
console.log(`| Tree | ρ | P50 | P80 | P90 | P95 |\n|---|---|---|---|---|---|\n${table.join("\n")}\n`);
for (const [name] of percentiles) {
  console.log(`${name}: off by at most ${perCent(worst[name])} (target: ${perCent(MOST[name])})`);
  if (worst[name] > MOST[name]) process.exitCode = 1;
}

function formerly({ optimistic, pessimistic, expected, standardDeviation }: Figures, name: keyof typeof Z): number {
  const k = Math.log1p((standardDeviation / expected) ** 2);
  const free = expected * Math.exp(-k / 2 + Z[name] * Math.sqrt(k));
  return Math.min(Math.max(free, optimistic), pessimistic);
}

/**
 * Returns a tree of 1 to 40 options that all count, some of them nested: likely hours from 1 to 80, pessimistic ones of
 * 1.1 to 4 times as many, and a quantity of up to 5 for a fifth of them.
 */
function randomTree(seed: number): Tree {
  const next = uniform(seed);
  const option = (index: number): OptionInput => {
    const likely = Math.round((1 + next() ** 2 * 79) * 100) / 100;
    const optimistic = Math.round(likely * (0.4 + next() * 0.55) * 100) / 100;
    const pessimistic = Math.round(likely * (1.1 + next() * 2.9) * 100) / 100;
    const quantity = next() < 0.8 ? 1 : 2 + Math.floor(next() * 4);
    return { title: `Option ${index}`, hours: { optimistic, likely, pessimistic }, quantity };
  };
  const group = (title: string, options: OptionInput[]): NodeInput => ({ title, kind: "group", options });
  const options = Array.from({ length: 1 + Math.floor(next() * 20) }, (_, index) => option(index));
  const below = Array.from({ length: Math.floor(next() * 20) }, (_, index) => option(index));
  const [first, ...others] = options;
  if (!first || below.length === 0) return plant([group("Scope", options)]);
  return plant([group("Scope", [{ ...first, nodes: [group("Parts", below)] }, ...others])]);
}

/** Numbers from 0 to 1 of a seeded 32-bit generator (mulberry32). */
function uniform(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function hours(value: number): string {
  return value.toFixed(1);
}

function perCent(value: number): string {
  return `${(value * 100).toFixed(2)} %`;
}
