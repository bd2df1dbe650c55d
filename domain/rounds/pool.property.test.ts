import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { limits } from "../../contract/limits.ts";
import type { ThreePoint } from "../../contract/values/tree.ts";
import { medianOf } from "../accuracy/intervals.ts";
import { meanOf } from "../tree/hours/distribution.ts";
import { exactPool, linearPool, pertMoments, poolOf } from "./pool.ts";

const hundredths = (max: number) => fc.integer({ min: 0, max: max * 100 }).map((value) => value / 100);
const threePoints = (max: number): fc.Arbitrary<ThreePoint> =>
  fc
    .tuple(hundredths(max), hundredths(max), hundredths(max))
    .map((all) => all.toSorted((a, b) => a - b))
    .map(([optimistic = 0, likely = 0, pessimistic = 0]) => ({ optimistic, likely, pessimistic }));
const someone = fc.oneof(threePoints(1), threePoints(100), threePoints(limits.optionHoursMax));
const several = fc.array(someone, { minLength: 1, maxLength: 50 });

const deviation = (points: ThreePoint) => Math.sqrt(pertMoments(points).variance);
const isInOrder = ({ optimistic, likely, pessimistic }: ThreePoint) =>
  0 <= optimistic && optimistic <= likely && likely <= pessimistic && pessimistic <= limits.optionHoursMax;

describe("the pool of estimates", () => {
  it("of identical ones is that estimate, to the hundredth", () => {
    fc.assert(
      fc.property(someone, fc.integer({ min: 1, max: 50 }), (points, count) => {
        const { hours, varianceKept } = poolOf(Array.from({ length: count }, () => points));
        expect([hours, varianceKept]).toEqual([points, true]);
      }),
    );
  });

  it("has the mean of the linear opinion pool to the hundredth, in points that are in order and that an option can have", () => {
    fc.assert(
      fc.property(several, (estimates) => {
        const { hours, mean } = poolOf(estimates);
        const exact = linearPool(estimates).mean;
        expect(isInOrder(hours)).toBe(true);
        expect(Math.abs(meanOf(hours) - exact)).toBeLessThanOrEqual(0.005 + 1e-9);
        expect(Math.abs(mean - exact)).toBeLessThanOrEqual(0.005 + 1e-9);
        for (const value of Object.values(hours)) expect(Math.round(value * 100) / 100).toBe(value);
      }),
    );
  });

  it("has its variance where three points can have it, and is the widest with its mean where not", () => {
    fc.assert(
      fc.property(several, (estimates) => {
        const { points, varianceKept } = exactPool(estimates);
        const { mean, variance } = linearPool(estimates);
        const made = pertMoments(points);
        expect(made.mean).toBeCloseTo(mean, 6);
        // Below the highest hours, beta-PERT reaches σ = m √(5/7).
        if (6 * mean <= limits.optionHoursMax && varianceKept !== variance <= (5 / 7) * mean * mean)
          expect(variance / (mean * mean)).toBeCloseTo(5 / 7, 9);
        if (varianceKept) expect(Math.abs(made.variance - variance)).toBeLessThanOrEqual(1e-9 * mean * mean + 1e-12);
        else {
          expect(made.variance).toBeLessThan(variance);
          expect(made.variance).toBeGreaterThanOrEqual(widestOf(mean) * (1 - 1e-6));
        }
      }),
    );
  });

  it("of which the variance is lost, says so: one person says nothing, another a lot", () => {
    const nothing = { optimistic: 0, likely: 0, pessimistic: 0 };
    const lot = { optimistic: 600, likely: 600, pessimistic: 600 };
    const others = Array.from({ length: 5 }, () => nothing);
    expect(poolOf([lot, ...others])).toEqual({
      hours: { optimistic: 0, likely: 0, pessimistic: 600 },
      mean: 100,
      varianceKept: false,
    });
  });

  it("does not change with one more person who says the same as the pool", () => {
    fc.assert(
      fc.property(several, (estimates) => {
        const before = exactPool(estimates);
        const after = exactPool([...estimates, before.points]);
        const near = 1e-5 * (1 + before.mean);
        for (const name of ["optimistic", "likely", "pessimistic"] as const)
          expect(Math.abs(after.points[name] - before.points[name]), name).toBeLessThanOrEqual(near);
        expect(after.varianceKept).toBe(before.varianceKept);
      }),
    );
  });

  it("is not narrower the further people are apart: means move away from each other, and ranges stay as wide", () => {
    fc.assert(
      fc.property(
        fc.array(threePoints(100), { minLength: 2, maxLength: 20 }),
        fc.double({ min: 1, max: 3, noNaN: true }),
        (estimates, by) => {
          const { mean } = linearPool(estimates);
          const apart = estimates.map((points) => moved(points, (by - 1) * (meanOf(points) - mean)));
          // Nobody can say less than nothing.
          fc.pre(apart.every(({ optimistic }) => optimistic >= 0));
          const [near, far] = [exactPool(estimates), exactPool(apart)];
          expect(far.mean).toBeCloseTo(near.mean, 9);
          expect(deviation(far.points)).toBeGreaterThanOrEqual(deviation(near.points) - 1e-6 * (1 + mean));
        },
      ),
    );
  });

  it("is not narrower where one of several people moves away from all others", () => {
    const others = [4, 5, 6].map((likely) => ({ optimistic: likely - 1, likely, pessimistic: likely + 2 }));
    const widths = [10, 20, 40, 80].map((likely) => {
      const { hours } = poolOf([...others, { optimistic: likely, likely, pessimistic: likely + 1 }]);
      return hours.pessimistic - hours.optimistic;
    });
    expect(widths).toEqual(widths.toSorted((a, b) => a - b));
  });

  it("has the bounds that are nearest to the medians of the bounds, of those with its mean and variance", () => {
    fc.assert(
      fc.property(several, fc.double({ min: 0, max: 1, noNaN: true }), (estimates, part) => {
        const { points, mean, varianceKept } = exactPool(estimates);
        const product = 7 * linearPool(estimates).variance;
        fc.pre(varianceKept && product > 1e-9 * mean * mean);
        const [least, most] = [Math.max(Math.sqrt(product / 5), product / (limits.optionHoursMax - mean)), mean];
        const below = least + part * (Math.min(Math.sqrt(5 * product), most) - least);
        const { optimistic, pessimistic } = mediansOf(estimates);
        const distance = (low: number, high: number) => Math.abs(low - optimistic) + Math.abs(high - pessimistic);
        expect(distance(points.optimistic, points.pessimistic)).toBeLessThanOrEqual(
          distance(mean - below, mean + product / below) + 1e-6 * (1 + mean),
        );
      }),
    );
  });

  /** Not rounded, as `medianPoints` are. */
  const mediansOf = (estimates: readonly ThreePoint[]) => {
    const median = (name: keyof ThreePoint) => medianOf(estimates.map((one) => one[name]).toSorted((a, b) => a - b));
    return { optimistic: median("optimistic"), pessimistic: median("pessimistic") };
  };

  const moved = ({ optimistic, likely, pessimistic }: ThreePoint, by: number): ThreePoint => ({
    optimistic: optimistic + by,
    likely: likely + by,
    pessimistic: pessimistic + by,
  });

  /** The largest variance of points with this mean, tried out. */
  function widestOf(mean: number): number {
    let most = 0;
    for (let step = 1; step <= 2_000; step++) {
      const below = (mean * step) / 2_000;
      const above = Math.min(5 * below, limits.optionHoursMax - mean);
      if (5 * above >= below) most = Math.max(most, (below * above) / 7);
    }
    return most;
  }
});
