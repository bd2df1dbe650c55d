import { threadStatuses, type threads } from "../../../contract/endpoints/threads.ts";
import { limits } from "../../../contract/limits.ts";
import type { Queryable } from "../../db/database.ts";
import { fail, failWith } from "../../http/failure.ts";
import type { Handlers } from "../../http/handler.ts";
import { byId, listPage, type Order } from "../../http/list-page.ts";
import type { Services } from "../../services/index.ts";
import { accountTexts, presentEstimation, type ReadableEstimation, recordActivity } from "../estimations/index.ts";
import {
  countThreads,
  createThreadList,
  currentText,
  findThread,
  findVersion,
  findVersionWithText,
  mainIdOf,
  presentVersion,
  removeThread,
  saveThread,
  type ThreadRow,
  type ThreadWithHours,
} from "../versions/index.ts";
import { mergeThread } from "./merge-route.ts";
import { messageRoutes } from "./message-routes.ts";
import { removeMessages } from "./message-store.ts";
import { presentThread } from "./present.ts";
import { switchTo } from "./switch.ts";
import { undoMerge } from "./undo-merge.ts";

/** More rows than any comparison has. */
const ROWS = limits.comparedVersions * limits.treeNodes;

/** Rows of a comparison have no key that gives their position, only their index does. */
const byIndex: Order<{ readonly index: number }, number, readonly [number]> = {
  list: "comparison",
  sample: [0],
  valuesOf: ({ index }) => [index],
  read: ([index]) => (Number.isInteger(index) && index >= 0 && index < ROWS ? index : null),
};

/** Threads of an estimation, their messages, and versions side by side. */
export function threadRoutes(services: Services): Handlers<typeof threads, ReadableEstimation> {
  const list = createThreadList(services.pool);
  return {
    ...messageRoutes(services),

    async listThreads({ estimation, query }) {
      const { status: statuses = threadStatuses } = query;
      const find = (limit: number, after: string | null) => list(estimation, { statuses, limit, after });
      const page = await listPage(byId("threads"), query, find, limits.pageSizeInside);
      return { data: { threads: page.rows.map(presentThread), nextCursor: page.nextCursor } };
    },

    async getThread({ estimation, params, db }) {
      return { data: { thread: presentThread(await demandThread(db, estimation, params.threadId)) } };
    },

    async createThread(call) {
      const { estimation, body, db, now } = call;
      const base = await findVersion(db, estimation.id, body.baseVersionId);
      if (!base) return failWith([unknown("/baseVersionId", "must be the id of a version of this estimation")]);
      const used = async () => 1 + (await countThreads(db, estimation.id));
      await services.quotas.reserve(db, { quota: "threads", used });
      const thread: ThreadWithHours = {
        id: services.ids.next("thread"),
        estimationId: estimation.id,
        title: body.title,
        baseVersionId: base.id,
        headVersionId: base.id,
        status: "open",
        current: false,
        createdAt: now,
        hours: base.hours,
      };
      await saveThread(db, thread);
      await recordActivity(call, "thread.forked", { subject: { threadId: thread.id } });
      return { data: { thread: presentThread(thread) } };
    },

    async updateThread(call) {
      const { estimation, params, body, db } = call;
      const thread = await demandThread(db, estimation, params.threadId);
      const changed = { ...thread, ...body };
      if (body.status === "merged" && thread.status !== "merged") {
        failWith([{ path: "/status", in: "body", code: "not_allowed", message: "only a merge sets it" }]);
      }
      if (body.status === "closed" && thread.status !== "closed") refuseInUse(thread);
      if (changed.title !== thread.title || changed.status !== thread.status) {
        await saveThread(db, changed);
        await recordActivity(call, "thread.edited", { subject: { threadId: thread.id } });
      }
      return { data: { thread: presentThread(changed) } };
    },

    async deleteThread(call) {
      const { estimation, params, db } = call;
      const thread = await demandThread(db, estimation, params.threadId);
      refuseInUse(thread);
      const bytes = await removeMessages(db, { estimationId: estimation.id, threadId: thread.id });
      await accountTexts(db, services.quotas, estimation, -bytes);
      await removeThread(db, thread);
      await recordActivity(call, "thread.edited", { subject: { threadId: thread.id } });
      return { data: { thread: presentThread(thread) } };
    },

    async switchThread(call) {
      const { db, actor, params } = call;
      const thread = await demandThread(db, call.estimation, params.threadId);
      const { estimation, keptVersionId, between, tasksAffected } = await switchTo(
        services,
        call,
        thread,
        actor.userId,
      );
      if (between) {
        await recordActivity(call, "thread.switched", { subject: { threadId: thread.id }, after: estimation, between });
      }
      const kept = keptVersionId === null ? undefined : await findVersion(db, estimation.id, keptVersionId);
      const data = {
        thread: presentThread(await demandThread(db, estimation, thread.id)),
        estimation: presentEstimation(estimation),
        ...(kept ? { keptVersion: presentVersion(kept) } : {}),
        tasksAffected,
      };
      return { data, revision: estimation.revision };
    },

    async mergeThread(call) {
      const from = await demandThread(call.db, call.estimation, call.params.threadId);
      return mergeThread(services, call, from);
    },

    async undoMerge(call) {
      const { db, actor, params, body } = call;
      const thread = await demandThread(db, call.estimation, params.threadId);
      const wish = { thread, versionId: body.versionId, authorId: actor.userId };
      const { estimation, reopened, keptVersionId, between, tasksAffected } = await undoMerge(services, call, wish);
      const subject = { threadId: thread.id };
      await recordActivity(call, "thread.merge_undone", { subject, after: estimation, between });
      const kept = keptVersionId === null ? undefined : await findVersion(db, estimation.id, keptVersionId);
      const shown = async ({ id }: ThreadRow) => presentThread(await demandThread(db, estimation, id));
      const open = [];
      for (const one of reopened) open.push(await shown(one));
      const data = {
        thread: await shown(thread),
        reopened: open,
        estimation: presentEstimation(estimation),
        ...(kept ? { keptVersion: presentVersion(kept) } : {}),
        tasksAffected,
      };
      return { data, revision: estimation.revision };
    },

    async compareVersions({ estimation, actor, query, db }) {
      const columns = await readColumns(db, estimation, actor.userId, query.versions);
      const contents = columns.map(({ text }) => text);
      const bytes = contents.reduce((sum, { length }) => sum + length, 0);
      const compared = (from: number, limit: number) =>
        services.compute.run("compareContents", { contents, from, limit }, bytes);
      let comparison = {} as Awaited<ReturnType<typeof compared>>;
      const find = async (limit: number, after: number | null) => {
        const from = after === null ? 0 : after + 1;
        comparison = await compared(from, limit);
        return comparison.rows.map((row, at) => ({ ...row, index: from + at }));
      };
      const page = await listPage(byIndex, query, find, limits.pageSizeInside);
      const shown = columns.flatMap(({ text: _, ...about }, at) => {
        const ofColumn = comparison.columns[at];
        return ofColumn ? [{ ...about, ...ofColumn }] : [];
      });
      return {
        data: {
          comparison: { columns: shown, rowCount: comparison.rowCount },
          rows: page.rows.map(({ index: _, ...row }) => row),
          nextCursor: page.nextCursor,
        },
      };
    },
  };
}

