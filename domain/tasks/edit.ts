import type { TaskChanges } from "../../contract/tasks.ts";
import type { StoredTask } from "./shape.ts";

/**
 * The task with a user's changes; fields that are left out, and read-only ones that were sent back, stay as they are.
 * Setting a field back to what was generated leaves it to the tree again.
 */
export function editTask(task: StoredTask, changes: TaskChanges): StoredTask {
  const { title, description, hours, role, actualHours } = { ...task, ...changes };
  return { ...task, title, description, role, hours, actualHours };
}
