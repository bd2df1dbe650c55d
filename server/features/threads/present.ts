import type { Thread, ThreadMessage } from "../../../contract/endpoints/threads.ts";
import { summaryOf } from "../../../domain/tree/hours/roll-up.ts";
import { mainIdOf, type ThreadWithHours } from "../versions/index.ts";
import type { MessageRow } from "./message-store.ts";

/** Returns a thread as the API shows it. */
export const presentThread = (row: ThreadWithHours): Thread => ({
  id: row.id,
  title: row.title,
  status: row.status,
  main: row.id === mainIdOf(row.estimationId),
  current: row.current,
  baseVersionId: row.baseVersionId,
  headVersionId: row.headVersionId,
  hours: row.hours && summaryOf(row.hours),
  createdAt: row.createdAt.toISOString(),
});

/** Returns a message as the API shows it. */
export const presentMessage = (row: MessageRow): ThreadMessage => ({
  id: row.id,
  threadId: row.threadId,
  author: { id: row.authorId, name: row.authorName },
  body: row.body,
  versionId: row.versionId,
  nodeId: row.nodeId,
  optionId: row.optionId,
  resolvedAt: row.resolvedAt?.toISOString() ?? null,
  resolvedBy: row.resolvedById === null ? null : { id: row.resolvedById, name: row.resolverName ?? "" },
  createdAt: row.createdAt.toISOString(),
});