async function demandThread(db: Queryable, estimation: ReadableEstimation, id: string): Promise<ThreadWithHours> {
  return (await findThread(db, estimation, id)) ?? fail("not_found");
}

function refuseInUse({ id, estimationId, current }: ThreadWithHours): void {
  if (id === mainIdOf(estimationId)) fail("thread_in_use", { details: { reason: "main" } });
  if (current) fail("thread_in_use", { details: { reason: "current" } });
}

/** A fault of a reference in the body. */
const unknown = (path: string, message: string) => ({ path, in: "body", code: "unknown_reference", message }) as const;

/** One of the contents that are compared. */
interface ReadColumn {
  readonly of: string;
  readonly versionId: string | null;
  readonly threadTitle: string | null;
  readonly label: string | null;
  /** The content, as JSON. */
  readonly text: string;
}

/** Reads the named contents: versions, heads of threads, `current`. Refuses (404) what the estimation does not have. */
async function readColumns(
  db: Queryable,
  estimation: ReadableEstimation,
  userId: string,
  names: readonly string[],
): Promise<ReadColumn[]> {
  const columns: ReadColumn[] = [];
  // One after the other: each can take megabytes.
  for (const of of names) {
    if (of === "current") {
      const text = await currentText(db, estimation.id, userId);
      columns.push({ of, versionId: null, threadTitle: null, label: null, text });
      continue;
    }
    const thread = await findThread(db, estimation, of);
    const versionId = thread ? thread.headVersionId : of;
    const version = (await findVersionWithText(db, estimation.id, versionId ?? "")) ?? fail("not_found");
    const { id, label, text } = version;
    columns.push({ of, versionId: id, threadTitle: thread?.title ?? null, label, text });
  }
  return columns;
}
