import { roleKey, writtenRole } from "../tree/roles.ts";
import { type Calendar, dayOf, makeCalendar } from "./calendar.ts";
import { type Levelled, level, type Staff } from "./level.ts";
import { criticalPath, makeNetwork, type Passes, type Timed } from "./network.ts";
import { createPlay, type Play } from "./play.ts";
import type { CalendarSettings, Dependency, Link, PlannedTask, TimelineSettings } from "./shape.ts";

/** A date, and the tasks that have to be done by the end of it. */
export interface Goal {
  readonly id: string;
  readonly dueDate: string;
  readonly taskIds: ReadonlySet<string>;
}

/** What a schedule is made of. The order of tasks, links and goals makes no difference. */
export interface PlanInput {
  readonly settings: CalendarSettings & Pick<TimelineSettings, "people" | "focusFactor">;
  readonly tasks: readonly PlannedTask[];
  /** Links of tasks that are not among these are left out. They must not form a cycle. */
  readonly dependencies: readonly Dependency[];
  readonly goals: readonly Goal[];
}

/** A role whose number of people is not given. */
interface Assumed {
  readonly role: string | null;
  readonly people: number;
}

/** A schedule. Tasks are in the order of their positions, and named by their indexes in it; times are working seconds. */
export interface Plan {
  readonly calendar: Calendar;
  /** As of when it was made, in seconds since 1970: nothing that is open lies before. */
  readonly asOf: number;
  readonly tasks: readonly PlannedTask[];
  readonly indexOf: ReadonlyMap<string, number>;
  readonly timed: Timed;
  readonly passes: Passes;
  /** The schedule with the planned hours: of all tasks, those that are done included. */
  readonly schedule: Pick<Levelled, "start" | "end">;
  /** Makes the same schedule with other hours. */
  readonly play: Play;
  readonly assumed: readonly Assumed[];
  /** Whether everything ends within the years that a schedule may take. */
  readonly isInTime: boolean;
  /** Working seconds of an hour of a task: more than 3,600, as nobody works on tasks all the time. */
  readonly secondsPerHour: number;
}

/**
 * Schedules tasks: the critical path method, then serial scheduling of the open tasks against the people of their roles.
 * Of those that could be next comes first the one that an earlier due date needs, then the one with the least slack, then
 * by position and id.
 */
export function makePlan({ settings, tasks: given, dependencies, goals }: PlanInput): Plan {
  const calendar = makeCalendar(settings);
  const tasks = given.toSorted((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1));
  const indexOf = new Map(tasks.map(({ id }, index) => [id, index]));
  const ofHour = secondsPerHour(settings);
  const hoursOf = ({ hours, actualHours, doneAt }: PlannedTask) => (doneAt === null ? hours : (actualHours ?? hours));
  const timed: Timed = {
    network: makeNetwork(tasks.length, linksOf(dependencies, indexOf)),
    seconds: Float64Array.from(tasks, (task) => Math.round(hoursOf(task) * ofHour)),
    fixedEnd: Float64Array.from(tasks, ({ doneAt }) => (doneAt === null ? Number.NaN : calendar.workBefore(doneAt))),
    over: calendar.workBefore(settings.asOf),
  };
  const passes = criticalPath(timed);
  const { staff, assumed } = staffOf(tasks, settings.people);
  const due = dueDays(timed, goals, indexOf);
  const levelled = level(timed, staff, ranksOf(due, passes.slack));
  const play = createPlay(timed, staff, levelled.order);
  const planned = Float64Array.from(play.order, (task) => timed.seconds[task] as number);
  play.run(planned);
  const schedule = { start: levelled.start.slice(), end: levelled.end.slice() };
  play.order.forEach((task, place) => {
    schedule.start[task] = play.times[2 * place] as number;
    schedule.end[task] = play.times[2 * place + 1] as number;
  });
  const isInTime = schedule.end.every((end) => end <= calendar.total);
  const { asOf } = settings;
  return { calendar, asOf, tasks, indexOf, timed, passes, schedule, play, assumed, isInTime, secondsPerHour: ofHour };
}

/** Returns the working seconds that an hour of a task takes. */
export const secondsPerHour = ({ focusFactor }: Pick<TimelineSettings, "focusFactor">): number => 3_600 / focusFactor;

/** In an order that does not depend on the given one. */
function linksOf(dependencies: readonly Dependency[], indexOf: ReadonlyMap<string, number>): Link[] {
  const links: Link[] = [];
  for (const { from, to, type, lagHours } of dependencies) {
    const [fromIndex, toIndex] = [indexOf.get(from), indexOf.get(to)];
    if (fromIndex === undefined || toIndex === undefined) continue;
    links.push({ from: fromIndex, to: toIndex, type, lag: Math.round(lagHours * 3_600) });
  }
  return links.sort((a, b) => a.from - b.from || a.to - b.to || (a.type < b.type ? -1 : 1));
}

/** The people of the listed roles, and one for each other role of a task that is open, and for those without a role. */
function staffOf(
  tasks: readonly PlannedTask[],
  people: TimelineSettings["people"],
): { staff: Staff; assumed: Assumed[] } {
  const keys = tasks.map(({ role }) => roleKey(role));
  // Settings from before spellings were made equal may list one role twice: those are all its people.
  const listed = new Map<string, number>();
  for (const { role, count } of people) listed.set(roleKey(role), (listed.get(roleKey(role)) ?? 0) + count);
  const needed = new Map<string, string | null>();
  for (const [at, { role, doneAt, hours }] of tasks.entries()) {
    const key = keys[at] ?? "";
    if (doneAt === null && hours > 0 && !listed.has(key) && !needed.has(key)) needed.set(key, writtenRole(role));
  }
  const assumed = [...needed.values()]
    .sort((a, b) => ((a ?? "") < (b ?? "") ? -1 : 1))
    .map((role) => ({ role, people: 1 }));
  const roles = [...new Set(keys)];
  const numbers = new Map(roles.map((key, index) => [key, index]));
  return {
    staff: {
      roleOf: Int32Array.from(keys, (key) => numbers.get(key) ?? 0),
      people: roles.map((key) => listed.get(key) ?? 1),
    },
    assumed,
  };
}

/** For each task the first day by which it, or something that follows it, has to be done; infinite if there is none. */
function dueDays({ network }: Timed, goals: readonly Goal[], indexOf: ReadonlyMap<string, number>): Float64Array {
  const due = new Float64Array(network.size).fill(Number.POSITIVE_INFINITY);
  for (const { dueDate, taskIds } of goals) {
    const day = dayOf(dueDate) ?? Number.POSITIVE_INFINITY;
    for (const id of taskIds) {
      const task = indexOf.get(id);
      if (task !== undefined) due[task] = Math.min(due[task] as number, day);
    }
  }
  const { first, other } = network.outgoing;
  for (const task of network.topological.toReversed()) {
    for (let at = first[task] as number; at < (first[task + 1] as number); at += 1) {
      due[task] = Math.min(due[task] as number, due[other[at] as number] as number);
    }
  }
  return due;
}

/** The place of each task when they are sorted by due day, slack, position and id. */
function ranksOf(due: Float64Array, slack: Float64Array): Int32Array {
  const compare = (values: Float64Array, a: number, b: number) => {
    const [x, y] = [values[a] as number, values[b] as number];
    return x < y ? -1 : x > y ? 1 : 0;
  };
  const sorted = Int32Array.from(due.keys()).sort((a, b) => compare(due, a, b) || compare(slack, a, b) || a - b);
  const ranks = new Int32Array(due.length);
  sorted.forEach((task, rank) => {
    ranks[task] = rank;
  });
  return ranks;
}
