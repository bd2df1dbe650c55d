import type { TaskChanges } from "../../contract/endpoints/tasks.ts";
import type { StoredTask } from "./shape.ts";

/**
 * Returns the task with a user's changes; omitted fields stay unchanged. A field set back to its generated value
 * follows the tree again.
 */
export const editTask = (task: StoredTask, changes: TaskChanges): StoredTask => ({ ...task, ...changes });
