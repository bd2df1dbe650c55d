import fc from "fast-check";
import { expect, test } from "vitest";
import { roundHundredth } from "../../../../domain/tree/hours/round.ts";
import { axisStart, barsOf, writtenHours } from "./bars.ts";

const step = (at: number, p80: number) => ({ nodeId: `n${at}`, title: `Question ${at}`, expected: 0, p80 });
const fall = (...changes: number[]) => ({
  before: { expected: 5, p80: 100 },
  after: { expected: 5, p80: changes.reduce((sum, hours) => sum + hours, 100) },
  steps: changes.map((hours, at) => step(at, hours)),
});

test("bars go from one total to the other, without what changes nothing", () => {
  expect(barsOf(fall(10, 0, -30), "p80").map(({ title, start, end, kind }) => [title, start, end, kind])).toEqual([
    ["Before", 0, 100, "total"],
    ["Question 0", 100, 110, "more"],
    ["Question 2", 110, 80, "less"],
    ["After", 0, 80, "total"],
  ]);
  expect(barsOf(fall(10), "expected").map(({ title }) => title)).toEqual(["Before", "After"]);
});

test("of many steps the largest are drawn in their order, and the others as one", () => {
  const bars = barsOf(fall(...Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? 1 : 10 + at))), "p80");
  expect(bars.length).toBe(14);
  expect(bars.slice(1, 4).map(({ title }) => title)).toEqual(["Question 0", "Question 1", "Question 3"]);
  expect(bars.at(-2)).toMatchObject({ title: "9 more", kind: "more" });
  expect(bars.at(-2)?.end).toBe(bars.at(-1)?.end);
});

test("what is written adds up, in tenths where the difference is small", () => {
  for (const changes of [
    [0.14, 0.14, 0.14],
    [0.04, 0.04, 0.04, -0.16],
    [40.4, 40.4, 40.4, -3.3],
    [10, -30],
  ]) {
    const waterfall = fall(...changes);
    const { before, after, steps } = writtenHours(waterfall, "p80");
    const sum = [...steps.values()].reduce((all, hours) => all + hours, before);
    expect(sum).toBeCloseTo(after, 6);
    const bars = barsOf(waterfall, "p80");
    expect(bars.slice(0, -1).reduce((all, { written }) => all + written, 0)).toBeCloseTo(after, 6);
    expect([bars[0]?.written, bars.at(-1)?.written]).toEqual([before, after]);
    for (const [at, hours] of [...steps.values()].entries())
      expect(Math.abs(hours - (changes[at] ?? 0))).toBeLessThan(Math.abs(after - before) >= 99 ? 1 : 0.1);
  }
  expect([...writtenHours(fall(0.14, 0.14, 0.14), "p80").steps.values()]).toEqual([0.1, 0.2, 0.1]);
  expect([...writtenHours(fall(40.4, 40.4, 40.4), "p80").steps.values()]).toEqual([40, 41, 40]);
});

test("what is written adds up exactly, of any steps in hundredths of an hour", () => {
  const hundredths = fc.integer({ min: -50_000, max: 50_000 });
  fc.assert(
    fc.property(fc.nat(500_000), fc.array(hundredths, { maxLength: 40 }), (start, changes) => {
      const steps = changes.map((change, at) => step(at, change / 100));
      const end = changes.reduce((sum, change) => sum + change, start);
      const of = (at: number) => ({ expected: 0, p80: at / 100 });
      const written = writtenHours({ before: of(start), after: of(end), steps }, "p80");
      const sum = [...written.steps.values()].reduce((all, hours) => roundHundredth(all + hours), written.before);
      expect(sum).toBe(written.after);
    }),
    { numRuns: 2_000 },
  );
});

test("the axis begins at 0, or at a round number where all hours are far from it", () => {
  const start = (...changes: number[]) => axisStart(barsOf(fall(...changes), "p80"));
  expect([start(), start(-60), start(120), start(90)]).toEqual([0, 0, 0, 70]);
  expect([start(10), start(-3), start(0.5)]).toEqual([90, 96, 99.8]);
});
