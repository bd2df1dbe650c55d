import { describe, expect, it } from "vitest";
import { accuracyOf, type Judged } from "./accuracy.ts";

/** An estimation for which 5, 10 and 20 hours were suggested (P10, P50, P90), and whose one task took some in a month. */
const done = (actualHours: number, month: string, more: Partial<Judged> = {}): Judged => ({
  ...{ verdict: "accepted", p10: 5, p50: 10, p90: 20, working: 1, workingFinished: 1, actualHours },
  ...{ lastDoneAt: new Date(`${month}-15T12:00:00Z`), ...more },
});

describe("the accuracy of suggestions", () => {
  it("is the median and the spread of actual by suggested hours, and how often they were in the interval", () => {
    const ratios = [4, 8, 10, 12, 21].map((hours) => done(hours, "2026-01"));
    expect(accuracyOf(ratios)).toMatchObject({
      ...{ n: 5, bias: 1, spread: { p10: 0.56, p90: 1.74 }, hitRate: 0.6 },
    });
  });

  it("counts both ends of the interval as within it, and nothing beyond", () => {
    const rateOf = (hours: number) => accuracyOf([done(hours, "2026-01")]).hitRate;
    expect([4.99, 5, 20, 20.01].map(rateOf)).toEqual([0, 1, 1, 0]);
  });

  it("is given for each month in which work was done, the latest first", () => {
    const { months, n } = accuracyOf([done(10, "2025-12"), done(30, "2026-02"), done(20, "2025-12")]);
    expect(n).toBe(3);
    expect(months).toEqual([
      { month: "2026-02", n: 1, bias: 3, spread: { p10: 3, p90: 3 }, hitRate: 0 },
      { month: "2025-12", n: 2, bias: 1.5, spread: { p10: 1.1, p90: 1.9 }, hitRate: 1 },
    ]);
  });

  it("counts every verdict, and scores only work that is completely done and had hours suggested", () => {
    const open = done(10, "2026-01", { verdict: "rejected", working: 2 });
    const without = { working: null, workingFinished: null, actualHours: null, lastDoneAt: null };
    const judged = [open, done(10, "2026-01", without), done(10, "2026-01", { p50: 0 }), done(0, "2026-01")];
    expect(accuracyOf(judged)).toEqual({
      ...{ n: 0, bias: null, spread: null, hitRate: null, accepted: 3, rejected: 1, months: [] },
    });
  });
});
