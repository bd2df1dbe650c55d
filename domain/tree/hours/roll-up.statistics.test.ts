import { describe, expect, it } from "vitest";
import type { ThreePoint } from "../shape.ts";
import { simulate } from "../testing/simulate.ts";
import { simulatedSums } from "../testing/simulated-sums.ts";
import { plant } from "../testing/trees.ts";
import { figuresOf } from "./distribution.ts";
import { rollUp } from "./roll-up.ts";

const correlation = 0.2;

/** Three-point ranges from symmetric to strongly skewed, and of different sizes. */
const ranges: ThreePoint[] = [
  { optimistic: 2, likely: 4, pessimistic: 9 },
  { optimistic: 5, likely: 8, pessimistic: 20 },
  { optimistic: 1, likely: 3, pessimistic: 5 },
  { optimistic: 4, likely: 6, pessimistic: 16 },
  { optimistic: 8, likely: 16, pessimistic: 30 },
  { optimistic: 3, likely: 4, pessimistic: 8 },
];
const options = (count: number) =>
  Array.from({ length: count }, (_, index) => ranges[index % ranges.length] as ThreePoint);

const percentiles = [
  ["p50", 0.5],
  ["p80", 0.8],
  ["p90", 0.9],
  ["p95", 0.95],
] as const;

describe.each(simulatedSums)("$name at a correlation of $correlation against 1,000,000 draws", (known) => {
  const closed = figuresOf(known.sums, known.correlation);

  it("has their mean and standard deviation", () => {
    expect(closed.expected).toBeCloseTo(known.expected, 6);
    expect(closed.standardDeviation).toBeCloseTo(known.standardDeviation, 6);
  });

  it.each([
    ["p50", 0.008],
    ["p80", 0.008],
    ["p90", 0.01],
    ["p95", 0.01],
  ] as const)("%s is off by at most %d of it", (name, most) => {
    expect(Math.abs(closed[name] / known[name] - 1), `${closed[name]} for ${known[name]}`).toBeLessThanOrEqual(most);
  });
});

describe("the closed form against 50,000 seeded draws of correlated beta-PERT hours", () => {
  it.each([3, 6, 12, 40])("stays within 2 % at P50, P80, P90 and P95 with %d options", (count) => {
    const points = options(count);
    const tree = plant([
      { title: "Scope", kind: "group", options: points.map((hours, index) => ({ title: `Option ${index}`, hours })) },
    ]);
    const closed = rollUp(tree, { correlation, hourlyRate: null, currency: null });
    const drawn = simulate(points, correlation, 50_000, 20_260_101);
    for (const [name, q] of percentiles) {
      const target = drawn[Math.floor(q * drawn.length)] as number;
      expect(Math.abs(closed[name] / target - 1), `${name}: ${closed[name]} for ${target}`).toBeLessThan(0.02);
    }
  });

  it("which added-up percentiles miss: at 12 options their margin is 1.5 to 2.1 times too large", () => {
    const points = options(12);
    const drawn = simulate(points, correlation, 50_000, 7);
    const alone = points.map((hours) => {
      const tree = plant([{ title: "Scope", kind: "group", options: [{ title: "Option", hours }] }]);
      return rollUp(tree, { correlation, hourlyRate: null, currency: null });
    });
    const mean = alone.reduce((sum, { expected }) => sum + expected, 0);
    const added = alone.reduce((sum, { p80 }) => sum + p80, 0);
    const overshoot = (added - mean) / ((drawn[Math.floor(0.8 * drawn.length)] as number) - mean);
    expect(overshoot).toBeGreaterThan(1.5);
    expect(overshoot).toBeLessThan(2.1);
  });
});
