import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { medianInterval, medianOf, wilson } from "./intervals.ts";

describe("the interval of a proportion", () => {
  // Newcombe 1998, Statistics in Medicine 17, table I, method 3.
  it.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])("of %d of %d is the published one", (hits, n, low, high) => {
    expect(wilson(hits, n).low).toBeCloseTo(low, 4);
    expect(wilson(hits, n).high).toBeCloseTo(high, 4);
  });

  const trials = fc
    .integer({ min: 1, max: 2_000 })
    .chain((n) => fc.tuple(fc.integer({ min: 0, max: n }), fc.constant(n)));

  it("holds the share, is within 0 and 1, and is mirrored for the failures", () => {
    fc.assert(
      fc.property(trials, ([hits, n]) => {
        const [{ low, high }, failures] = [wilson(hits, n), wilson(n - hits, n)];
        expect(0 <= low && low <= hits / n && hits / n <= high && high <= 1).toBe(true);
        expect(1 - failures.high).toBeCloseTo(low, 12);
        expect(1 - failures.low).toBeCloseTo(high, 12);
      }),
    );
  });

  it("solves the equation that defines it: at its ends the share is 1.96 standard errors away", () => {
    fc.assert(
      fc.property(trials, ([hits, n]) => {
        for (const end of Object.values(wilson(hits, n)))
          expect((hits / n - end) ** 2).toBeCloseTo((1.959964 ** 2 * end * (1 - end)) / n, 10);
      }),
    );
  });
});

describe("the interval of a median", () => {
  const ranks = (n: number) => Array.from({ length: n }, (_, at) => at + 1);

  // Conover, table A3: the binomial distribution with p = ½.
  it.each([
    [6, 1, 6],
    [10, 2, 9],
    [15, 4, 12],
    [20, 6, 15],
    [25, 8, 18],
    [50, 18, 33],
    [100, 40, 61],
  ])("of %d values goes from the %dth to the %dth", (n, low, high) => {
    expect(medianInterval(ranks(n))).toEqual({ low, high });
  });

  it("does not exist for five values or fewer", () => {
    expect([0, 1, 5].map((n) => medianInterval(ranks(n)))).toEqual([null, null, null]);
  });

  it("covers 95 % or more, and one rank less on either side would not", () => {
    for (const n of [6, 7, 30, 99, 1_000]) {
      const { low } = medianInterval(ranks(n)) as { low: number };
      expect(tailOf(n, low)).toBeLessThanOrEqual(0.025);
      expect(tailOf(n, low + 1)).toBeGreaterThan(0.025);
    }
  });

  /** P(X < rank) for n trials of probability ½, by exact integers. */
  function tailOf(n: number, rank: number): number {
    let [ways, sum] = [1n, 0n];
    for (let k = 0; k < rank; k++) {
      sum += ways;
      ways = (ways * BigInt(n - k)) / BigInt(k + 1);
    }
    return Number((sum * 10n ** 9n) / 2n ** BigInt(n)) / 1e9;
  }
});

describe("a median", () => {
  it("is the middle value, or between the two in the middle", () => {
    expect([[3], [1, 2], [1, 2, 9], [1, 2, 4, 9]].map(medianOf)).toEqual([3, 1.5, 2, 3]);
  });
});
