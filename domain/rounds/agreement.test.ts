import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ThreePoint } from "../../contract/values/tree.ts";
import { agreementOf, disagrees, outliersOf, rangeOf } from "./agreement.ts";
import { drawOrder } from "./draw.ts";
import { medianPoints } from "./median.ts";
import { summaryOf } from "./result.ts";

const fixed = (hours: number): ThreePoint => ({ optimistic: hours, likely: hours, pessimistic: hours });
const someone: fc.Arbitrary<ThreePoint> = fc
  .array(fc.integer({ min: 0, max: 10_000 }), { minLength: 3, maxLength: 3 })
  .map((all) => all.toSorted((a, b) => a - b))
  .map(([optimistic = 0, likely = 0, pessimistic = 0]) => ({ optimistic, likely, pessimistic }));

describe("the agreement about an option", () => {
  it("is the overlap of the 80 % ranges of two people: what both hold, by what either holds", () => {
    const [one, other] = [
      { optimistic: 0, likely: 10, pessimistic: 20 },
      { optimistic: 5, likely: 15, pessimistic: 25 },
    ];
    const [a, b] = [rangeOf(one), rangeOf(other)];
    expect(agreementOf([one, other])).toBeCloseTo((a.high - b.low) / (b.high - a.low), 12);
    expect(b.low - a.low).toBeCloseTo(5, 9);
  });

  it("is the mean over all pairs", () => {
    const [one, other, third] = [fixed(1), fixed(1), fixed(2)];
    expect(agreementOf([one, other, third])).toBeCloseTo(1 / 3, 12);
  });

  it("is from 0 to 1, does not depend on the order or the unit, and is 1 where all say the same", () => {
    fc.assert(
      fc.property(fc.array(someone, { minLength: 2, maxLength: 12 }), (estimates) => {
        const agreement = agreementOf(estimates) as number;
        expect(agreement).toBeGreaterThanOrEqual(0);
        expect(agreement).toBeLessThanOrEqual(1);
        expect(agreementOf(estimates.toReversed())).toBeCloseTo(agreement, 9);
        const inDays = estimates.map(({ optimistic, likely, pessimistic }) => ({
          optimistic: optimistic / 8,
          likely: likely / 8,
          pessimistic: pessimistic / 8,
        }));
        expect(agreementOf(inDays)).toBeCloseTo(agreement, 6);
        expect(agreementOf(estimates.map(() => estimates[0] as ThreePoint))).toBeCloseTo(1, 12);
      }),
    );
  });

  it("needs two, and below 0.5 people disagree", () => {
    expect([agreementOf([]), agreementOf([fixed(1)])]).toEqual([null, null]);
    expect([null, 0, 0.4999, 0.5, 1].map(disagrees)).toEqual([false, true, true, false, false]);
  });

  it("finds the lowest and the highest where people disagree, and nobody where they agree", () => {
    const outliers = (estimates: ThreePoint[]) => outliersOf(estimates, agreementOf(estimates));
    expect(outliers([fixed(5), fixed(1), fixed(5), fixed(9), fixed(9)])).toEqual([false, true, false, true, true]);
    expect(outliers([fixed(5), fixed(5)])).toEqual([false, false]);
  });
});

describe("the median of estimates", () => {
  it("is that of each point, to the hundredth", () => {
    const low = { optimistic: 1, likely: 2, pessimistic: 9 };
    const high = { optimistic: 2.01, likely: 8, pessimistic: 10 };
    expect(medianPoints([high, low])).toEqual({ optimistic: 1.51, likely: 5, pessimistic: 9.5 });
    expect(medianPoints([high, low, fixed(3)])).toEqual({ optimistic: 2.01, likely: 3, pessimistic: 9 });
  });

  it("is in order", () => {
    fc.assert(
      fc.property(fc.array(someone, { minLength: 1, maxLength: 50 }), (estimates) => {
        const { optimistic, likely, pessimistic } = medianPoints(estimates);
        expect(optimistic <= likely && likely <= pessimistic).toBe(true);
      }),
    );
  });
});

describe("what came of an option", () => {
  it("is nothing of fewer estimates than are needed, and all of it from there on", () => {
    const two = [fixed(1), fixed(3)];
    expect(summaryOf(two, { skipped: 1, needed: 3 })).toEqual({
      ...{ people: 2, skipped: 1, tooFew: true, agreement: null, disagrees: false, pool: null, median: null },
    });
    expect(summaryOf(two, { skipped: 0, needed: 2 })).toMatchObject({
      ...{ people: 2, skipped: 0, tooFew: false, agreement: 0, disagrees: true, median: fixed(2) },
    });
  });
});

describe("a drawn order", () => {
  it("has the same values, and each order follows from draws that are equally likely", () => {
    const values = ["a", "b", "c", "d"];
    const orders = new Map<string, number>();
    // All draws that there are: 4 · 3 · 2.
    for (let draw = 0; draw < 24; draw++) {
      let rest = draw;
      const drawn = drawOrder(values, (n) => {
        const at = rest % n;
        rest = Math.floor(rest / n);
        return at;
      }).join("");
      orders.set(drawn, (orders.get(drawn) ?? 0) + 1);
    }
    expect(orders.size).toBe(24);
    expect(values).toEqual(["a", "b", "c", "d"]);
  });
});
