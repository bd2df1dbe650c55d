import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { limits } from "../../contract/limits.ts";
import type { ThreePoint } from "../../contract/values/tree.ts";
import { betaQuantiles } from "../tree/hours/beta.ts";
import { accuracyOfTasks, type FinishedWork, placeOf, widening } from "./task-accuracy.ts";

/** The mean is 10 hours; α = 1 + 4 · 6/20, β = 1 + 4 · 14/20. */
const points: ThreePoint = { optimistic: 4, likely: 8, pessimistic: 24 };
const [ALPHA, BETA] = [1 + (4 * 4) / 20, 1 + (4 * 16) / 20];
const doneAt = new Date("2026-03-15T12:00:00Z");

const task = (actualHours: number, more: Partial<FinishedWork> = {}): FinishedWork => ({
  ...{ role: null, hours: 10, baseHours: 10, points, actualHours, doneAt, ...more },
});
/** The hours that the range holds enough with this probability. */
const quantile = (probability: number) => 4 + 20 * (betaQuantiles([probability], ALPHA, BETA)[0] as number);
/** Tasks that took what a right range says: every quantile once. */
const right = (n: number, factor = 1) => Array.from({ length: n }, (_, at) => task(factor * quantile((at + 0.5) / n)));

describe("the place of actual hours in a range", () => {
  it("is the probability of its beta-PERT distribution, and the distance in widths to P10 and P90", () => {
    for (const p of [0.05, 0.1, 0.5, 0.77, 0.9]) expect(placeOf(task(quantile(p)))?.below).toBeCloseTo(p, 9);
    expect(placeOf(task(quantile(0.1)))?.distance).toBeCloseTo(1, 9);
    expect(placeOf(task(quantile(0.5)))?.distance).toBeCloseTo(0, 9);
    expect(placeOf(task(quantile(0.9)))?.distance).toBeCloseTo(1, 9);
    expect(placeOf(task(3))?.below).toBe(0);
    expect(placeOf(task(90))?.below).toBe(1);
  });

  it("does not depend on the unit, and grows with edited hours", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.1, max: 100, noNaN: true }),
        fc.double({ min: 1, max: 60, noNaN: true }),
        (by, took) => {
          const place = placeOf(task(took)) as { below: number; distance: number };
          const edited = placeOf(task(took * by, { hours: 10 * by }));
          expect(edited?.below).toBeCloseTo(place.below, 6);
          expect(edited?.distance).toBeCloseTo(place.distance, 6);
        },
      ),
    );
  });

  it("does not move with hours that were only rounded", () => {
    expect(placeOf(task(12, { hours: 11, baseHours: 11 }))).toEqual(placeOf(task(12)));
  });

  it("is not known without a range", () => {
    expect(placeOf(task(8, { points: null }))).toBeNull();
    expect(placeOf(task(8, { points: { optimistic: 10, likely: 10, pessimistic: 10 } }))).toBeNull();
  });
});

describe("by how much ranges have to be widened", () => {
  it("is the smallest factor with which they would have held 80 % of these tasks and one more", () => {
    const distances = fc.array(fc.double({ min: 0, max: 50, noNaN: true }), { minLength: 4, maxLength: 200 });
    fc.assert(
      fc.property(distances, (all) => {
        const factor = widening(all);
        const heldBy = (width: number) => all.filter((distance) => distance <= width).length;
        expect(heldBy(factor) * 10).toBeGreaterThanOrEqual(8 * (all.length + 1));
        const less = Math.max(-1, ...all.filter((distance) => distance < factor));
        expect(heldBy(less) * 10).toBeLessThan(8 * (all.length + 1));
      }),
    );
  });

  it("is 1 where ranges are right, and the factor by which they are too narrow where they are not", () => {
    expect(accuracyOfTasks(right(1_000), false).ranges.widenBy).toBeCloseTo(1, 2);
    const narrow = (by: number) =>
      right(1_000).map((one) => task(quantile(0.5) + by * (one.actualHours - quantile(0.5))));
    expect(accuracyOfTasks(narrow(1.5), false).ranges.widenBy).toBeCloseTo(1.5, 2);
    expect(accuracyOfTasks(narrow(0.5), false).ranges.widenBy).toBeCloseTo(0.5, 2);
  });
});

