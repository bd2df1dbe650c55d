import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dayOf } from "../timeline/calendar.ts";
import { meanOf, percentilesOf } from "../tree/hours/distribution.ts";
import { roundHundredth } from "../tree/hours/round.ts";
import { type Capacity, type Part, portfolioOf } from "./portfolio.ts";

/** An estimation of one option with these three points. */
function part(id: string, [optimistic, likely, pessimistic]: readonly number[], more: Partial<Part> = {}): Part {
  const points = { optimistic: optimistic ?? 0, likely: likely ?? 0, pessimistic: pessimistic ?? 0 };
  const expected = meanOf(points);
  const standardDeviation = Math.sqrt(((expected - points.optimistic) * (points.pessimistic - expected)) / 7);
  const moments = { ...points, expected, standardDeviation };
  return { id, title: id, moments, p80: percentilesOf(moments).p80, hourlyRate: null, currency: null, ...more };
}

const ranges = fc
  .tuple(fc.nat(100), fc.nat(100), fc.nat(100))
  .map(([low, more, most]) => [low, low + more, low + more + most]);

describe("the hours of several estimations", () => {
  it("are those of the only one, whatever the correlation", () => {
    const [one] = [part("one", [4, 16, 34])];
    for (const correlation of [0, 0.2, 1]) {
      const { p50, p80, p90, p95 } = percentilesOf(one.moments);
      expect(portfolioOf([one], correlation, null).hours).toEqual({
        expected: 17,
        p50: roundHundredth(p50),
        p80: roundHundredth(p80),
        p90: roundHundredth(p90),
        p95: roundHundredth(p95),
      });
    }
  });

  it("have a P80 below the sum of each P80, unless all are late together", () => {
    const parts = Array.from({ length: 20 }, (_, at) => part(`e${at}`, [4, 16, 34]));
    const [apart, together] = [0, 1].map((correlation) => portfolioOf(parts, correlation, null));
    expect(together?.hours.p80).toBeCloseTo(together?.sumOfP80 ?? 0, 1);
    // Alone the P80 of each is 5.7 h above its mean of 17 h: √20 of that for twenty that are independent.
    expect(apart?.hours.p80).toBeGreaterThan(340 + 0.8 * Math.sqrt(20) * 5);
    expect(apart?.hours.p80).toBeLessThan(340 + 1.2 * Math.sqrt(20) * 5.7);
    expect(apart?.sumOfP80).toBe(together?.sumOfP80);
  });

  it("are nothing where there is nothing", () => {
    expect(portfolioOf([], 0.2, null)).toEqual({
      count: 0,
      correlation: 0.2,
      hours: { expected: 0, p50: 0, p80: 0, p90: 0, p95: 0 },
      ...{ sumOfP80: 0, costs: [], drivers: [], capacity: null },
    });
  });

  it("grow with the correlation, and are in order", () => {
    fc.assert(
      fc.property(fc.array(ranges, { maxLength: 20 }), (all) => {
        const parts = all.map((points, at) => part(`e${at}`, points));
        let before = 0;
        for (const correlation of [0, 0.2, 0.7, 1]) {
          const { hours } = portfolioOf(parts, correlation, null);
          expect(hours.p80).toBeGreaterThanOrEqual(before);
          expect([hours.p50, hours.p80, hours.p90, hours.p95].toSorted((one, other) => one - other)).toEqual([
            hours.p50,
            hours.p80,
            hours.p90,
            hours.p95,
          ]);
          before = hours.p80 - 0.01;
        }
      }),
    );
  });
});

describe("drivers", () => {
  it("have the share of the variance that they cause, the largest first, and sum to 1", () => {
    const parts = [part("small", [1, 2, 3]), part("exact", [5, 5, 5]), part("large", [10, 20, 90])];
    const { drivers } = portfolioOf(parts, 0, null);
    const variances = parts.map(({ moments }) => moments.standardDeviation ** 2);
    const all = variances.reduce((sum, one) => sum + one, 0);
    expect(drivers.map(({ estimationId }) => estimationId)).toEqual(["large", "small", "exact"]);
    expect(drivers.map(({ share }) => share)).toEqual(
      [2, 0, 1].map((at) => expect.closeTo((variances[at] ?? 0) / all, 5)),
    );
    expect(drivers.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 9);
    // Fully correlated, deviations count instead of variances.
    const deviations = parts.map(({ moments }) => moments.standardDeviation);
    const [largest] = portfolioOf(parts, 1, null).drivers;
    expect(largest?.share).toBeCloseTo((deviations[2] ?? 0) / deviations.reduce((sum, one) => sum + one, 0), 5);
  });

  it("are all 0 where nothing is uncertain", () => {
    const { drivers } = portfolioOf([part("one", [5, 5, 5]), part("other", [2, 2, 2])], 0.2, null);
    expect(drivers.map(({ share }) => share)).toEqual([0, 0]);
  });
});

