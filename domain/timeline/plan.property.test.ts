import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { forecast } from "./forecast.ts";
import { itemsOf } from "./items.ts";
import { makePlan, type Plan, type PlanInput } from "./plan.ts";
import { weekdays } from "./shape.ts";
import { type Sample, samples, shuffled } from "./testing/plans.ts";

const check = (sample: fc.Arbitrary<Sample>, law: (plan: Plan, sample: Sample) => void, numRuns = 150) =>
  fc.assert(
    fc.property(sample, (given) => law(makePlan(given.input), given)),
    { numRuns },
  );
const at = (values: Float64Array, index: number) => values[index] as number;
const isOpen = ({ tasks }: Plan, index: number) => tasks[index]?.doneAt === null;
const drawing = { seed: [1, 2, 3, 4], correlation: 0.2, runs: 50 };

/** Checks that every link of an open task is kept by these times. */
function expectLinksKept(plan: Plan, { input }: Sample, times: { start: Float64Array; end: Float64Array }): void {
  for (const { from, to, type, lagHours } of input.dependencies) {
    const [a, b] = [plan.indexOf.get(from) ?? -1, plan.indexOf.get(to) ?? -1];
    if (!isOpen(plan, b)) continue;
    const lag = Math.round(lagHours * 3_600);
    if (type === "finish_to_start") expect(at(times.start, b)).toBeGreaterThanOrEqual(at(times.end, a) + lag);
    if (type === "start_to_start") expect(at(times.start, b)).toBeGreaterThanOrEqual(at(times.start, a) + lag);
    if (type === "finish_to_finish") expect(at(times.end, b)).toBeGreaterThanOrEqual(at(times.end, a) + lag);
  }
}

/** Checks that no role has more people at work at the same time than it has in all. */
function expectCapacityKept(plan: Plan, { input }: Sample, times: { start: Float64Array; end: Float64Array }): void {
  const peopleOf = new Map<string | null, number>(input.settings.people.map(({ role, count }) => [role, count]));
  const events = plan.tasks.flatMap(({ role }, index) => {
    const [start, end] = [at(times.start, index), at(times.end, index)];
    if (!isOpen(plan, index) || start === end) return [];
    return [
      { role, time: start, by: 1 },
      { role, time: end, by: -1 },
    ];
  });
  const busy = new Map<string | null, number>();
  for (const { role, by } of events.sort((a, b) => a.time - b.time || a.by - b.by)) {
    busy.set(role, (busy.get(role) ?? 0) + by);
    expect(busy.get(role)).toBeLessThanOrEqual(peopleOf.get(role) ?? 1);
  }
}

/** Checks by local time that an instant is within the working hours of a working day. */
function expectWorked(instant: string, settings: PlanInput["settings"]): void {
  const { timeZone, hoursPerDay, weeklyPattern, holidays } = settings;
  const wall = new Intl.DateTimeFormat("sv", { timeZone, dateStyle: "short", timeStyle: "short" });
  const [date = "", time = ""] = wall.format(new Date(instant)).split(" ");
  expect(holidays).not.toContain(date);
  const seconds =
    hoursPerDay * (weeklyPattern[weekdays[(new Date(date).getUTCDay() + 6) % 7] ?? "monday"] ?? 0) * 3_600;
  expect(seconds, `${date} is not worked`).toBeGreaterThan(0);
  const [hour = 0, minute = 0] = time.split(":").map(Number);
  const sinceNine = (hour - 9) * 3_600 + minute * 60;
  // Instants are rounded to minutes.
  expect(sinceNine).toBeGreaterThanOrEqual(0);
  expect(sinceNine).toBeLessThanOrEqual(seconds);
}

