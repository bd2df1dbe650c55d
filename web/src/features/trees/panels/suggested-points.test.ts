import fc from "fast-check";
import { expect, test } from "vitest";
import { addPoints, meanOf, noHours } from "../../../../../domain/tree/hours/distribution.ts";
import { pointsFor } from "./suggested-points.ts";

const z90 = 1.2816;
/** Percentiles of the lognormal distribution around `p50`. */
const hoursOf = (p50: number, spread: number) => {
  const at = (z: number) => p50 * Math.exp(z * spread);
  return { p10: at(-z90), p50, p80: at(0.8416), p90: at(z90) };
};

test("hours that are taken over have the mean and the deviation of what was suggested", () => {
  for (const [p50, spread] of [
    [100, 0.2],
    [60, 0.4],
    [400, 0.58],
  ] as const) {
    const points = pointsFor(hoursOf(p50, spread));
    const mean = p50 * Math.exp(spread ** 2 / 2);
    const deviation = mean * Math.sqrt(Math.exp(spread ** 2) - 1);
    expect(meanOf(points) / mean).toBeCloseTo(1, 1);
    expect(addPoints(noHours(), points, 1) / deviation).toBeCloseTo(1, 1);
  }
});

test("they keep the direction: what may take far less has a mean below the P50, and what may take far more one above", () => {
  const meanFor = (p10: number, p90: number) => {
    const at = (z: number) =>
      100 * Math.exp(z < 0 ? (-z * Math.log(p10 / 100)) / z90 : (z * Math.log(p90 / 100)) / z90);
    const steps = Array.from({ length: 2_001 }, (_, step) => (step - 1_000) / 200);
    const weight = (z: number) => Math.exp((-z * z) / 2);
    const sum = (of: (z: number) => number) => steps.reduce((all, z) => all + of(z), 0);
    const right = sum((z) => weight(z) * at(z)) / sum(weight);
    const said = meanOf(pointsFor({ p10, p50: 100, p80: at(0.8416), p90 }));
    expect(said / right).toBeCloseTo(1, 1.5);
    return said;
  };
  expect(meanFor(20, 108)).toBeLessThan(85);
  expect(meanFor(92, 300)).toBeGreaterThan(120);
  expect(meanFor(50, 200)).toBeCloseTo(100 * Math.exp((Math.LN2 / z90) ** 2 / 2), -0.5);
});

test("they are in order, round, never 0, and one number where nothing is uncertain", () => {
  expect(pointsFor({ p10: 6, p50: 6, p80: 6, p90: 6 })).toEqual({ optimistic: 6, likely: 6, pessimistic: 6 });
  fc.assert(
    fc.property(
      fc.double({ min: 0.01, max: 5_000, noNaN: true }),
      fc.double({ min: 0, max: 1.5, noNaN: true }),
      (p50, spread) => {
        const { optimistic, likely, pessimistic } = pointsFor(hoursOf(p50, spread));
        expect(optimistic).toBeGreaterThan(0);
        expect(likely).toBeGreaterThanOrEqual(optimistic);
        expect(pessimistic).toBeGreaterThanOrEqual(likely);
        for (const hours of [optimistic, likely, pessimistic])
          expect(hours * (hours < 1 ? 20 : 4)).toBeCloseTo(Math.round(hours * (hours < 1 ? 20 : 4)), 9);
      },
    ),
  );
});