describe("costs", () => {
  it("are by currency, of those that have a rate, each with its own", () => {
    const euro = { hourlyRate: 100, currency: "EUR" };
    const parts = [
      part("a", [10, 10, 10], { hourlyRate: 80, currency: "USD" }),
      part("b", [4, 16, 34], euro),
      part("c", [4, 16, 34], { ...euro, hourlyRate: 50 }),
      part("d", [4, 16, 34]),
    ];
    const { costs } = portfolioOf(parts, 0.2, null);
    expect(costs.map(({ currency, count, expected }) => [currency, count, expected])).toEqual([
      ["EUR", 2, 17 * 150],
      ["USD", 1, 800],
    ]);
    const [one] = portfolioOf([parts[1] as Part], 0.2, null).costs;
    // With one rate, what a reader finds by multiplying.
    expect(one?.p80).toBe(roundHundredth(100 * roundHundredth(parts[1]?.p80 ?? 0)));
    const odd = part("e", [4, 16, 34], { hourlyRate: 1_112.5, currency: "EUR" });
    const {
      hours,
      costs: [whole],
    } = portfolioOf([odd], 0.2, null);
    expect(whole?.p80).toBe(roundHundredth(1_112.5 * hours.p80));
  });
});

describe("capacity", () => {
  const hoursOf = (from: string, until: string, more: Partial<Capacity> = {}) => {
    const days = { from: dayOf(from) ?? 0, until: dayOf(until) ?? 0 };
    return portfolioOf([], 0.2, { people: 1, hoursPerWeek: 40, ...days, ...more }).capacity?.hours;
  };

  it("counts the days from Monday to Friday, the first and the last included", () => {
    // 4 January 2027 is a Monday.
    expect(hoursOf("2027-01-04", "2027-01-04")).toBe(8);
    expect(hoursOf("2027-01-04", "2027-01-08")).toBe(40);
    expect(hoursOf("2027-01-04", "2027-01-10")).toBe(40);
    expect(hoursOf("2027-01-09", "2027-01-10")).toBe(0);
    expect(hoursOf("2027-01-08", "2027-01-11")).toBe(16);
    expect(hoursOf("2027-01-04", "2027-01-17", { people: 2.5, hoursPerWeek: 30 })).toBe(150);
  });

  it("counts them as a calendar does, day by day", () => {
    fc.assert(
      fc.property(fc.nat(84_000), fc.nat(60), (from, more) => {
        const days = Array.from({ length: more + 1 }, (_, at) => new Date((from + at) * 86_400_000).getUTCDay());
        const worked = days.filter((day) => day !== 0 && day !== 6).length;
        const { capacity } = portfolioOf([], 0.2, { people: 1, hoursPerWeek: 5, from, until: from + more });
        expect(capacity?.hours).toBe(worked);
      }),
    );
  });

  it("is enough for exact hours that it equals, whatever their sum's rounding error", () => {
    const exact = [part("a", [1.1, 1.1, 1.1]), part("b", [2.2, 2.2, 2.2])];
    const week = { people: 1, from: dayOf("2027-01-04") ?? 0, until: dayOf("2027-01-08") ?? 0 };
    const likely = (hoursPerWeek: number) => portfolioOf(exact, 0.2, { ...week, hoursPerWeek }).capacity?.probability;
    expect([likely(3.3), likely(3.29)]).toEqual([1, 0]);
  });

  it("is enough as often as the sum takes no longer", () => {
    const parts = Array.from({ length: 5 }, (_, at) => part(`e${at}`, [4, 16, 34]));
    const { hours } = portfolioOf(parts, 0.2, null);
    const monday = { from: dayOf("2027-01-04") ?? 0, until: dayOf("2027-01-08") ?? 0, people: 1 };
    const likely = (weekly: number) =>
      portfolioOf(parts, 0.2, { ...monday, hoursPerWeek: weekly }).capacity?.probability;
    expect(likely(hours.p80)).toBe(0.8);
    expect(likely(hours.p50)).toBe(0.5);
    expect(likely(20)).toBe(0);
    expect(likely(170)).toBe(1);
  });
});
