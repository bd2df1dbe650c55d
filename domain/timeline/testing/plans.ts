import fc from "fast-check";
import type { TaskRange } from "../forecast.ts";
import type { Goal, PlanInput } from "../plan.ts";
import { type Dependency, type PlannedTask, weekdays } from "../shape.ts";

const roles = [null, "backend", "design"];
const types = ["finish_to_start", "start_to_start", "finish_to_finish"] as const;
const taskId = (number: number) => `tsk_${String(number).padStart(3, "0")}`;

/** A plan's input with ranges for some of its tasks. */
export interface Sample {
  readonly input: PlanInput;
  readonly ranges: readonly TaskRange[];
}

interface Sizes {
  readonly tasks: number;
  /** Whether there are people for every task. */
  readonly manyPeople?: boolean;
  readonly done?: boolean;
}

/** Plans of up to so many tasks; links lead from tasks with lower numbers to higher ones, whatever their positions. */
export function samples({ tasks: most, manyPeople = false, done = true }: Sizes): fc.Arbitrary<Sample> {
  const hours = fc.oneof(fc.integer({ min: 0, max: 6_000 }), fc.constant(0), fc.constant(800)).map((n) => n / 100);
  const task = fc.record({
    hours,
    role: fc.constantFrom(...roles),
    position: fc.integer({ min: 0, max: most }),
    isDone: fc.integer({ min: 0, max: done ? 5 : 0 }).map((n) => n > 4),
    doneAfter: fc.integer({ min: 0, max: 20 * 86_400 }),
    spread: fc.integer({ min: 0, max: 100 }),
  });
  const link = fc.record({
    ends: fc.tuple(fc.nat(), fc.nat()),
    type: fc.constantFrom(...types),
    lagHours: fc.oneof(
      fc.constant(0),
      fc.integer({ min: 0, max: 3_000 }).map((n) => n / 100),
    ),
  });
  return fc
    .record({
      tasks: fc.array(task, { minLength: 1, maxLength: most }),
      links: fc.array(link, { maxLength: 2 * most }),
      people: fc.integer({ min: 1, max: 3 }),
      dueDays: fc.array(fc.integer({ min: 0, max: 28 }), { maxLength: 3 }),
      week: fc.array(fc.constantFrom(0, 0.5, 1), { minLength: 6, maxLength: 6 }),
      focusFactor: fc.constantFrom(0.6, 0.8, 1),
      // Half of them before the start, the others under way.
      asOfDays: fc.double({ min: -20, max: 20, noNaN: true }).map((days) => Math.floor(days * 24) / 24),
    })
    .map(({ tasks: parts, links, people, dueDays, week, focusFactor, asOfDays }) => {
      const start = Date.UTC(2027, 0, 4) / 1_000;
      const tasks: PlannedTask[] = parts.map((part, number) => ({
        id: taskId(number),
        position: part.position,
        role: part.role,
        hours: part.hours,
        doneAt: part.isDone ? start + part.doneAfter : null,
        actualHours: part.isDone ? part.hours : null,
      }));
      const dependencies: Dependency[] = links.flatMap(({ ends, type, lagHours }) => {
        const [a, b] = [ends[0] % tasks.length, ends[1] % tasks.length];
        return a === b ? [] : [{ from: taskId(Math.min(a, b)), to: taskId(Math.max(a, b)), type, lagHours }];
      });
      const goals: Goal[] = dueDays.map((day, number) => ({
        id: `mst_${number}`,
        dueDate: `2027-01-${String(day + 1).padStart(2, "0")}`,
        taskIds: new Set(tasks.filter((_, at) => (at + number) % 2 === 0).map(({ id }) => id)),
      }));
      return {
        input: {
          settings: {
            startDate: "2027-01-04",
            asOf: start + asOfDays * 86_400,
            timeZone: "Europe/Berlin",
            hoursPerDay: 8,
            weeklyPattern: Object.fromEntries(
              weekdays.map((day, at) => [day, week[at] ?? 1]),
            ) as PlanInput["settings"]["weeklyPattern"],
            holidays: ["2027-01-06", "2027-01-18"],
            people: ["backend", "design"].map((role) => ({ role, count: manyPeople ? most : people })),
            focusFactor,
          },
          tasks: manyPeople ? tasks.map((each) => ({ ...each, role: each.role ?? "design" })) : tasks,
          dependencies: unique(dependencies),
          goals,
        },
        ranges: parts.flatMap(({ hours: likely, spread }, number) =>
          likely === 0 || spread < 20
            ? []
            : {
                taskId: taskId(number),
                optimistic: likely * (1 - spread / 200),
                likely,
                pessimistic: likely * (1 + spread / 50),
              },
        ),
      };
    });
}

/** At most one link of each type between two tasks. */
function unique(links: readonly Dependency[]): Dependency[] {
  return [...new Map(links.map((link) => [`${link.from} ${link.to} ${link.type}`, link])).values()];
}

/** The same sample with its rows in another order. */
export function shuffled({ input, ranges }: Sample, seed: number): Sample {
  const mixed = <T>(rows: readonly T[]): T[] =>
    rows
      .map((row, at) => ({ row, key: (Math.imul(at + 1, 0x9e3779b1) ^ Math.imul(seed, at + 7)) >>> 0 }))
      .sort((a, b) => a.key - b.key)
      .map(({ row }) => row);
  return {
    input: {
      settings: {
        ...input.settings,
        holidays: mixed(input.settings.holidays),
        people: mixed(input.settings.people),
      },
      tasks: mixed(input.tasks),
      dependencies: mixed(input.dependencies),
      goals: mixed(input.goals.map((goal) => ({ ...goal, taskIds: new Set(mixed([...goal.taskIds])) }))),
    },
    ranges: mixed(ranges),
  };
}
