import { type Conflict, merge } from "./merge.ts";
import {
  contentOf,
  type DerivedTask,
  type GenerationSummary,
  isEdited,
  type StoredTask,
  sameContent,
} from "./shape.ts";

/** What a generation comes to. */
export interface Generation {
  /** All tasks after it, in order: the open ones in tree order, then the obsolete ones. Those left alone are the given objects. */
  tasks: StoredTask[];
  /** Of `tasks`, those that are new or not as they were given. */
  changed: StoredTask[];
  removed: StoredTask[];
  summary: GenerationSummary;
}

/**
 * Brings stored tasks in line with what the tree asks for. Known tasks are merged (see `merge`) and, if they were obsolete,
 * open again; parent and position always follow the tree. A task that the tree no longer asks for is removed, unless it
 * holds what only people can have put there (an edit, actual hours, an exported issue): then it is obsolete and stays, after
 * the open ones. The same tree again changes nothing.
 */
export function regenerate(stored: readonly StoredTask[], derived: readonly DerivedTask[]): Generation {
  const before = new Map(stored.map((task) => [task.id, task]));
  const wanted = new Set(derived.map((task) => task.id));
  const conflicts: Conflict[] = [];
  const open = derived.map((task) => {
    const known = before.get(task.id);
    if (!known) return create(task);
    const merged = merge(known, task);
    conflicts.push(...merged.conflicts);
    return merged.task;
  });
  const dropped = stored.filter((task) => !wanted.has(task.id)).sort(byPlace);
  const kept = dropped.filter(isWorthKeeping);
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

function create({ rounded: _, ...task }: DerivedTask): StoredTask {
  return { ...task, status: "open", actualHours: null, externalRef: null, base: contentOf(task) };
}

function isWorthKeeping(task: StoredTask): boolean {
  return isEdited(task) || task.actualHours !== null || task.externalRef !== null;
}

/** An obsolete task below what is left of its parents. */
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

/** Each task is counted once; a move of its position alone, by others that come or go before it, is no change of it. */
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
    known && !isUpdated(known, task) && known.position === task.position && sameContent(known.base, task.base);
  return same ? known : task;
}

const byPlace = (a: StoredTask, b: StoredTask): number => a.position - b.position || (a.id < b.id ? -1 : 1);
