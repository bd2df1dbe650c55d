import type { MilestoneRecord } from "../../../contract/milestones.ts";
import type { TimelineSettings } from "../../../contract/timelines.ts";
import type { StoredTask } from "../../../domain/tasks/shape.ts";
import { workOfAll } from "../../../domain/timeline/calendar.ts";
import { createCoverage } from "../../../domain/timeline/coverage.ts";
import type { Goal, Plan } from "../../../domain/timeline/plan.ts";
import { makePlan, secondsPerHour } from "../../../domain/timeline/plan.ts";
import { defaultSettings } from "../../../domain/timeline/settings.ts";
import type { PlannedTask } from "../../../domain/timeline/shape.ts";
import type { Tree } from "../../../domain/tree/shape.ts";
import type { Queryable } from "../../db/database.ts";
import { leaveForThread, tasksHere, treeBytesHere } from "../../http/in-thread.ts";
import { loadTimeline, loadTree } from "../estimations/index.ts";
import { loadTaskNames, loadTasks, type TaskName } from "../tasks/index.ts";

/** Everything that a schedule is made of. */
export interface Loaded {
  /** Null: never set, which is the same as the default settings. */
  readonly timeline: TimelineSettings | null;
  readonly settings: TimelineSettings;
  readonly milestones: readonly MilestoneRecord[];
  readonly tasks: readonly StoredTask[];
  readonly tree: Tree;
}

/**
 * Reads the timeline of an estimation, its tasks and its tree: two more statements than a tree alone takes. Leaves a large tree
 * and many tasks for a thread.
 */
export async function loadAll(db: Queryable, estimationId: string): Promise<Loaded> {
  const tree = await loadTree(db, estimationId, treeBytesHere);
  return { ...(await loadSettings(db, estimationId)), tasks: await loadTasks(db, estimationId, tasksHere), tree };
}

/** The timeline of an estimation and its milestones. */
export type Settings = Pick<Loaded, "timeline" | "settings" | "milestones">;

export async function loadSettings(db: Queryable, estimationId: string): Promise<Settings> {
  const { timeline, milestones } = await loadTimeline(db, estimationId);
  return { timeline, settings: timeline ?? defaultSettings, milestones };
}

/**
 * The same for an estimation that is not locked, all as of one moment. Leaves for a thread as soon as `needsPlan` says that
 * there is something to schedule; then only the timeline is read twice.
 */
export const loadSnapshot = (
  db: Queryable,
  estimationId: string,
  needsPlan: (settings: Settings) => boolean,
): Promise<Loaded> =>
  db.transaction(
    async (tx) => {
      if (isInProcess && needsPlan(await loadSettings(tx, estimationId))) leaveForThread();
      return await loadAll(tx, estimationId);
    },
    { isolationLevel: "repeatable read", accessMode: "read only" },
  );

/** Schedules are made in threads. */
const isInProcess = treeBytesHere < Number.POSITIVE_INFINITY;

/** What milestones can name. */
export interface Names {
  readonly tasks: readonly TaskName[];
  readonly tree: Tree;
}

/** Reads what a milestone can name: the tasks, and the tree if it names nodes. */
export async function loadNames(
  db: Queryable,
  estimationId: string,
  { nodeIds }: Pick<MilestoneRecord, "nodeIds">,
): Promise<Names> {
  const tree = nodeIds.length > 0 ? await loadTree(db, estimationId, treeBytesHere) : { nodes: [] };
  return { tree, tasks: await loadTaskNames(db, estimationId, tasksHere) };
}

/** A milestone with the tasks that it covers, and its ids of nodes and tasks that do not exist at present. */
export interface Covered extends Goal {
  readonly dormantIds: readonly string[];
}

/** The milestones with their tasks, without obsolete ones. */
export function cover({ tree, tasks }: Names, milestones: readonly MilestoneRecord[]): Covered[] {
  const coverageOf = createCoverage(
    tree,
    tasks.filter(({ status }) => status === "open"),
  );
  return milestones.map((milestone) => ({
    id: milestone.id,
    dueDate: milestone.dueDate,
    ...coverageOf(milestone),
  }));
}

/** The schedule, or why there is none. */
export type Outcome =
  | { readonly plan: Plan; readonly problem: null }
  | { readonly plan: null; readonly problem: "no_start_date" | "too_long" };

/**
 * Schedules the tasks. Leaves for a thread, where schedules are made, unless there is nothing to schedule.
 */
export function planOf({ settings, tasks }: Loaded, goals: readonly Goal[]): Outcome {
  const { startDate } = settings;
  if (startDate === null) return { plan: null, problem: "no_start_date" };
  if (isTooLongAlone(settings, startDate, tasks)) return { plan: null, problem: "too_long" };
  if (isInProcess) leaveForThread();
  const plan = makePlan({
    settings: { ...settings, startDate },
    tasks: tasks.flatMap(plannedOf),
    dependencies: settings.dependencies,
    goals,
  });
  return plan.isInTime ? { plan, problem: null } : { plan: null, problem: "too_long" };
}

/** Whether a single task takes longer than the longest schedule: then nothing needs to be scheduled. */
function isTooLongAlone(settings: TimelineSettings, startDate: string, tasks: readonly StoredTask[]): boolean {
  const secondsMost = workOfAll({ ...settings, startDate });
  return tasks
    .flatMap(plannedOf)
    .some(({ hours, doneAt }) => doneAt === null && Math.round(hours * secondsPerHour(settings)) > secondsMost);
}

/** Leaves out obsolete tasks, and those without hours, whose child tasks are scheduled instead. */
function plannedOf({ id, position, role, hours, doneAt, actualHours, status }: StoredTask): PlannedTask[] {
  if (status !== "open" || hours === null) return [];
  return [
    {
      ...{ id, position, role, hours, actualHours },
      doneAt: doneAt === null ? null : Math.floor(Date.parse(doneAt) / 1_000),
    },
  ];
}
