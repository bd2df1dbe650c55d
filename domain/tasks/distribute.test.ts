import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { roundHundredth } from "../tree/round.ts";
import { distribute } from "./distribute.ts";

const hundredths = (hours: number): number => Math.round(hours * 100);
const total = (amounts: number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);

describe("distributing rounded hours", () => {
  it("gives the missing hundredths to the largest remainders, the earlier first", () => {
    expect(distribute([10 / 3, 10 / 3, 10 / 3], 10)).toEqual([3.34, 3.33, 3.33]);
    expect(distribute([1.001, 2.008, 3.001], 6.01)).toEqual([1, 2.01, 3]);
  });

  it("takes remainders for alike that only binary fractions tell apart", () => {
    // 0.1 + 0.2 is above 0.3 and 1.1 · 3 above 3.3 by one part in 10^16; 0.29 · 100 falls below 29.
    expect(distribute([1 / 3, 10 + 1 / 3, 100 + 1 / 3], 111)).toEqual([0.34, 10.33, 100.33]);
    expect(distribute([0.1 + 0.2, 1.1 * 3, 0.29], 3.89)).toEqual([0.3, 3.3, 0.29]);
  });

  it("rounds amounts below a hundredth to 0 or 0.01, and leaves 0 at 0", () => {
    expect(distribute([0.001, 0, 0.001, 0.004], 0.01)).toEqual([0, 0, 0, 0.01]);
    expect(distribute(new Array(10).fill(0.001), 0.01)).toEqual([0.01, ...new Array(9).fill(0)]);
    expect(distribute([0.001], 0)).toEqual([0]);
    expect(distribute([0, 0], 0)).toEqual([0, 0]);
    expect(distribute([], 0)).toEqual([]);
  });

  it("adds up exactly and moves no amount by a hundredth or more", () => {
    const amount = fc.oneof(
      fc.integer({ min: 0, max: 60_000_000 }).map((sixths) => sixths / 600),
      fc.double({ min: 0, max: 1e6, noNaN: true }),
      fc.double({ min: 0, max: 0.02, noNaN: true }),
    );
    fc.assert(
      fc.property(fc.array(amount, { maxLength: 200 }), (amounts) => {
        const rounded = distribute(amounts, total(amounts));
        expect(rounded.reduce((sum, hours) => sum + hundredths(hours), 0)).toBe(
          hundredths(roundHundredth(total(amounts))),
        );
        amounts.forEach((exact, index) => {
          expect(Math.abs((rounded[index] ?? -1) - exact)).toBeLessThanOrEqual(0.01);
        });
      }),
    );
  });

  it("adds up exactly where doubles lose hundredths: sums of 10^13 hours", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 1e8, max: 1e10, noNaN: true }), { minLength: 900, maxLength: 1_000 }),
        (amounts) => {
          const sum = total(amounts);
          const rounded = distribute(amounts, sum);
          expect(rounded.reduce((units, hours) => units + hundredths(hours), 0)).toBe(hundredths(roundHundredth(sum)));
        },
      ),
      { numRuns: 20 },
    );
  });
});
