import { describe, expect, it, test } from "vitest";
import { resultOf } from "../steps.ts";
import { addUp, type Hours, levelAt, levelsOf, quantilesAt } from "./levels.ts";

/** Lopsided hours: of a half that takes one hour, and a half that takes from one to ten. */
const lopsided = levelsOf((probability) => (probability < 0.5 ? 1 : 10 ** (2 * probability - 1)));
const total = (pieces: readonly Hours[], correlation: number) => resultOf(addUp(pieces, correlation));
const many = (count: number): Hours[] => Array.from({ length: count }, () => ({ levels: lopsided, times: 2 }));

function momentsOf({ levels, times }: Hours) {
  const mean = levels.reduce((sum, level) => sum + times * level, 0) / levels.length;
  const variance = levels.reduce((sum, level) => sum + (times * level - mean) ** 2, 0) / levels.length;
  return { mean, variance };
}

describe("a sum of hours", () => {
  test.each([0, 0.3, 1])("of one piece is the piece, with a correlation of %d", (correlation) => {
    const [piece] = many(1) as [Hours];
    expect(quantilesAt(total([piece], correlation))).toEqual(quantilesAt(piece));
  });

  test.each([2, 5, 20, 100])("of %i pieces has their mean and variance, for any correlation", (count) => {
    const piece = { levels: levelsOf((probability) => 4 ** (2 * probability - 1)), times: 2 };
    const { mean, variance } = momentsOf(piece);
    for (const correlation of [0, 0.2, 0.6, 1]) {
      const sum = momentsOf(total(Array(count).fill(piece), correlation));
      expect(sum.mean / (count * mean)).toBeCloseTo(1, 9);
      const right = variance * (count + count * (count - 1) * correlation);
      // A copula of lopsided hours correlates them a little less than its scores.
      expect(sum.variance / right).toBeGreaterThan(0.8);
      expect(sum.variance / right).toBeLessThan(1.15);
    }
  });

  it("is as lopsided as its pieces: the median of a few is below the mean, and that of many is near it", () => {
    const { mean } = momentsOf(many(1)[0] as Hours);
    const medianOf = (count: number) => levelAt(total(many(count), 0), 0.5) / (count * mean);
    expect(medianOf(1)).toBeLessThan(0.5);
    expect(medianOf(5)).toBeLessThan(0.99);
    expect(medianOf(100)).toBeCloseTo(1, 1.7);
  });

  it("is that of all pieces, also of more than are drawn apart", () => {
    const { mean } = momentsOf(many(1)[0] as Hours);
    expect(momentsOf(total(many(1_000), 0)).mean).toBeCloseTo(1_000 * mean, 3);
  });

  it("adds up percentiles only where pieces always go together", () => {
    const [piece] = many(1) as [Hours];
    expect(levelAt(total(many(10), 1), 0.9)).toBeCloseTo(10 * levelAt(piece, 0.9), 6);
    expect(levelAt(total(many(10), 0), 0.9)).toBeLessThan(8 * levelAt(piece, 0.9));
  });
});

it("believes no side that is further from the median than a P90 of 26 times the P10", () => {
  const wide = { levels: levelsOf((probability) => 1_000 ** (2 * probability - 1)), times: 1 };
  expect(levelAt(wide, 0.9) / levelAt(wide, 0.1)).toBeCloseTo(26.6, 0);
  expect(levelAt(wide, 0.5)).toBe(1);
});
