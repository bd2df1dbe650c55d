import { type Conflict, merge } from "./merge.ts";
import {
  contentOf,
  type DerivedTask,
  type GenerationSummary,
  isEdited,
  type StoredTask,
  sameContent,
} from "./shape.ts";

/** The result of a generation. */
export interface Generation {
  /**
   * All tasks after it, in order: the open ones in tree order, then the obsolete ones. Unchanged tasks are the given
   * objects.
   */
  tasks: StoredTask[];
  /** Those of `tasks` that are new or changed. */
  changed: StoredTask[];
  removed: StoredTask[];
  summary: GenerationSummary;
}

/**
 * Updates stored tasks to those that the tree requires. Known tasks are merged (see `merge`) and, if they were obsolete, open again; parent and position always follow the tree. A task that the tree no longer asks for is removed, unless it
 * contains something that only people can have added (an edit, actual hours, that it is done), or an issue of it exists or may
 * exist: then it becomes obsolete and stays, after the open ones. Repeating this with the same tree changes nothing.
 *
 * @param issues the tasks whose issue exists or may exist, with what is known about it: a task that comes back gets it again
 */
export function regenerate(
  stored: readonly StoredTask[],
  derived: readonly DerivedTask[],
  issues: ReadonlyMap<string, StoredTask["externalRef"]> = new Map(),
): Generation {
  const before = new Map(stored.map((task) => [task.id, task]));
  const wanted = new Set(derived.map((task) => task.id));
  const conflicts: Conflict[] = [];
  const open = derived.map((task) => {
    const known = before.get(task.id);
    if (!known) return create(task, issues.get(task.id) ?? null);
    const merged = merge(known, task);
    conflicts.push(...merged.conflicts);
    return merged.task;
  });
  const dropped = stored.filter((task) => !wanted.has(task.id)).sort(byPlace);
  const kept = dropped.filter((task) => isWorthKeeping(task) || issues.has(task.id));
  const remaining = new Set([...wanted, ...kept.map((task) => task.id)]);
  const obsolete = kept.map((task, index) => retire(task, open.length + index, before, remaining));
  const tasks = [...open, ...obsolete].map((task) => unlessSame(before.get(task.id), task));
  const removed = dropped.filter((task) => !remaining.has(task.id));
  return {
    tasks,
    changed: tasks.filter((task) => before.get(task.id) !== task),
    removed,
    summary: { ...countChanges(tasks, before), removed: removed.length, conflicts },
  };
}

function create({ rounded: _, ...task }: DerivedTask, externalRef: StoredTask["externalRef"]): StoredTask {
  return {
    ...task,
    status: "open",
    actualHours: null,
    doneAt: null,
    droppedAt: null,
    externalRef,
    base: contentOf(task),
  };
}

function isWorthKeeping(task: StoredTask): boolean {
  const { actualHours, doneAt, droppedAt, externalRef } = task;
  return isEdited(task) || [actualHours, doneAt, droppedAt, externalRef].some((fact) => fact !== null);
}

/** Returns an obsolete task with the nearest parent that still exists. */
function retire(
  task: StoredTask,
  position: number,
  before: ReadonlyMap<string, StoredTask>,
  remaining: ReadonlySet<string>,
): StoredTask {
  let { parentTaskId } = task;
  while (parentTaskId !== null && !remaining.has(parentTaskId))
    parentTaskId = before.get(parentTaskId)?.parentTaskId ?? null;
  return { ...task, status: "obsolete", parentTaskId, position };
}

/** Counts each task once. A change of position alone, because tasks before it were added or removed, does not count. */
function countChanges(tasks: readonly StoredTask[], before: ReadonlyMap<string, StoredTask>) {
  const counts = { created: 0, updated: 0, unchanged: 0, obsolete: 0 };
  for (const task of tasks) {
    const known = before.get(task.id);
    if (!known) counts.created += 1;
    else if (task.status === "obsolete" && known.status === "open") counts.obsolete += 1;
    else if (isUpdated(known, task)) counts.updated += 1;
    else counts.unchanged += 1;
  }
  return counts;
}

function isUpdated(known: StoredTask, task: StoredTask): boolean {
  return (
    !sameContent(known, task) ||
    known.parentTaskId !== task.parentTaskId ||
    known.status !== task.status ||
    isEdited(known) !== isEdited(task)
  );
}

function unlessSame(known: StoredTask | undefined, task: StoredTask): StoredTask {
  const same =
    known &&
    !isUpdated(known, task) &&
    known.position === task.position &&
    sameContent(known.base, task.base) &&
    samePoints(known.points, task.points);
  return same ? known : task;
}

const samePoints = (a: StoredTask["points"], b: StoredTask["points"]): boolean =>
  a?.optimistic === b?.optimistic && a?.likely === b?.likely && a?.pessimistic === b?.pessimistic;

const byPlace = (a: StoredTask, b: StoredTask): number => a.position - b.position || (a.id < b.id ? -1 : 1);
