import type { Task } from "../../contract/tasks.ts";

export type { Rounding } from "../../contract/estimations.ts";
export type { GenerationSummary, Task } from "../../contract/tasks.ts";

/** What the tree and a user may both set, and a generation merges. */
export type TaskContent = Pick<Task, "title" | "description" | "hours" | "role">;

interface PlacedTask extends TaskContent {
  id: string;
  optionId: string | null;
  parentTaskId: string | null;
  /** Counts from 0 in tree order. */
  position: number;
}

/** A task as the tree asks for it. */
export interface DerivedTask extends PlacedTask {
  /** What rounding may make of its hours, depending on the other tasks; null without hours. */
  rounded: { down: number; up: number } | null;
}

/** A task as it is kept. `base` is what the last generation made of the tree, the common ancestor of the next merge. */
export interface StoredTask extends PlacedTask {
  status: Task["status"];
  actualHours: number | null;
  externalRef: Task["externalRef"];
  base: TaskContent;
}

/**
 * The id of the task that an option, or a `group` node, stands for: the same opaque body under the task's prefix, so that
 * it lives as long as what it comes from. Bodies are unique over all kinds.
 */
export function taskIdOf(treeId: string): string {
  return `tsk_${treeId.slice(treeId.indexOf("_") + 1)}`;
}

/** The merged fields alone. */
export function contentOf({ title, description, hours, role }: TaskContent): TaskContent {
  return { title, description, hours, role };
}

export function sameContent(a: TaskContent, b: TaskContent): boolean {
  return a.title === b.title && a.description === b.description && a.hours === b.hours && a.role === b.role;
}

/** Whether a user's change stands in the task: something differs from what was generated last. */
export function isEdited(task: StoredTask): boolean {
  return !sameContent(task, task.base);
}
