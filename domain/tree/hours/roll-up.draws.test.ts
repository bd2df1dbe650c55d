import { describe, expect, it } from "vitest";
import { examples } from "../testing/examples.ts";
import { countedOptions } from "../testing/oracle.ts";
import { simulate } from "../testing/simulate.ts";
import { rollUp } from "./roll-up.ts";

const percentiles = [
  ["p50", 0.5],
  ["p80", 0.8],
  ["p90", 0.9],
  ["p95", 0.95],
] as const;

const cases = examples.flatMap((example) => [0, 0.2, 0.5].map((rho) => ({ ...example, rho })));

describe.each(cases)("$file at a correlation of $rho against 200,000 seeded draws", ({ tree, rho }) => {
  const weighted = countedOptions(tree).map(({ weight, o, l, p }) => ({
    optimistic: weight * o,
    likely: weight * l,
    pessimistic: weight * p,
  }));
  const closed = rollUp(tree, { correlation: rho, hourlyRate: null, currency: null });
  const drawn = simulate(weighted, rho, 200_000, 20_260_101);

  it.each(percentiles)("%s is off by at most 0.5 %", (name, q) => {
    const target = drawn[Math.floor(q * drawn.length)] as number;
    expect(Math.abs(closed[name] / target - 1), `${closed[name]} for ${target}`).toBeLessThanOrEqual(0.005);
  });

  it("holds as often as it says: P80 in 79.5 to 80.5 %, P95 in 94.5 to 95.5 % of the draws", () => {
    const held = (hours: number) => drawn.findIndex((total) => total > hours) / drawn.length;
    expect(Math.abs(held(closed.p80) - 0.8)).toBeLessThanOrEqual(0.005);
    expect(Math.abs(held(closed.p95) - 0.95)).toBeLessThanOrEqual(0.005);
  });

  it("has the mean and the standard deviation of the draws", () => {
    const mean = drawn.reduce((sum, total) => sum + total, 0) / drawn.length;
    const variance = drawn.reduce((sum, total) => sum + (total - mean) ** 2, 0) / drawn.length;
    expect(Math.abs(closed.expected / mean - 1)).toBeLessThan(0.002);
    expect(Math.abs(closed.standardDeviation / Math.sqrt(variance) - 1)).toBeLessThan(0.04);
  });
});
