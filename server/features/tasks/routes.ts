import { limits } from "../../../contract/limits.ts";
import type { tasks } from "../../../contract/tasks.ts";
import { editTask } from "../../../domain/tasks/edit.ts";
import { presentTask } from "../../../domain/tasks/present.ts";
import type { Generation } from "../../../domain/tasks/regenerate.ts";
import type { StoredTask } from "../../../domain/tasks/shape.ts";
import type { Queryable } from "../../db/database.ts";
import { decodeCursor, pageOf, refuseCursor } from "../../http/cursor.ts";
import { fail } from "../../http/failure.ts";
import type { Actor, Handlers } from "../../http/handler.ts";
import type { Revisions } from "../../http/revisions.ts";
import { isWellFormedId } from "../../platform/ids.ts";
import type { Services } from "../../services.ts";
import { findEstimation, lockEstimation } from "../estimations/index.ts";
import { generateTasks, planGeneration } from "./generate.ts";
import { createTaskList, findTask, removeTask, saveTasks } from "./store.ts";

const LIST = "tasks";

/** Listing, previewing, generating, changing and deleting the tasks of an estimation. */
export function taskRoutes(services: Services): Handlers<typeof tasks> {
  const list = createTaskList(services.pool);
  return {
    async listTasks({ actor, params, query, db }) {
      const { status, cursor, limit = limits.pageSizeInside } = query;
      const after = cursor === undefined ? undefined : readCursor(cursor);
      const { id: estimationId } = await findEstimation(db, params.id, actor.userId);
      const found = await list({ estimationId, status, limit: limit + 1, after });
      const page = pageOf(found, limit, LIST, ({ position, id }) => [position, id]);
      return { data: { tasks: page.rows.map(presentTask), nextCursor: page.nextCursor } };
    },

    async previewTasks({ actor, params, db }) {
      const estimation = await findEstimation(db, params.id, actor.userId);
      return shown(await planGeneration(db, estimation.id));
    },

    async generateTasks({ actor, params, db, now, ifMatch }) {
      const estimation = await lockEstimation(db, params.id, actor.userId, ifMatch);
      return shown(await generateTasks(services, db, estimation, now));
    },

    async updateTask({ actor, params, body, db, ifMatch }) {
      const { estimationId, task } = await lockTask(db, params, actor, ifMatch);
      const changed = editTask(task, body);
      await saveTasks(db, estimationId, [changed]);
      return { data: { task: presentTask(changed) } };
    },

    async deleteTask({ actor, params, db, ifMatch }) {
      const { estimationId, task } = await lockTask(db, params, actor, ifMatch);
      await removeTask(db, estimationId, task);
      return { data: { task: presentTask(task) } };
    },
  };
}

const shown = ({ tasks, summary }: Generation) => ({ data: { tasks: tasks.map(presentTask), summary } });

/** A task for a change. The estimation is locked: a generation that is under way would write over the change otherwise. */
async function lockTask(
  tx: Queryable,
  params: { readonly id: string; readonly taskId: string },
  { userId }: Actor,
  ifMatch: Revisions | null,
): Promise<{ estimationId: string; task: StoredTask }> {
  const { id: estimationId } = await lockEstimation(tx, params.id, userId, ifMatch);
  return { estimationId, task: (await findTask(tx, estimationId, params.taskId)) ?? fail("not_found") };
}

function readCursor(cursor: string): { position: number; id: string } {
  const [position, id] = decodeCursor(LIST, cursor, [0, ""] as [number, string]);
  const possible = Number.isInteger(position) && position >= 0 && position < 2 ** 31 && isWellFormedId(id);
  return possible ? { position, id } : refuseCursor();
}
