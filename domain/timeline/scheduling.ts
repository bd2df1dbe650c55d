// Schedules and forecasts of large estimations take long, and run in worker threads. So what they are made of is given as
// JSON: a long text is passed to a thread in a fraction of the time of as large an object.

import type { Milestone, MilestoneRecord } from "../../contract/endpoints/milestones.ts";
import type { Timeline, TimelineSettings } from "../../contract/endpoints/timelines.ts";
import type { StoredTask } from "../tasks/shape.ts";
import { roleKey } from "../tree/roles.ts";
import type { Tree } from "../tree/shape.ts";
import { canonicalJson } from "../versions/canonical.ts";
import { workOfAll } from "./calendar.ts";
import { type Coverage, createCoverage } from "./coverage.ts";
import { FORECAST_VERSION, forecast } from "./forecast.ts";
import { itemsOf } from "./items.ts";
import { type Goal, makePlan, type Plan, secondsPerHour } from "./plan.ts";
import { rangesOf } from "./ranges.ts";
import type { PlannedTask } from "./shape.ts";

/** Everything that a schedule is made of. */
export interface Scheduling {
  /** As of when (`asOfAt`): open work starts no earlier. */
  readonly asOf: string;
  readonly settings: TimelineSettings;
  readonly milestones: readonly MilestoneRecord[];
  readonly tasks: readonly StoredTask[];
  /** The decision tree, as JSON. */
  readonly tree: string;
}

/** A schedule as the timeline shows it. */
export type Schedule = Pick<Timeline, "asOf" | "items" | "assumed" | "unused" | "problem">;

/** What is shown of a milestone besides its record. */
export type MilestoneState = Pick<Milestone, "dormantIds" | "forecast">;

/** The same as text, which a function below is given. */
export interface SchedulingText {
  readonly work: string;
  readonly tree: string;
}

/** Returns what a schedule or a forecast is made of, with the same text for the same. */
export function schedulingText(
  { asOf, settings, milestones, tasks, tree }: Scheduling,
  rollUp?: { readonly correlation: number; readonly rounding: number },
): SchedulingText {
  const { correlation, rounding } = rollUp ?? { correlation: 0, rounding: 0 };
  const open = tasks.filter(({ status }) => status === "open").map(openTaskOf);
  return { work: JSON.stringify({ asOf, settings, milestones, open, correlation, rounding } satisfies Work), tree };
}

/** An open task, without its texts. */
export type OpenTask = ReturnType<typeof openTaskOf>;

const openTaskOf = (task: StoredTask) => {
  const { id, optionId, parentTaskId, position, role, hours, actualHours, doneAt, base } = task;
  return {
    ...{ id, optionId, parentTaskId, position, role, hours, actualHours, doneAt },
    hoursAreEdited: hours !== base.hours,
    isDropped: task.droppedAt !== null,
  };
};

interface Work extends Pick<Scheduling, "asOf" | "settings" | "milestones"> {
  readonly open: readonly OpenTask[];
  readonly correlation: number;
  readonly rounding: number;
}

/** The same as data. */
export type ReadWork = Work & { readonly tree: Tree };

/** Reads what `schedulingText` wrote. */
export const readWork = ({ work, tree }: SchedulingText): ReadWork => ({
  ...(JSON.parse(work) as Work),
  tree: JSON.parse(tree) as Tree,
});

/** Returns the schedule, or why there is none. */
export function scheduleOf(text: SchedulingText): Schedule {
  const work = readWork(text);
  const { asOf } = work;
  const { plan, problem } = planOf(work);
  return plan
    ? { asOf, items: itemsOf(plan), assumed: [...plan.assumed], unused: unusedIn(work), problem }
    : { asOf, items: [], assumed: [], unused: [], problem };
}

/** Returns the roles of `people` that no task has. */
function unusedIn({ settings, open }: ReadWork): string[] {
  const used = new Set(open.map(({ role }) => roleKey(role)));
  return settings.people.map(({ role }) => role).filter((role) => !used.has(roleKey(role)));
}

/**
 * Returns what is shown of each milestone, by its id. `seedOf` returns the seed of the random numbers of a forecast: a hash
 * of everything that it depends on except ids, so the same work has the same dates on every machine and in copies.
 */
export function milestonesOf(
  text: SchedulingText,
  seedOf: (input: string) => readonly number[],
): ReadonlyMap<string, MilestoneState> {
  const input = readWork(text);
  const { plan, covered } = input.open.length > 0 ? planOf(input) : { plan: null, covered: coverAll(input) };
  const forecasts = plan ? forecastsOf(plan, covered, input, seedOf) : undefined;
  return new Map(
    covered.map(({ id, dormantIds }) => [id, { dormantIds: [...dormantIds], forecast: forecasts?.get(id) ?? null }]),
  );
}

