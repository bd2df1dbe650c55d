import type { Forecast } from "../../contract/endpoints/milestones.ts";
import { limits } from "../../contract/limits.ts";
import { dayOf } from "./calendar.ts";
import { createDraws, type Drawing, type Range } from "./draw.ts";
import { shownInstant } from "./items.ts";
import { START_TO_START } from "./network.ts";
import type { Goal, Plan } from "./plan.ts";

/** Steps of all simulated schedules of a forecast: about two seconds. */
export const STEPS = 500_000_000;

/** Increased whenever the same input gives another forecast than before. */
export const FORECAST_VERSION = 3;

/** Simulated schedules of a forecast, unless they were too much work. */
export const RUNS = limits.forecastRuns;

/** Looking at the end of one task is one step; drawing the time of a task and scheduling it takes about this many. */
const STEPS_PER_TASK = 30;

/**
 * Returns how many schedules are simulated, so that all together take at most `STEPS`: of a plan with so many
 * tasks, and so many ends to look at, those of all milestones together.
 */
export function runsFor(tasks: number, ends: number): number {
  const steps = STEPS_PER_TASK * tasks + ends;
  return Math.min(RUNS, Math.floor(STEPS / Math.max(1, steps)));
}

/** Steps of all traces together: of very large estimations not every run is traced. */
const TRACE_STEPS = 200_000_000;
const TRACED_RUNS_MIN = 100;

/** Tasks that a forecast names as what drives it. */
const DRIVERS = 10;

/** The hours of a task that has a range. */
export interface TaskRange {
  readonly taskId: string;
  /** In hours. */
  readonly optimistic: number;
  readonly likely: number;
  readonly pessimistic: number;
}

/** What a forecast depends on besides the plan. */
export interface ForecastSettings extends Drawing {
  readonly ranges: readonly TaskRange[];
  readonly runs?: number;
}

/** The open tasks of some goals, by their places in the order of the schedule, and what the runs have shown. */
interface Group {
  readonly places: Int32Array;
  /** Those of them that can be the last. */
  readonly candidates: Int32Array;
  /** When the last of them ended, by run, in working seconds. */
  ends: Float64Array;
  /** Runs in which each place was on the critical path. */
  readonly driving: Int32Array;
}

/**
 * Simulates the schedule of a plan many times, and returns for each goal, by its id, when it will be reached and how sure
 * that is; null if none of its tasks is scheduled. Tasks without a range always take their hours.
 */
export function forecast(plan: Plan, goals: readonly Goal[], settings: ForecastSettings): Map<string, Forecast | null> {
  const { play } = plan;
  const placeOf = new Map(Array.from(play.order, (task, place) => [plan.tasks[task]?.id ?? "", place]));
  const groups = new Map<string, Group>();
  const groupOf = ({ taskIds }: Goal): Group => {
    const places = Int32Array.from([...taskIds].flatMap((id) => placeOf.get(id) ?? [])).sort();
    const key = places.join();
    const known = groups.get(key);
    if (known) return known;
    const group: Group = {
      places,
      candidates: candidatesOf(plan, places),
      ends: new Float64Array(),
      driving: new Int32Array(places.length > 0 ? play.order.length : 0),
    };
    groups.set(key, group);
    return group;
  };
  const grouped = goals.map((goal) => ({ goal, group: groupOf(goal) }));
  const ends = [...groups.values()].reduce((sum, { candidates }) => sum + candidates.length, 0);
  const runs = settings.runs ?? runsFor(plan.tasks.length, ends);
  for (const group of groups.values()) group.ends = new Float64Array(runs);
  const traced = simulate(plan, [...groups.values()], settings, placeOf, runs);
  return new Map(grouped.map(({ goal, group }) => [goal.id, conclude(plan, goal, group, { runs, traced })]));
}

/** Makes the runs, and returns how many of them were traced. */
function simulate(
  plan: Plan,
  groups: readonly Group[],
  { ranges, ...drawing }: ForecastSettings,
  placeOf: ReadonlyMap<string, number>,
  runs: number,
): number {
  const { play, timed, secondsPerHour } = plan;
  // Each task has its own random numbers, also those that are done by now, which nobody reads: so the hours of the others
  // stay the same in each run when a task is done or the order changes, and time that passes adds no chance to a forecast.
  const unread = play.order.length;
  const drawn = ranges
    .flatMap((range) => ({ range, task: plan.indexOf.get(range.taskId) ?? -1 }))
    .filter(({ task, range }) => task >= 0 && range.pessimistic > range.optimistic)
    .sort((a, b) => a.task - b.task);
  const draw = createDraws(
    drawn.map(({ range }) => toSeconds(range, secondsPerHour)),
    Int32Array.from(drawn, ({ range }) => placeOf.get(range.taskId) ?? unread),
    drawing,
  );
  const seconds = new Float64Array(unread + 1);
  play.order.forEach((task, place) => {
    seconds[place] = timed.seconds[task] as number;
  });
  const wanted = groups.filter(({ places }) => places.length > 0);
  if (wanted.length === 0) return 0;
  const affordable = Math.floor(TRACE_STEPS / Math.max(1, play.order.length * wanted.length));
  const traced = Math.min(runs, Math.max(TRACED_RUNS_MIN, affordable));
  for (let run = 0; run < runs; run += 1) {
    draw(run, seconds);
    play.run(seconds);
    for (const group of wanted) {
      const last = lastOf(group.candidates, play.times);
      group.ends[run] = play.times[2 * last + 1] as number;
      if (run < traced) play.trace(last, group.driving);
    }
  }
  return traced;
}

