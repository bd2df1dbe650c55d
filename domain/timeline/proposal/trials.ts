import type { TimelineSettings } from "../../../contract/endpoints/timelines.ts";
import { limits } from "../../../contract/limits.ts";
import { deriveTasks } from "../../tasks/derive.ts";
import type { Rounding } from "../../tasks/shape.ts";
import { type Trial, tryOut } from "../../tree/hours/try-out.ts";
import type { Tree } from "../../tree/shape.ts";
import { forecast } from "../forecast.ts";
import { rangesOf } from "../ranges.ts";
import { forecastText, type OpenTask, planOf, type ReadWork } from "../scheduling.ts";

/** The part of the simulated schedules that has to keep the due date. */
export const TARGET = 0.8;

/** Steps of all forecasts of a proposal together (`forecast.ts`): about a second. */
const STEPS = 400_000_000;
const STEPS_PER_TASK = 30;
const [RUNS_LEAST, RUNS_MOST] = [200, 2_000];

/** Returns how many forecasts are made at most, and with how many simulated schedules each, for so many open tasks. */
export function trialsFor(tasks: number): { readonly forecasts: number; readonly runs: number } {
  const steps = STEPS_PER_TASK * Math.max(1, tasks);
  const runs = Math.min(RUNS_MOST, Math.max(RUNS_LEAST, Math.floor(STEPS / (limits.proposalForecasts * steps))));
  return { forecasts: Math.min(limits.proposalForecasts, Math.floor(STEPS / (runs * steps))), runs };
}

/** What is tried: other people, and other options. */
export interface Change {
  readonly people?: TimelineSettings["people"];
  readonly options?: Trial;
}

/** When a milestone would be reached. */
export interface Outcome {
  readonly probability: number;
  readonly standardError: number;
  /** Null: later than a schedule may take. */
  readonly p80: string | null;
  /** The tasks that are most often on the critical path, the most important one first. */
  readonly drivers: readonly { readonly taskId: string; readonly share: number }[];
}

const never: Outcome = { probability: 0, standardError: 0, p80: null, drivers: [] };

/** Whether the target is reached, also if the simulation was lucky by one standard error. */
export const isReached = ({ probability, standardError }: Pick<Outcome, "probability" | "standardError">): boolean =>
  probability - standardError >= TARGET;

type Compared = Pick<Outcome, "probability" | "p80">;

/** Negative if the first is better: its P80 is earlier or, with the same one, its probability higher. */
export function compareOutcomes(a: Compared, b: Compared): number {
  const [x, y] = [a.p80 ?? "9", b.p80 ?? "9"];
  return x < y ? -1 : x > y ? 1 : b.probability - a.probability;
}

/** Forecasts of a milestone under changes, as many as are allowed. */
export interface Trials {
  /** What the changes are made to. */
  readonly work: ReadWork;
  /** The tasks that the milestone covers, of those that exist. */
  readonly covered: ReadonlySet<string>;
  /** Simulated schedules of each forecast. */
  readonly runs: number;
  left(): number;
  made(): number;
  /** Returns the tree with other options. */
  treeWith(options: Trial): Tree;
  /** Forecasts the milestone under a change; null if none is left. The same change costs one forecast once. */
  outcomeOf(change: Change): Outcome | null;
}

/** Returns the trials of a milestone; null if none of its tasks can be scheduled. */
export function createTrials(
  work: ReadWork,
  milestoneId: string,
  seedOf: (text: string) => readonly number[],
): Trials | null {
  const { plan, covered } = planOf(work);
  const goal = covered.find(({ id }) => id === milestoneId);
  if (!goal || (plan !== null && ![...goal.taskIds].some((id) => plan.indexOf.has(id)))) return null;
  if (work.settings.startDate === null) return null;
  const seed = seedOf(plan ? forecastText(plan, covered, work) : "");
  const { forecasts, runs } = trialsFor(work.open.length);
  const known = new Map<string, Outcome>();
  const derivedBefore = new Set(derive(work, work.tree).map(({ id }) => id));

  const treeWith = (options: Trial): Tree => {
    const tried = tryOut(work.tree, options);
    return tried.ok ? tried.tree : work.tree;
  };

  const forecastOf = ({ people, options }: Change): Outcome => {
    const tree = options ? treeWith(options) : work.tree;
    const open = options ? tasksAfter(work, derivedBefore, tree) : work.open;
    const input = { ...work, open, tree, settings: { ...work.settings, people: people ?? work.settings.people } };
    const found = planOf(input);
    const now = found.covered.find(({ id }) => id === milestoneId);
    if (!found.plan || !now) return never;
    const { plan } = found;
    const ranges = rangesOf(tree, open, work.rounding);
    const made = forecast(plan, [now], { seed, correlation: work.correlation, ranges, runs }).get(milestoneId);
    // Nothing is left to do.
    if (!made) return { ...never, probability: 1, p80: "" };
    const { probability, standardError, p80, drivers } = made;
    return { probability, standardError, p80, drivers };
  };

  return {
    ...{ work, covered: goal.taskIds, runs, treeWith },
    left: () => forecasts - known.size,
    made: () => known.size,
    outcomeOf(change) {
      const key = JSON.stringify([change.people ?? null, change.options ?? null]);
      const before = known.get(key);
      if (before) return before;
      if (known.size >= forecasts) return null;
      const outcome = forecastOf(change);
      known.set(key, outcome);
      return outcome;
    },
  };
}

const derive = ({ rounding }: ReadWork, tree: Tree) => deriveTasks(tree, rounding as Rounding);

/** The open tasks after generating from another tree: what no longer counts is gone, what counts now is new. */
function tasksAfter(work: ReadWork, before: ReadonlySet<string>, tree: Tree): OpenTask[] {
  const after = derive(work, tree);
  const ids = new Set(after.map(({ id }) => id));
  const known = new Set(work.open.map(({ id }) => id));
  const kept = work.open.filter(({ id }) => ids.has(id) || !before.has(id));
  const added = after
    .filter(({ id }) => !before.has(id) && !known.has(id))
    .map(({ id, optionId, parentTaskId, position, role, hours }) => ({
      ...{ id, optionId, parentTaskId, position, role, hours },
      ...{ actualHours: null, doneAt: null, hoursAreEdited: false, isDropped: false },
    }));
  return [...kept, ...added];
}