/** A milestone with the tasks that it covers. */
interface Covered extends Goal, Coverage {}

function coverAll({ tree, open, milestones }: Pick<ReadWork, "tree" | "open" | "milestones">): Covered[] {
  const coverageOf = createCoverage(tree, open);
  return milestones.map((milestone) => ({
    id: milestone.id,
    dueDate: milestone.dueDate,
    ...coverageOf(milestone),
  }));
}

/** Schedules the tasks; `covered` are those of each milestone. */
export function planOf(input: ReadWork): {
  readonly plan: Plan | null;
  readonly problem: Timeline["problem"];
  readonly covered: readonly Covered[];
} {
  const { open } = input;
  const covered = coverAll(input);
  const { startDate } = input.settings;
  if (startDate === null) return { plan: null, problem: "no_start_date", covered };
  const settings = { ...input.settings, startDate, asOf: Math.floor(Date.parse(input.asOf) / 1_000) };
  const planned = open.flatMap(plannedOf);
  // Nothing needs to be scheduled where a single task takes longer than the longest schedule.
  const secondsMost = workOfAll(settings);
  const isTooLongAlone = planned.some(
    ({ hours, doneAt }) => doneAt === null && Math.round(hours * secondsPerHour(settings)) > secondsMost,
  );
  if (isTooLongAlone) return { plan: null, problem: "too_long", covered };
  const { dependencies } = settings;
  const plan = makePlan({ settings, tasks: planned, dependencies, goals: covered });
  return plan.isInTime ? { plan, problem: null, covered } : { plan: null, problem: "too_long", covered };
}

/** Leaves out tasks that were dropped, and those without hours, whose child tasks are scheduled instead. */
function plannedOf({ id, position, role, hours, doneAt, actualHours, isDropped }: OpenTask): PlannedTask[] {
  if (hours === null || isDropped) return [];
  return [
    {
      ...{ id, position, role, hours, actualHours },
      doneAt: doneAt === null ? null : Math.floor(Date.parse(doneAt) / 1_000),
    },
  ];
}

function forecastsOf(plan: Plan, goals: readonly Goal[], work: ReadWork, seedOf: (input: string) => readonly number[]) {
  const { correlation } = work;
  const ranges = rangesIn(plan, work);
  return forecast(plan, goals, { seed: [...seedOf(forecastText(plan, goals, work))], correlation, ranges });
}

const rangesIn = (plan: Plan, { open, tree, rounding }: ReadWork) =>
  rangesOf(
    tree,
    open.filter(({ id }) => plan.indexOf.has(id)),
    rounding,
  );

/**
 * Returns what the random numbers of a forecast follow from, the same text for the same work: tasks are named by their place,
 * and nothing depends on the given order. What changes as the work goes on is left out, the present and what is done: the same
 * numbers are drawn all along, so that time that passes moves a forecast by itself and not by chance.
 */
export function forecastText(plan: Plan, goals: readonly Goal[], work: ReadWork): string {
  const { settings, correlation } = work;
  const ranges = rangesIn(plan, work);
  const sorted = sortGoals(plan, goals);
  const { dependencies, holidayPlace: _, ...others } = settings;
  const rangeOf = new Map(ranges.map(({ taskId, ...range }) => [taskId, range]));
  return canonicalJson({
    version: FORECAST_VERSION,
    settings: others,
    correlation,
    tasks: plan.tasks.map(({ id, doneAt: _done, actualHours: _actual, ...task }) => ({
      ...task,
      range: rangeOf.get(id) ?? null,
    })),
    links: dependencies
      .filter(({ from, to }) => plan.indexOf.has(from) && plan.indexOf.has(to))
      .map(({ from, to, ...link }) => ({ ...link, from: plan.indexOf.get(from), to: plan.indexOf.get(to) }))
      .map(canonicalJson)
      .sort(),
    goals: sorted.map(({ text }) => text),
  });
}

/** Returns the goals as text, tasks named by their places, in an order that depends only on what they say. */
function sortGoals({ indexOf }: Plan, goals: readonly Goal[]): { readonly id: string; readonly text: string }[] {
  const places = (ids: Iterable<string>) => [...ids].flatMap((id) => indexOf.get(id) ?? []).sort((a, b) => a - b);
  const texts = goals.map(({ id, dueDate, taskIds }) => ({
    ...{ id, text: canonicalJson({ dueDate, tasks: places(taskIds) }) },
  }));
  const isBefore = (a: (typeof texts)[number], b: (typeof texts)[number]) =>
    a.text === b.text ? a.id < b.id : a.text < b.text;
  return texts.sort((a, b) => (isBefore(a, b) ? -1 : 1));
}
