import { isEdited, type StoredTask, type Task } from "./shape.ts";

/** Returns a task as the API shows it. */
export function presentTask(task: StoredTask): Task {
  const { base: _, points: _points, ...record } = task;
  return { ...record, edited: isEdited(task) };
}
