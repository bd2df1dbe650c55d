import type { TaskChanges } from "../../contract/tasks.ts";
import type { StoredTask } from "./shape.ts";

/**
 * The task with a user's changes; fields that are left out stay as they are. Setting a field back to what was generated
 * leaves it to the tree again.
 */
export const editTask = (task: StoredTask, changes: TaskChanges): StoredTask => ({ ...task, ...changes });