/** Returns the places without those whose end another one of them waits for. */
function candidatesOf({ play, timed: { network } }: Plan, places: Int32Array): Int32Array {
  const tasks = new Set(Array.from(places, (place) => play.order[place] as number));
  const { first, other, type } = network.outgoing;
  return places.filter((place) => {
    const task = play.order[place] as number;
    for (let at = first[task] as number; at < (first[task + 1] as number); at += 1) {
      if (type[at] !== START_TO_START && tasks.has(other[at] as number)) return false;
    }
    return true;
  });
}

/** Returns the place whose end is the last. */
function lastOf(places: Int32Array, times: Float64Array): number {
  let last = places[0] as number;
  let end = times[2 * last + 1] as number;
  for (let at = 1; at < places.length; at += 1) {
    const time = times[2 * (places[at] as number) + 1] as number;
    if (time <= end) continue;
    end = time;
    last = places[at] as number;
  }
  return last;
}

function toSeconds({ optimistic, likely, pessimistic }: TaskRange, secondsPerHour: number): Range {
  return {
    least: optimistic * secondsPerHour,
    most: pessimistic * secondsPerHour,
    mode: (likely - optimistic) / (pessimistic - optimistic),
  };
}

function conclude(
  plan: Plan,
  { dueDate, taskIds }: Goal,
  { places, ends, driving }: Group,
  { runs, traced }: { readonly runs: number; readonly traced: number },
): Forecast | null {
  const { calendar, asOf, schedule, tasks, indexOf } = plan;
  const indexes = [...taskIds].flatMap((id) => indexOf.get(id) ?? []);
  if (indexes.length === 0) return null;
  const doneAt = Math.max(
    ...[Number.NEGATIVE_INFINITY],
    ...indexes.map((task) => tasks[task]?.doneAt ?? Number.NEGATIVE_INFINITY),
  );
  const isDone = places.length === 0;
  /** Nothing is reached before what is done was done, and nothing that is open before now. */
  const earliest = isDone ? doneAt : Math.max(doneAt, asOf);
  const due = dayOf(dueDate) ?? 0;
  const isLate = earliest > calendar.endOf(due);
  /** Work beyond the end of the calendar has no date. */
  const instantOf = (work: number): string | null =>
    work > calendar.total
      ? null
      : shownInstant(isDone ? earliest : Math.max(calendar.instantOf(work, "end"), earliest));
  const planned = Math.max(0, ...indexes.map((task) => schedule.end[task] as number));
  const sorted = ends.toSorted();
  const percentile = (part: number) => instantOf(sorted[Math.ceil(part * runs) - 1] as number);
  const time = calendar.workThrough(due);
  const kept = isLate ? 0 : isDone ? 1 : sorted.filter((end) => end <= time).length / runs;
  return {
    asOf: shownInstant(asOf),
    planned: instantOf(planned),
    p50: percentile(0.5),
    p80: percentile(0.8),
    p95: percentile(0.95),
    probability: rounded(kept),
    standardError: rounded(Math.sqrt((kept * (1 - kept)) / runs)),
    runs,
    drivers: driversOf(plan, driving, traced),
  };
}

function driversOf({ play, tasks, timed }: Plan, driving: Int32Array, traced: number): Forecast["drivers"] {
  const found = Array.from(driving.entries()).filter(([, runs]) => runs > 0);
  const workOf = (place: number) => timed.seconds[play.order[place] as number] as number;
  // Of tasks that are on the path equally often the longer one matters more.
  found.sort(
    ([a, runsOfA], [b, runsOfB]) =>
      runsOfB - runsOfA || workOf(b) - workOf(a) || (play.order[a] as number) - (play.order[b] as number),
  );
  return found.slice(0, DRIVERS).map(([place, runs]) => ({
    taskId: tasks[play.order[place] as number]?.id ?? "",
    share: rounded(runs / traced),
  }));
}

const rounded = (part: number): number => Math.round(part * 10_000) / 10_000;