describe("a schedule", () => {
  it("breaks no dependency, and never needs more people than there are", () => {
    check(samples({ tasks: 25 }), (plan, sample) => {
      expectLinksKept(plan, sample, plan.schedule);
      expectCapacityKept(plan, sample, plan.schedule);
    });
  });

  it("gives every open task its whole work, and leaves done tasks where they are", () => {
    check(samples({ tasks: 25 }), (plan) => {
      const { seconds, fixedEnd } = plan.timed;
      for (const index of plan.tasks.keys()) {
        const length = at(plan.schedule.end, index) - at(plan.schedule.start, index);
        if (isOpen(plan, index)) expect(length).toBeGreaterThanOrEqual(at(seconds, index));
        else expect(at(plan.schedule.end, index)).toBe(at(fixedEnd, index));
      }
    });
  });

  it("has no unnecessary gaps: each task starts as soon as a link, a person of its role, the start date and the present allow it", () => {
    check(samples({ tasks: 12, done: false }), (plan) => {
      const { start, end } = plan.schedule;
      const possible = new Set([plan.timed.over, ...end]);
      for (const { from, to, lag, type } of linksOf(plan)) {
        if (type === "start_to_start") possible.add(at(start, from) + lag);
        else if (to >= 0) possible.add(at(end, from) + lag);
      }
      for (const time of start) expect(possible.has(time)).toBe(true);
    });
  });

  it("uses only working time: the instants of a task have its work before them", () => {
    check(samples({ tasks: 15, done: false }), (plan, { input: { settings } }) => {
      for (const [index, item] of itemsOf(plan).entries()) {
        const { calendar, schedule } = plan;
        const near = (instant: string, work: number) =>
          // Instants are rounded to minutes.
          expect(Math.abs(calendar.workBefore(Date.parse(instant) / 1_000) - work)).toBeLessThanOrEqual(30);
        near(item.start, at(schedule.start, index));
        near(item.end, at(schedule.end, index));
        expect(item.end >= item.start).toBe(true);
        // What takes no time may be where the work before it ends: at the end of a day, before the first one, or now.
        if (at(schedule.start, index) < at(schedule.end, index)) expectWorked(item.start, settings);
        if (at(schedule.end, index) > plan.timed.over) expectWorked(item.end, settings);
      }
    });
  });

  it("never ends earlier because a task takes longer, if there are people for everything", () => {
    const more = fc.tuple(
      samples({ tasks: 15, manyPeople: true, done: false }),
      fc.nat(),
      fc.integer({ min: 1, max: 9_000 }),
    );
    fc.assert(
      fc.property(more, ([{ input }, which, hundredths]) => {
        const longer = input.tasks.map((task, at) =>
          at === which % input.tasks.length ? { ...task, hours: task.hours + hundredths / 100 } : task,
        );
        const before = makePlan(input);
        const after = makePlan({ ...input, tasks: longer });
        for (const index of before.tasks.keys()) {
          expect(at(after.schedule.end, index)).toBeGreaterThanOrEqual(at(before.schedule.end, index));
          expect(at(after.schedule.start, index)).toBeGreaterThanOrEqual(at(before.schedule.start, index));
        }
      }),
      { numRuns: 150 },
    );
  });

  it("and its forecast have the same bytes whatever the order of the rows", () => {
    fc.assert(
      fc.property(samples({ tasks: 15 }), fc.integer(), (sample, seed) => {
        const shown = ({ input, ranges }: Sample) => {
          const plan = makePlan(input);
          const forecasts = forecast(plan, input.goals, { ...drawing, ranges });
          const sorted = [...forecasts].sort(([a], [b]) => (a < b ? -1 : 1));
          return JSON.stringify([itemsOf(plan), plan.assumed, sorted]);
        };
        expect(shown(shuffled(sample, seed))).toBe(shown(sample));
      }),
      { numRuns: 60 },
    );
  });
});

describe("every simulated schedule", () => {
  it("breaks no dependency, and never needs more people than there are", () => {
    const seconds = fc.infiniteStream(fc.integer({ min: 0, max: 300_000 }));
    fc.assert(
      fc.property(samples({ tasks: 20 }), seconds, (sample, stream) => {
        const plan = makePlan(sample.input);
        const { play, schedule } = plan;
        const drawn = Float64Array.from(play.order, () => stream.next().value as number);
        play.run(drawn);
        const times = { start: schedule.start.slice(), end: schedule.end.slice() };
        play.order.forEach((task, place) => {
          times.start[task] = at(play.times, 2 * place);
          times.end[task] = at(play.times, 2 * place + 1);
          expect(at(times.end, task) - at(times.start, task)).toBeGreaterThanOrEqual(at(drawn, place));
        });
        expectLinksKept(plan, sample, times);
        expectCapacityKept(plan, sample, times);
      }),
      { numRuns: 150 },
    );
  });

  it("ends with the sum of its trace if no lag is in between", () => {
    const plain = samples({ tasks: 15, done: false }).map((sample) => ({
      ...sample,
      input: {
        ...sample.input,
        dependencies: sample.input.dependencies
          .filter(({ type }) => type === "finish_to_start")
          .map((link) => ({ ...link, lagHours: 0 })),
      } satisfies PlanInput,
    }));
    check(plain, ({ play, timed }) => {
      const planned = Float64Array.from(play.order, (task) => at(timed.seconds, task));
      play.run(planned);
      for (const place of play.order.keys()) {
        const counts = new Int32Array(play.order.length);
        play.trace(place, counts);
        const sum = counts.reduce((total, count, each) => total + count * at(planned, each), 0);
        expect(timed.over + sum).toBe(at(play.times, 2 * place + 1));
      }
    });
  });
});

/** The links of a plan, read back from its network. */
function linksOf({ timed: { network } }: Plan) {
  const { first, other, type, lag } = network.incoming;
  return Array.from({ length: network.size }, (_, to) =>
    Array.from({ length: (first[to + 1] as number) - (first[to] as number) }, (_, n) => (first[to] as number) + n).map(
      (link) => ({
        to,
        from: other[link] as number,
        lag: at(lag, link),
        type: type[link] === 1 ? "start_to_start" : "other",
      }),
    ),
  ).flat();
}
