import type { Task } from "../../contract/endpoints/tasks.ts";
import type { ThreePoint } from "../../contract/values/tree.ts";

export type { GenerationSummary, Task } from "../../contract/endpoints/tasks.ts";
export type { Rounding } from "../../contract/values/roundings.ts";

/** Fields that both the tree and a user may set, and that a generation merges. */
export type TaskContent = Pick<Task, "title" | "description" | "hours" | "role">;

interface PlacedTask extends TaskContent {
  id: string;
  optionId: string | null;
  parentTaskId: string | null;
  /** Counts from 0 in tree order. */
  position: number;
  /** The hours of its option times the quantities above it, as they were at the last generation; null without hours. */
  points: ThreePoint | null;
}

/** A task that the tree asks for. */
export interface DerivedTask extends PlacedTask {
  /** The range that rounding may give its hours, depending on the other tasks; null without hours. */
  rounded: { down: number; up: number } | null;
}

/** A stored task. `base` holds the values of the last generation, the common ancestor of the next merge. */
export interface StoredTask extends PlacedTask {
  status: Task["status"];
  actualHours: number | null;
  /** ISO 8601 in UTC with milliseconds. */
  doneAt: string | null;
  /** When its issue was closed although the work was not done, in the same form. A task is done or dropped, never both. */
  droppedAt: string | null;
  externalRef: Task["externalRef"];
  base: TaskContent;
}

/**
 * Returns the id of the task of an option or a `group` node: the same opaque body with the task's prefix, so that it
 * exists as long as its origin. Bodies are unique over all kinds.
 */
export function taskIdOf(treeId: string): string {
  return `tsk_${treeId.slice(treeId.indexOf("_") + 1)}`;
}

/** Returns only the merged fields. */
export function contentOf({ title, description, hours, role }: TaskContent): TaskContent {
  return { title, description, hours, role };
}

export function sameContent(a: TaskContent, b: TaskContent): boolean {
  return a.title === b.title && a.description === b.description && a.hours === b.hours && a.role === b.role;
}

/** Returns whether the task has a user's change: something differs from the last generation. */
export function isEdited(task: StoredTask): boolean {
  return !sameContent(task, task.base);
}
