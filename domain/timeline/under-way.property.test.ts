import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Forecast } from "../../contract/endpoints/milestones.ts";
import { runs } from "../../tests/support/runs.ts";
import { forecast } from "./forecast.ts";
import { itemsOf } from "./items.ts";
import { makePlan } from "./plan.ts";
import type { PlannedTask } from "./shape.ts";
import { type Sample, samples } from "./testing/plans.ts";
import { weekOf } from "./testing/settings.ts";

const DAY = 86_400;
const drawing = { seed: [1, 2, 3, 4], correlation: 0.2, runs: 200 };
const at = (values: Float64Array, index: number) => values[index] as number;

const asOf = ({ input, ranges }: Sample, instant: number): Sample => ({
  ranges,
  input: { ...input, settings: { ...input.settings, asOf: instant } },
});

/** The forecasts of the goals of a plan. */
const forecastsOf = ({ input, ranges }: Sample, plan = makePlan(input)) =>
  forecast(plan, input.goals, { ...drawing, ranges });

const secondsOf = (date: string | null | undefined) => Date.parse(date ?? "") / 1_000;
const datesOf = (shown: Forecast | null) =>
  [shown?.planned, shown?.p50, shown?.p80, shown?.p95].map((date) => secondsOf(date));

const openOf = (tasks: readonly PlannedTask[]) =>
  new Set(tasks.filter(({ doneAt }) => doneAt === null).map(({ id }) => id));

describe("open work of a project under way", () => {
  it("lies nowhere in the past: not in the schedule, not in a simulated one, not in a forecast", () => {
    fc.assert(
      fc.property(samples({ tasks: 15 }), (sample) => {
        const plan = makePlan(sample.input);
        const open = openOf(plan.tasks);
        for (const { taskId, start, end } of itemsOf(plan)) {
          if (!open.has(taskId)) continue;
          expect(Date.parse(start) / 1_000).toBeGreaterThanOrEqual(plan.asOf);
          expect(end >= start).toBe(true);
        }
        plan.play.run(Float64Array.from(plan.play.order, (_, place) => place * 1_000));
        for (const place of plan.play.order.keys()) {
          expect(at(plan.play.times, 2 * place)).toBeGreaterThanOrEqual(plan.timed.over);
        }
        const forecasts = forecastsOf(sample, plan);
        for (const { id, dueDate, taskIds } of sample.input.goals) {
          if (![...taskIds].some((task) => open.has(task))) continue;
          for (const date of datesOf(forecasts.get(id) ?? null)) expect(date).toBeGreaterThanOrEqual(plan.asOf);
          const isOver = Date.parse(`${dueDate}T23:00:00Z`) / 1_000 < plan.asOf;
          if (isOver) expect(forecasts.get(id)?.probability).toBe(0);
        }
      }),
      { numRuns: 150 },
    );
  });

  it("leaves what is done where it was, and changes nothing before the start", () => {
    fc.assert(
      fc.property(samples({ tasks: 15 }), (sample) => {
        const start = Date.UTC(2027, 0, 4) / 1_000;
        const early = makePlan(asOf(sample, start - 30 * DAY).input);
        const [before, after] = [itemsOf(early), itemsOf(makePlan(asOf(sample, start - 3_600).input))];
        expect(after).toEqual(before);
        const late = makePlan(asOf(sample, start + 9 * DAY).input);
        const open = openOf(late.tasks);
        const done = (items: typeof before) => items.filter(({ taskId }) => !open.has(taskId));
        expect(done(itemsOf(late))).toEqual(done(before));
      }),
      { numRuns: 100 },
    );
  });

  it("moves by the time that passes and not more, if nothing is done and there are people for everything", () => {
    fc.assert(
      fc.property(samples({ tasks: 12, manyPeople: true }), fc.integer({ min: 0, max: 200 }), (sample, hours) => {
        const plan = makePlan(sample.input);
        const later = asOf(sample, plan.asOf + hours * 3_600);
        const [before, after] = [forecastsOf(sample), forecastsOf(later)];
        const passed = plan.calendar.workBefore(later.input.settings.asOf) - plan.timed.over;
        for (const { id } of sample.input.goals) {
          const [old, now] = [datesOf(before.get(id) ?? null), datesOf(after.get(id) ?? null)];
          for (const [index, date] of now.entries()) {
            if (Number.isNaN(date)) continue;
            const moved = plan.calendar.workBefore(date) - plan.calendar.workBefore(old[index] as number);
            expect(moved).toBeGreaterThanOrEqual(-60);
            expect(moved).toBeLessThanOrEqual(passed + 60);
          }
        }
      }),
      { numRuns: 100 },
    );
  });
});