describe("the accuracy of tasks", () => {
  it("finds right ranges right, at each stated probability", () => {
    const { ranges, reliability } = accuracyOfTasks(right(200), false);
    expect(ranges).toMatchObject({ n: 200, held: 160 });
    expect(reliability.map(({ stated, observed }) => [stated, observed])).toEqual(
      [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9].map((stated) => [stated, stated]),
    );
  });

  it("finds work that always takes longer: fewer tasks than stated end in time, and the ratio says by how much", () => {
    const { reliability, ratio, ranges } = accuracyOfTasks(right(200, 1.5), false);
    for (const { stated, observed } of reliability) expect(observed).toBeLessThan(stated);
    expect(ratio.median).toBeCloseTo((1.5 * quantile(0.5)) / 10, 2);
    expect(ratio.low).toBeLessThan(ratio.median as number);
    expect(ratio.high).toBeGreaterThan(ratio.median as number);
    expect(ranges.high).toBeLessThan(0.8);
  });

  it("says nothing about the ranges of fewer than ten tasks, and no interval of a median of fewer than six", () => {
    const { ranges, reliability, ratio } = accuracyOfTasks(right(limits.accuracyTasksMin - 1), false);
    expect([ranges, reliability]).toEqual([{ n: 9, held: null, low: null, high: null, widenBy: null }, []]);
    expect(ratio.low).not.toBeNull();
    expect(accuracyOfTasks(right(limits.accuracyTasksMin), false)).toMatchObject({ ranges: { n: 10, held: 8 } });
    expect(accuracyOfTasks(right(5), false).ratio).toMatchObject({ n: 5, low: null, high: null });
    expect(accuracyOfTasks([], false)).toEqual({
      ratio: { n: 0, median: null, low: null, high: null },
      ranges: { n: 0, held: null, low: null, high: null, widenBy: null },
      ...{ reliability: [], months: [], roles: [], isCut: false },
    });
  });

  it("counts tasks without a range in the ratio only", () => {
    const { ratio, ranges } = accuracyOfTasks([...right(12), task(20, { points: null })], true);
    expect([ratio.n, ranges.n]).toEqual([13, 12]);
  });

  it("is given by month, the newest first, and by role, those with more tasks first, however they are written", () => {
    const at = (month: string) => new Date(`${month}-28T23:59:59Z`);
    const { months, roles } = accuracyOfTasks(
      [
        task(20, { doneAt: at("2025-12"), role: "Backend" }),
        task(5, { doneAt: at("2026-02"), role: " backend" }),
        task(10, { doneAt: at("2025-12") }),
      ],
      false,
    );
    expect(months).toEqual([
      { month: "2026-02", n: 1, median: 0.5, low: null, high: null },
      { month: "2025-12", n: 2, median: 1.5, low: null, high: null },
    ]);
    expect(roles.map(({ role, ratio }) => [role, ratio.n, ratio.median])).toEqual([
      ["Backend", 2, 1.25],
      [null, 1, 1],
    ]);
  });

  it("is given for 36 months and 30 roles, the newest and those with the most tasks", () => {
    const of = (count: number) =>
      Array.from({ length: count }, (_, at) =>
        task(9, { role: `role ${at}`, doneAt: new Date(Date.UTC(2020, at, 15)) }),
      );
    const lengths = (count: number) => {
      const { months, roles } = accuracyOfTasks([...of(count), task(9, { role: "Role 0" })], false);
      return [months.length, roles.length, months[0]?.month, roles[0]?.ratio.n];
    };
    expect(lengths(limits.accuracyRoles)).toEqual([31, 30, "2026-03", 2]);
    expect(lengths(limits.accuracyMonths - 1)).toEqual([36, 30, "2026-03", 2]);
    expect(lengths(limits.accuracyMonths)).toEqual([36, 30, "2026-03", 2]);
  });
});
