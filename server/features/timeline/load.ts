import type { MilestoneRecord } from "../../../contract/endpoints/milestones.ts";
import type { TimelineSettings } from "../../../contract/endpoints/timelines.ts";
import { createCoverage } from "../../../domain/timeline/coverage.ts";
import type { Scheduling } from "../../../domain/timeline/scheduling.ts";
import { defaultSettings } from "../../../domain/timeline/settings.ts";
import type { Tree } from "../../../domain/tree/shape.ts";
import type { Queryable } from "../../db/database.ts";
import { loadTimeline, loadTree, loadTreeText } from "../estimations/index.ts";
import { loadTaskNames, loadTasks, type TaskName } from "../tasks/index.ts";

/** Everything that a schedule is made of, besides the time. */
export interface Loaded extends Omit<Scheduling, "asOf"> {
  /** Null: never set, which is the same as the default settings. */
  readonly timeline: TimelineSettings | null;
}

/** Reads the timeline of an estimation, its tasks and its tree: two more statements than a tree alone takes. */
export async function loadAll(db: Queryable, estimationId: string): Promise<Loaded> {
  const tree = await loadTreeText(db, estimationId);
  return { ...(await loadSettings(db, estimationId)), tasks: await loadTasks(db, estimationId), tree };
}

/** The timeline of an estimation and its milestones. */
export type Settings = Pick<Loaded, "timeline" | "settings" | "milestones">;

export async function loadSettings(db: Queryable, estimationId: string): Promise<Settings> {
  const { timeline, milestones } = await loadTimeline(db, estimationId);
  return { timeline, settings: timeline ?? defaultSettings, milestones };
}

/** The same for an estimation that is not locked, all as of one moment. */
export const loadSnapshot = (db: Queryable, estimationId: string): Promise<Loaded> =>
  db.transaction((tx) => loadAll(tx, estimationId), { isolationLevel: "repeatable read", accessMode: "read only" });

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
  const tree = nodeIds.length > 0 ? await loadTree(db, estimationId) : { nodes: [] };
  return { tree, tasks: await loadTaskNames(db, estimationId) };
}

/** Returns the ids of a milestone that name nothing at present. */
export function dormantIdsOf({ tree, tasks }: Names, milestone: MilestoneRecord): string[] {
  const open = tasks
    .filter(({ status }) => status === "open")
    .map((task) => ({ ...task, isDropped: task.droppedAt !== null }));
  return [...createCoverage(tree, open)(milestone).dormantIds];
}