/** How a project goes on: when each task is done if it takes `pace` times its hours, in the order of the first plan. */
function courseOf({ input }: Sample, paces: readonly number[]): ReadonlyMap<string, { doneAt: number; hours: number }> {
  const { play, tasks, timed, calendar } = makePlan(input);
  const paceOf = (place: number) => paces[place % paces.length] ?? 1;
  play.run(Float64Array.from(play.order, (task, place) => Math.round(at(timed.seconds, task) * paceOf(place))));
  return new Map(
    Array.from(play.order, (task, place) => [
      tasks[task]?.id ?? "",
      {
        doneAt: Math.ceil(calendar.instantOf(at(play.times, 2 * place + 1), "end")),
        hours: (tasks[task]?.hours ?? 0) * paceOf(place),
      },
    ]),
  );
}

/** Moves the clock through a project, day by day at the same hour, until everything is done; returns how many days it took. */
function walk({ input: given, ranges }: Sample, paces: readonly number[], hourOfDay: number): number {
  const start = Date.UTC(2027, 0, 4) / 1_000 - 2 * DAY + hourOfDay * 3_600;
  const settings = { ...given.settings, weeklyPattern: weekOf(1, 1, 1, 1, 1, 0, 0), asOf: start };
  const goals = [{ id: "all", dueDate: "2027-02-12", taskIds: new Set(given.tasks.map(({ id }) => id)) }];
  const course = courseOf({ input: { ...given, settings, goals }, ranges }, paces);
  let before = Number.POSITIVE_INFINITY;
  for (let day = 0; ; day += 1) {
    const now = start + day * DAY;
    const tasks = given.tasks.map((task) => {
      const end = course.get(task.id);
      return end && end.doneAt <= now ? { ...task, doneAt: end.doneAt, actualHours: end.hours } : task;
    });
    const plan = makePlan({ ...given, tasks, goals, settings: { ...settings, asOf: now } });
    const shown = forecast(plan, goals, { ...drawing, ranges }).get("all") ?? null;
    const open = openOf(tasks);
    if (open.size === 0) {
      const end = Math.max(...[...course.values()].map(({ doneAt }) => doneAt));
      for (const date of datesOf(shown)) expect(Math.abs(date - end)).toBeLessThanOrEqual(30);
      return day;
    }
    for (const date of datesOf(shown)) expect(date).toBeGreaterThanOrEqual(now);
    for (const item of itemsOf(plan))
      if (open.has(item.taskId)) expect(secondsOf(item.start)).toBeGreaterThanOrEqual(now);
    const p80 = plan.calendar.workBefore(secondsOf(shown?.p80));
    // Dates are rounded to minutes.
    expect(p80 - before).toBeLessThanOrEqual(settings.hoursPerDay * 3_600 + 60);
    before = p80;
  }
}

/** Three weeks of two people of one role and one of another, who wait for each other. */
const project: Sample = {
  input: {
    settings: {
      ...{ startDate: "2027-01-04", asOf: 0, timeZone: "Europe/Berlin", hoursPerDay: 8, focusFactor: 0.8 },
      ...{ weeklyPattern: weekOf(1, 1, 1, 1, 1, 0, 0), holidays: ["2027-01-06"] },
      people: [{ role: "backend", count: 2 }],
    },
    tasks: [40, 16, 8, 24, 12, 6, 20, 32].map((hours, position) => ({
      ...{ id: `tsk_${position}`, position, hours, doneAt: null, actualHours: null },
      role: position % 3 === 2 ? "design" : "backend",
    })),
    dependencies: [
      { from: "tsk_0", to: "tsk_5", type: "finish_to_start", lagHours: 0 },
      { from: "tsk_2", to: "tsk_3", type: "finish_to_start", lagHours: 4 },
      { from: "tsk_1", to: "tsk_6", type: "start_to_start", lagHours: 8 },
      { from: "tsk_6", to: "tsk_7", type: "finish_to_finish", lagHours: 0 },
    ],
    goals: [],
  },
  ranges: [40, 16, 8, 24, 12, 6, 20, 32].map((likely, task) => ({
    ...{ taskId: `tsk_${task}`, optimistic: likely * 0.7, likely, pessimistic: likely * 2 },
  })),
};

describe("a whole project, with the clock moved day by day", () => {
  it.each([
    ["as planned", [1], 8],
    ["in half of the time", [0.5], 8],
    ["in twice the time", [2], 0],
    ["some of it fast and some of it slowly, looked at in the middle of the day", [0.4, 2.5, 1, 0.7, 1.6], 13],
    ["with one task that takes for ever", [1, 1, 6], 23],
  ])("done %s: no open work lies in the past, and the P80 moves by a working day a day at most", (_, paces, hour) => {
    expect(walk(project, paces, hour)).toBeGreaterThan(7);
  });

  it("of any shape, with people for everything", () => {
    const paces = fc.array(fc.double({ min: 0.3, max: 2.5, noNaN: true }), { minLength: 3, maxLength: 15 });
    const hours = fc.integer({ min: 0, max: 23 });
    fc.assert(
      fc.property(samples({ tasks: 12, manyPeople: true, done: false }), paces, hours, (...given) => {
        walk(...given);
      }),
      { numRuns: runs(150) },
    );
  });
});
