import type { TaskChanges } from "../../contract/endpoints/tasks.ts";
import type { StoredTask } from "./shape.ts";

/**
 * Returns the task with a user's changes; omitted fields stay unchanged. A field set back to its generated value
 * follows the tree again. What a user calls done is not dropped, whatever its issue says.
 */
export const editTask = (task: StoredTask, changes: TaskChanges): StoredTask => {
  const droppedAt = changes.doneAt ? null : task.droppedAt;
  return { ...task, ...changes, droppedAt };
};
