import { createHash } from "node:crypto";
import type { Logger } from "pino";
import type { Forecast } from "../../../contract/milestones.ts";
import { FORECAST_VERSION, forecast, type TaskRange } from "../../../domain/timeline/forecast.ts";
import type { Goal, Plan } from "../../../domain/timeline/plan.ts";
import { rangesOf } from "../../../domain/timeline/ranges.ts";
import { canonicalJson } from "../../../domain/versions/canonical.ts";
import type { Loaded } from "./load.ts";

type Forecasts = ReadonlyMap<string, Forecast | null>;

/** Inputs whose forecasts are kept. With the milestones and drivers of the largest, some 10 MB. */
const KEPT = 100;

/**
 * Returns a function that forecasts the milestones of a plan. The seed is the hash of everything that the forecast depends
 * on except ids, so the same work gets the same dates on every machine and in copies. A thread makes one forecast at a time
 * and keeps the most recent ones, so of several requests for the same forecast only the first computes it. Each
 * computation is logged at the debug level.
 */
export function createForecasts(log: Pick<Logger, "debug">) {
  const kept = new Map<string, Forecasts>();
  return (
    plan: Plan,
    goals: readonly Goal[],
    { settings, tasks, tree }: Loaded,
    { correlation, rounding }: { readonly correlation: number; readonly rounding: number },
  ): Forecasts => {
    const ranges = rangesOf(
      tree,
      tasks
        .filter(({ id }) => plan.indexOf.has(id))
        .map((task) => ({ ...task, hoursAreEdited: task.hours !== task.base.hours })),
      rounding,
    );
    const sorted = sortGoals(plan, goals);
    const seedHash = hashOf(withoutIds({ plan, goals: sorted, ranges, settings, correlation }));
    const ids = [plan.tasks.map(({ id }) => id), sorted.map(({ id }) => id)];
    const key = hashOf([seedHash.toString("base64"), ...ids]).toString("base64");
    const seed = [0, 4, 8, 12].map((at) => seedHash.readInt32LE(at));
    const compute = () => {
      log.debug({ tasks: plan.tasks.length, milestones: goals.length }, "computing a forecast");
      return forecast(plan, goals, { seed, correlation, ranges });
    };
    const found = kept.get(key) ?? compute();
    // The least recently used one is first, and is removed.
    kept.delete(key);
    kept.set(key, found);
    if (kept.size > KEPT) for (const first of [...kept.keys()].slice(0, 1)) kept.delete(first);
    return found;
  };
}

/** A goal without its id, as text: tasks are named by their places. */
interface GoalText {
  readonly id: string;
  readonly text: string;
}

/** Returns the goals in an order that depends only on what they say, and between equal ones on their ids. */
function sortGoals({ indexOf }: Plan, goals: readonly Goal[]): GoalText[] {
  const places = (ids: Iterable<string>) => [...ids].flatMap((id) => indexOf.get(id) ?? []).sort((a, b) => a - b);
  const texts = goals.map(({ id, dueDate, taskIds }) => ({
    ...{ id, text: canonicalJson({ dueDate, tasks: places(taskIds) }) },
  }));
  const isBefore = (a: GoalText, b: GoalText) => (a.text === b.text ? a.id < b.id : a.text < b.text);
  return texts.sort((a, b) => (isBefore(a, b) ? -1 : 1));
}

const hashOf = (input: unknown): Buffer => createHash("sha256").update(canonicalJson(input)).digest();

/** What a forecast depends on, with tasks named by their place, and in an order that does not depend on the given one. */
function withoutIds({
  plan: { tasks, indexOf },
  goals,
  ranges,
  settings: { dependencies, ...settings },
  correlation,
}: Pick<Loaded, "settings"> & {
  readonly plan: Plan;
  readonly goals: readonly GoalText[];
  readonly ranges: readonly TaskRange[];
  readonly correlation: number;
}) {
  const rangeOf = new Map(ranges.map(({ taskId, ...range }) => [taskId, range]));
  return {
    version: FORECAST_VERSION,
    settings,
    correlation,
    tasks: tasks.map(({ id, ...task }) => ({ ...task, range: rangeOf.get(id) ?? null })),
    links: dependencies
      .filter(({ from, to }) => indexOf.has(from) && indexOf.has(to))
      .map(({ from, to, ...link }) => ({ ...link, from: indexOf.get(from), to: indexOf.get(to) }))
      .map(canonicalJson)
      .sort(),
    goals: goals.map(({ text }) => text),
  };
}
