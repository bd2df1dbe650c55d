import { isEdited, type StoredTask, type Task } from "./shape.ts";

/** A task as it is answered. */
export function presentTask(task: StoredTask): Task {
  const { base: _, ...record } = task;
  return { ...record, edited: isEdited(task) };
}
