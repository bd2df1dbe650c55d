import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hasTwoDecimals, roundHundredth } from "./round.ts";

describe("rounding to hundredths", () => {
  it.each([
    [1.005, 1.01],
    [2.675, 2.68],
    [1.0049, 1],
    [0.125, 0.13],
    [0, 0],
    [9_999_999_999_999.99, 9_999_999_999_999.99],
  ])("makes %d into %d", (value, expected) => expect(roundHundredth(value)).toBe(expected));

  it("leaves every number of at most two decimals up to 10^13 as it is, and is never off by more than a half", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e15 }), (hundredths) => {
        expect(hasTwoDecimals(hundredths / 100)).toBe(true);
      }),
    );
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e9, noNaN: true }), (value) => {
        const rounded = roundHundredth(value);
        expect(Math.abs(rounded - value)).toBeLessThanOrEqual(0.005 + value * 1e-15);
        expect(roundHundredth(rounded)).toBe(rounded);
      }),
    );
  });

  it("keeps order", () => {
    const value = fc.double({ min: 0, max: 1e6, noNaN: true });
    fc.assert(fc.property(value, value, (a, b) => Math.sign(roundHundredth(b) - roundHundredth(a)) * (b - a) >= 0));
  });
});
