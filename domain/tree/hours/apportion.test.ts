import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { apportion } from "./apportion.ts";

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

describe("apportioning whole units", () => {
  it("gives the missing units to the largest remainders, the earlier first", () => {
    expect(apportion([333 + 1 / 3, 333 + 1 / 3, 333 + 1 / 3], 1_000)).toEqual([334, 333, 333]);
    expect(apportion([100.1, 200.8, 300.1], 601)).toEqual([100, 201, 300]);
  });

  it("treats remainders as equal if they differ only by the error of binary fractions", () => {
    // 0.1 + 0.2 is above 0.3 and 1.1 · 3 above 3.3 by one part in 10^16; 0.29 · 100 falls below 29.
    expect(apportion([100 / 3, (10 + 1 / 3) * 100, (100 + 1 / 3) * 100], 11_100)).toEqual([34, 1_033, 10_033]);
    expect(apportion([(0.1 + 0.2) * 100, 1.1 * 3 * 100, 0.29 * 100], 389)).toEqual([30, 330, 29]);
  });

  it("rounds amounts below a unit to 0 or 1, and leaves 0 at 0", () => {
    expect(apportion([0.1, 0, 0.1, 0.4], 1)).toEqual([0, 0, 0, 1]);
    expect(apportion(new Array(10).fill(0.1), 1)).toEqual([1, ...new Array(9).fill(0)]);
    expect(apportion([0.1], 0)).toEqual([0]);
    expect(apportion([0, 0], 0)).toEqual([0, 0]);
    expect(apportion([], 0)).toEqual([]);
  });

  it("stays within bounds, and takes units back where they matter least", () => {
    // The first must have 1; the whole then leaves none for the second, which was exactly 1.
    expect(apportion([0.41, 1], 1, { low: [1, 0], high: [9, 9] })).toEqual([1, 0]);
    expect(apportion([5.9, 5.8, 5.7], 17, { low: [0, 0, 0], high: [5, 9, 9] })).toEqual([5, 6, 6]);
    expect(apportion([0, 7], 7, { low: [3, 0], high: [9, 9] })).toEqual([3, 4]);
  });

  it("adds up exactly and moves no amount by a unit or more", () => {
    const amount = fc.oneof(
      fc.integer({ min: 0, max: 60_000_000 }).map((sixths) => sixths / 6),
      fc.double({ min: 0, max: 1e8, noNaN: true }),
      fc.double({ min: 0, max: 2, noNaN: true }),
    );
    fc.assert(
      fc.property(fc.array(amount, { maxLength: 200 }), (amounts) => {
        const whole = Math.round(sum(amounts));
        const units = apportion(amounts, whole);
        expect(sum(units)).toBe(amounts.length === 0 ? 0 : whole);
        amounts.forEach((exact, index) => {
          expect(Math.abs((units[index] ?? -1) - exact)).toBeLessThanOrEqual(1);
        });
      }),
    );
  });

  it("never gives more to the smaller amount", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 50, noNaN: true }), { minLength: 1, maxLength: 50 }), (amounts) => {
        amounts.sort((a, b) => b - a);
        const units = apportion(amounts, Math.round(sum(amounts)));
        expect(units).toEqual(units.toSorted((a, b) => b - a));
      }),
    );
  });

  it("adds up exactly even if doubles lose units: sums of 10^15", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 1e10, max: 1e12, noNaN: true }), { minLength: 900, maxLength: 1_000 }),
        (amounts) => {
          const whole = Math.round(sum(amounts));
          expect(sum(apportion(amounts, whole))).toBe(whole);
        },
      ),
      { numRuns: 20 },
    );
  });
});
