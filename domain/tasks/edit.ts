import type { TaskChanges } from "../../contract/endpoints/tasks.ts";
import { changedRole } from "../tree/roles.ts";
import type { StoredTask } from "./shape.ts";

/**
 * Returns the task with a user's changes; omitted fields stay unchanged. A field set back to its generated value
 * follows the tree again. What a user calls done is not dropped, whatever its issue says.
 */
export const editTask = (task: StoredTask, { role, ...changes }: TaskChanges): StoredTask => ({
  ...task,
  ...changes,
  droppedAt: changes.doneAt ? null : task.droppedAt,
  // Another spelling of the generated role is the generated one, and no edit.
  ...(role === undefined ? {} : { role: changedRole(task.role, changedRole(task.base.role, role)) }),
});
