import { limits } from "../../../contract/limits.ts";
import type { tasks } from "../../../contract/tasks.ts";
import { editTask } from "../../../domain/tasks/edit.ts";
import { presentTask } from "../../../domain/tasks/present.ts";
import type { Generation } from "../../../domain/tasks/regenerate.ts";
import { decodeCursor, pageOf, refuseCursor } from "../../http/cursor.ts";
import { fail } from "../../http/failure.ts";
import type { Handlers } from "../../http/handler.ts";
import { isWellFormedId } from "../../platform/ids.ts";
import type { Services } from "../../services.ts";
import type { ReadableEstimation } from "../estimations/index.ts";
import { generateTasks, planGeneration } from "./generate.ts";
import { createTaskList, findTask, removeTask, saveTasks } from "./store.ts";

const LIST = "tasks";

/** Listing, previewing, generating, changing and deleting the tasks of an estimation. */
export function taskRoutes(services: Services): Handlers<typeof tasks, ReadableEstimation> {
  const list = createTaskList(services.pool);
  return {
    async listTasks({ estimation, query }) {
      const { status, cursor, limit = limits.pageSizeInside } = query;
      const after = cursor === undefined ? undefined : readCursor(cursor);
      const found = await list({ estimationId: estimation.id, status, limit: limit + 1, after });
      const page = pageOf(found, limit, LIST, ({ position, id }) => [position, id]);
      return { data: { tasks: page.rows.map(presentTask), nextCursor: page.nextCursor } };
    },

    async previewTasks({ estimation, db }) {
      return shown(await planGeneration(db, estimation.id, estimation.tree));
    },

    async generateTasks({ estimation, db, now }) {
      return shown(await generateTasks(services, db, estimation, now));
    },

    // The estimation is locked: a generation that is under way would otherwise write over the change.
    async updateTask({ estimation, params, body, db }) {
      const task = (await findTask(db, estimation.id, params.taskId)) ?? fail("not_found");
      const changed = editTask(task, body);
      await saveTasks(db, estimation.id, [changed]);
      return { data: { task: presentTask(changed) } };
    },

    async deleteTask({ estimation, params, db }) {
      const task = (await findTask(db, estimation.id, params.taskId)) ?? fail("not_found");
      await removeTask(db, estimation.id, task);
      return { data: { task: presentTask(task) } };
    },
  };
}

const shown = ({ tasks, summary }: Generation) => ({ data: { tasks: tasks.map(presentTask), summary } });

function readCursor(cursor: string): { position: number; id: string } {
  const [position, id] = decodeCursor(LIST, cursor, [0, ""] as [number, string]);
  const possible = Number.isInteger(position) && position >= 0 && position < 2 ** 31 && isWellFormedId(id);
  return possible ? { position, id } : refuseCursor();
}
