import type { threads } from "../../../contract/endpoints/threads.ts";
import { limits } from "../../../contract/limits.ts";
import type { Fault } from "../../../contract/values/faults.ts";
import { mayResolveMessage } from "../../../domain/access.ts";
import type { Queryable } from "../../db/database.ts";
import { fail, failWith } from "../../http/failure.ts";
import type { Handlers } from "../../http/handler.ts";
import { byId, listPage } from "../../http/list-page.ts";
import { reserveForAuthor } from "../../http/quotas.ts";
import type { Services } from "../../services/index.ts";
import { accountTexts, bytesOfTexts, isTreeId, type ReadableEstimation, recordActivity } from "../estimations/index.ts";
import { addNotifications } from "../notifications/index.ts";
import { findCurrentThread, findThread, findVersion } from "../versions/index.ts";
import {
  countMessages,
  findMessage,
  insertMessage,
  listMessages,
  listWriters,
  setResolved,
  type ThreadKey,
} from "./message-store.ts";
import { presentMessage } from "./present.ts";

type MessageRows = Pick<
  typeof threads,
  "listOpenMessages" | "listThreadMessages" | "createThreadMessage" | "updateThreadMessage"
>;

/** Reading, writing and resolving the messages of a thread. */
export function messageRoutes(services: Services): Handlers<MessageRows, ReadableEstimation> {
  const { quotas } = services;
  return {
    async listOpenMessages({ estimation, query, db }) {
      const thread = { estimationId: estimation.id, threadId: (await findCurrentThread(db, estimation)).id };
      const find = (limit: number, before: string | null) =>
        listMessages(db, thread, { resolved: false, limit, before });
      const page = await listPage(byId("thread-messages.open"), query, find, limits.pageSizeInside);
      return { data: { messages: page.rows.map(presentMessage), nextCursor: page.nextCursor } };
    },

    async listThreadMessages({ estimation, params, query, db }) {
      const thread = await keyOf(db, estimation, params.threadId);
      const find = (limit: number, before: string | null) =>
        listMessages(db, thread, { resolved: query.resolved, limit, before });
      const page = await listPage(byId("thread-messages"), query, find, limits.pageSizeInside);
      return { data: { messages: page.rows.map(presentMessage), nextCursor: page.nextCursor } };
    },

    async createThreadMessage(call) {
      const { estimation, params, body, actor, db, now } = call;
      const thread = await keyOf(db, estimation, params.threadId);
      const { versionId = null, nodeId = null, optionId = null } = body;
      const faults = await anchorFaults(services, db, estimation.id, { versionId, nodeId, optionId });
      if (faults.length > 0) failWith(faults);
      const used = await countMessages(db, estimation.id, actor.userId);
      const quota = { all: "threadMessages", own: "threadMessagesPerAuthor" } as const;
      await reserveForAuthor(quotas, db, quota, { ...used, isOwner: estimation.access === "owner" });
      const id = services.ids.next("message");
      const anchor = { versionId, nodeId, optionId };
      await insertMessage(db, { ...thread, ...anchor, id, authorId: actor.userId, body: body.body, createdAt: now });
      await accountTexts(db, quotas, estimation, bytesOfTexts(body.body));
      const { estimationId, threadId } = thread;
      const subject = { threadId, messageId: id };
      await addNotifications(
        db,
        services.ids,
        { kind: "thread.commented", actorId: actor.userId, estimationId, subject, now },
        [estimation.ownerId, ...(await listWriters(db, thread))],
      );
      await recordActivity(call, "thread.commented", { subject: { threadId } });
      return { data: { message: presentMessage((await findMessage(db, thread, id)) ?? fail("not_found")) } };
    },

    async updateThreadMessage({ estimation, params, body, actor, db, now }) {
      const thread = await keyOf(db, estimation, params.threadId);
      const message = (await findMessage(db, thread, params.messageId)) ?? fail("not_found");
      if (!mayResolveMessage(estimation.access, message.authorId === actor.userId)) fail("forbidden");
      const { resolved = message.resolvedAt !== null } = body;
      if (resolved !== (message.resolvedAt !== null)) {
        await setResolved(db, message, resolved ? { at: now, userId: actor.userId } : null);
      }
      return { data: { message: presentMessage((await findMessage(db, thread, message.id)) ?? fail("not_found")) } };
    },
  };
}

async function keyOf(db: Queryable, estimation: ReadableEstimation, id: string): Promise<ThreadKey> {
  const thread = (await findThread(db, estimation, id)) ?? fail("not_found");
  return { estimationId: estimation.id, threadId: thread.id };
}

interface Anchor {
  readonly versionId: string | null;
  readonly nodeId: string | null;
  readonly optionId: string | null;
}

/** The subject of a message must belong to the estimation; a node or an option may have been removed from the tree. */
async function anchorFaults(
  { treeIds }: Services,
  db: Queryable,
  estimationId: string,
  { versionId, nodeId, optionId }: Anchor,
): Promise<Fault[]> {
  const faults: Fault[] = [];
  const fault = (path: string, code: Fault["code"], message: string) =>
    faults.push({ path, in: "body", code, message });
  if (versionId !== null && !(await findVersion(db, estimationId, versionId))) {
    fault("/versionId", "unknown_reference", "must be the id of a version of this estimation");
  }
  const owner = { estimationId, ids: treeIds(estimationId) };
  if (nodeId !== null && !(await isTreeId(db, owner, { kind: "node", id: nodeId }))) {
    fault("/nodeId", "unknown_reference", "must be the id of a node that this estimation has or had");
  }
  if (optionId !== null && !(await isTreeId(db, owner, { kind: "option", id: optionId }))) {
    fault("/optionId", "unknown_reference", "must be the id of an option that this estimation has or had");
  }
  if (nodeId !== null && optionId !== null) fault("/optionId", "not_allowed", "must not be given together with nodeId");
  return faults;
}
