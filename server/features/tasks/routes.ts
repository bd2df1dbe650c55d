import { isDeepStrictEqual } from "node:util";
import type { tasks } from "../../../contract/endpoints/tasks.ts";
import { limits } from "../../../contract/limits.ts";
import { editTask } from "../../../domain/tasks/edit.ts";
import { presentTask } from "../../../domain/tasks/present.ts";
import type { Generation } from "../../../domain/tasks/regenerate.ts";
import type { Queryable } from "../../db/database.ts";
import { fail, failWith } from "../../http/failure.ts";
import type { Handlers } from "../../http/handler.ts";
import { listPage, type Order } from "../../http/list-page.ts";
import { isWellFormedId } from "../../platform/ids.ts";
import { parseTimestamp } from "../../platform/timestamp.ts";
import type { Services } from "../../services/index.ts";
import {
  accountTexts,
  estimationLookUp,
  noteChange,
  type ReadableEstimation,
  recordActivity,
} from "../estimations/index.ts";
import { generateTasks, planGeneration, textBytesOf } from "./generate.ts";
import { createTaskList, findTask, removeTask, saveTasks, type TaskPosition } from "./store.ts";

const byPosition: Order<TaskPosition, TaskPosition, readonly [number, string]> = {
  list: "tasks",
  sample: [0, ""],
  valuesOf: ({ position, id }) => [position, id],
  read([position, id]) {
    const possible = Number.isInteger(position) && position >= 0 && position < 2 ** 31 && isWellFormedId(id);
    return possible ? { position, id } : null;
  },
};

/** Listing, previewing, generating, changing and deleting the tasks of an estimation. */
export function taskRoutes(services: Services): Handlers<typeof tasks, ReadableEstimation> {
  const list = createTaskList(services.pool);
  return {
    async listTasks({ estimation, query }) {
      const find = (limit: number, after: TaskPosition | null) =>
        list({ estimationId: estimation.id, status: query.status, limit, after });
      const page = await listPage(byPosition, query, find, limits.pageSizeInside);
      return { data: { tasks: page.rows.map(presentTask), nextCursor: page.nextCursor } };
    },

    // Of one moment, although it takes several queries.
    async previewTasks({ estimation: { id }, actor }) {
      const preview = async (db: Queryable) => {
        const estimation = (await estimationLookUp.findWithTree(db, id, actor.userId, "read")) ?? fail("not_found");
        return planGeneration(services, db, estimation, estimation.tree);
      };
      return shown(
        await services.pool.transaction(preview, { isolationLevel: "repeatable read", accessMode: "read only" }),
      );
    },

    async generateTasks(call) {
      const generation = await generateTasks(services, call);
      await recordActivity(call, "tasks.generated");
      return shown(generation);
    },

    // The estimation is locked: a generation under way would otherwise overwrite the change.
    async updateTask(call) {
      const { estimation, params, body, db, now, actor } = call;
      const task = (await findTask(db, estimation.id, params.taskId)) ?? fail("not_found");
      const changed = editTask(task, { ...body, ...doneAtIn(body, now) });
      if (!isDeepStrictEqual(changed, task)) {
        await saveTasks(db, estimation.id, [changed]);
        await noteChange(db, estimation, actor.userId);
        await recordActivity(call, "tasks.edited");
      }
      const moreBytes = textBytesOf([changed]) - textBytesOf([task]);
      await accountTexts(db, services.quotas, estimation, moreBytes);
      return { data: { task: presentTask(changed) } };
    },

    async deleteTask(call) {
      const { estimation, params, db, actor } = call;
      const task = (await findTask(db, estimation.id, params.taskId)) ?? fail("not_found");
      await removeTask(db, estimation.id, task);
      await accountTexts(db, services.quotas, estimation, -textBytesOf([task]));
      await noteChange(db, estimation, actor.userId);
      await recordActivity(call, "tasks.edited");
      return { data: { task: presentTask(task) } };
    },
  };
}

/** The time at which a task was done, in UTC. Refuses (400) one in the future. */
function doneAtIn({ doneAt }: { readonly doneAt?: string | null }, now: Date): { doneAt?: string | null } {
  if (doneAt === undefined || doneAt === null) return doneAt === null ? { doneAt } : {};
  const time = parseTimestamp(doneAt) ?? now;
  if (time > now) {
    failWith([{ path: "/doneAt", in: "body", code: "not_allowed", message: "must not be in the future" }]);
  }
  return { doneAt: time.toISOString() };
}

const shown = ({ tasks, summary }: Generation) => ({ data: { tasks: tasks.map(presentTask), summary } });
