import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { runs } from "../../tests/support/runs.ts";
import { resultOf } from "../steps.ts";
import { figuresOf } from "../tree/hours/distribution.ts";
import { createEvidence, type FinishedTask } from "./evidence.ts";
import { type Question, type Suggested, suggest } from "./suggest.ts";

const PERCENTILES = ["p10", "p50", "p80", "p90"] as const;
const titles = ["Export invoices", "Colour of buttons", "Migrate payments", "Search customers", "Log in"];

/** A finished task by what it was estimated to take and took. */
const finished = (estimatedHours: number, actualHours: number, at: number): FinishedTask => ({
  ...{ id: `task ${at}`, title: `${titles[at % titles.length]} ${at}`, description: "", role: null },
  ...{ estimatedHours, actualHours },
});

/** Options with these hours; null: without an estimate. */
function questionOf(hours: readonly (number | null)[], correlation: number): Question {
  const expected = hours.reduce((sum: number, one) => sum + (one ?? 0), 0);
  const sums = { optimistic: expected, likely: expected, pessimistic: expected, deviations: 0, variances: 0 };
  const work = hours.map((own, at) => ({
    ...{ optionId: `opt_${at}`, title: `${titles[(2 * at) % titles.length]}`, description: "", role: null, hours: own },
  }));
  return { work, figures: figuresOf(sums, correlation), correlation };
}

function ask(question: Question, tasks: readonly FinishedTask[]): Suggested {
  const evidence = createEvidence();
  for (const task of tasks) evidence.add(task);
  return resultOf(suggest(question, evidence));
}

/** All percentiles of a suggestion: of the total and of each option. */
const said = ({ hours, perOption }: Suggested): number[] =>
  [hours, ...perOption.map((option) => option.hours)].flatMap((some) => PERCENTILES.map((name) => some?.[name] ?? 0));

const HOURS = [0.5, 1, 2, 3, 4, 6, 8, 12, 16, 24, 40];
const history = fc.array(fc.tuple(fc.constantFrom(...HOURS), fc.constantFrom(0.03, 0.25, 0.5, 0.8, 1, 1, 1.3, 2, 5)), {
  minLength: 10,
  maxLength: 60,
});
const options = fc.array(fc.option(fc.constantFrom(...HOURS), { freq: 5 }), { minLength: 1, maxLength: 12 });
const correlations = fc.constantFrom(0, 0.2, 0.5, 1);
/** Percentiles are rounded to hundredths. */
const ROUNDING = 0.011;

describe("what finished tasks say", () => {
  test("is nowhere more because one of them took less", () => {
    fc.assert(
      fc.property(
        history,
        options,
        correlations,
        fc.nat(),
        fc.double({ min: 0.02, max: 1, noNaN: true }),
        (...given) => {
          const [pairs, asked, correlation, which, part] = given;
          const tasks = pairs.map(([hours, ratio], at) => finished(hours, hours * ratio, at));
          const question = questionOf(asked, correlation);
          const before = said(ask(question, tasks));
          const changed = tasks.map((task, at) =>
            at === which % tasks.length ? { ...task, actualHours: task.actualHours * part } : task,
          );
          const after = said(ask(question, changed));
          for (const [at, value] of after.entries()) expect(value).toBeLessThanOrEqual((before[at] ?? 0) + ROUNDING);
        },
      ),
      { numRuns: runs(500) },
    );
  });

  test.each([1, 5, 20, 100])(
    "is r times the estimate for %i options where all of them took r times theirs",
    (count) => {
      fc.assert(
        fc.property(
          fc.double({ min: 0.1, max: 10, noNaN: true }),
          correlations,
          fc.nat(),
          (ratio, correlation, first) => {
            const tasks = Array.from({ length: 30 }, (_, at) => HOURS[(at + first) % HOURS.length] ?? 1);
            const hours = Array.from({ length: count }, (_, at) => HOURS[(3 * at + first) % HOURS.length] ?? 1);
            const { hours: total } = ask(
              questionOf(hours, correlation),
              tasks.map((estimated, at) => finished(estimated, estimated * ratio, at)),
            );
            const right = ratio * hours.reduce((sum, one) => sum + one, 0);
            expect(Math.abs((total?.p50 ?? 0) / right - 1)).toBeLessThan(0.02 + 0.01 / right);
          },
        ),
        { numRuns: 15 },
      );
    },
  );

  test("has percentiles that rise", () => {
    fc.assert(
      fc.property(history, options, correlations, (pairs, asked, correlation) => {
        const tasks = pairs.map(([hours, ratio], at) => finished(hours, hours * ratio, at));
        const { hours, perOption } = ask(questionOf(asked, correlation), tasks);
        for (const some of [hours, ...perOption.map((option) => option.hours)]) {
          const rising = PERCENTILES.map((name) => some?.[name] ?? Number.NaN);
          expect(rising).toEqual(rising.toSorted((a, b) => a - b));
          expect(rising.every((value) => value > 0)).toBe(true);
        }
      }),
      { numRuns: 50 },
    );
  });

  it("is less where the latest tasks took far less than estimated, and not more", () => {
    const tasks = Array.from({ length: 30 }, (_, at) => finished(16, at < 27 ? 16 : 0.5, at));
    const { hours } = ask(questionOf(Array(20).fill(16), 0), tasks);
    expect(hours?.p50).toBeLessThan(320);
    expect(hours?.p50).toBeGreaterThan(200);
  });

  it.each([0, 1, 2, 3, 4])("differs between every fifth task half as long and twice as long (%i)", (place) => {
    const totalOf = (ratio: number) => {
      const tasks = Array.from({ length: 30 }, (_, at) => ({
        ...finished(16, at % 5 === place ? 16 * ratio : 16, at),
        title: "Work",
      }));
      return ask(questionOf(Array(20).fill(16), 0), tasks).hours;
    };
    const [half, twice] = [totalOf(0.5), totalOf(2)];
    expect(half?.p50).toBeLessThan(320);
    expect(half?.p50).toBeGreaterThan(260);
    expect(twice?.p50).toBeGreaterThan(320);
    expect(twice?.p50).toBeLessThan(450);
  });

  // 400 questions: the standard error is 2 %.
  it("holds 80 % of what comes next", () => {
    const chance = (at: number) => (Math.abs(Math.sin(at * 12.9898)) * 43_758.5453) % 1;
    const normal = (at: number) =>
      Array.from({ length: 12 }, (_, part) => chance(12 * at + part)).reduce((sum, one) => sum + one, -6);
    const tasks = Array.from({ length: 440 }, (_, at) => finished(8, 8 * Math.exp(0.1 + 0.5 * normal(at)), at));
    const evidence = createEvidence();
    let held = 0;
    for (const [at, task] of tasks.entries()) {
      if (at >= 40) {
        const { hours } = resultOf(suggest(questionOf([8], 0), evidence));
        if (task.actualHours >= (hours?.p10 ?? 0) && task.actualHours <= (hours?.p90 ?? 0)) held += 1;
      }
      evidence.add(task);
    }
    expect(held / 400).toBeGreaterThan(0.76);
    expect(held / 400).toBeLessThan(0.84);
  });
});
