import { and, count, desc, eq, getTableColumns, isNotNull, isNull, lt, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Queryable } from "../../db/database.ts";
import { users } from "../auth/index.ts";
import { threadMessages } from "./tables.ts";

/** A message with the names that are shown with it. */
export type MessageRow = typeof threadMessages.$inferSelect & {
  readonly authorName: string;
  readonly resolverName: string | null;
};

const resolvers = alias(users, "resolvers");
const ofEstimation = (estimationId: string) => eq(threadMessages.estimationId, estimationId);

const selectMessages = (db: Queryable) =>
  db
    .select({ ...getTableColumns(threadMessages), authorName: users.name, resolverName: resolvers.name })
    .from(threadMessages)
    .innerJoin(users, eq(users.id, threadMessages.authorId))
    .leftJoin(resolvers, eq(resolvers.id, threadMessages.resolvedById));

/** Which thread. */
export interface ThreadKey {
  readonly estimationId: string;
  readonly threadId: string;
}

const ofThread = ({ estimationId, threadId }: ThreadKey) =>
  and(ofEstimation(estimationId), eq(threadMessages.threadId, threadId));

/** Reads at most `limit` messages, newest first, after `before` if given. */
export const listMessages = (
  db: Queryable,
  thread: ThreadKey,
  { resolved, limit, before }: { resolved: boolean | undefined; limit: number; before: string | null },
): Promise<MessageRow[]> =>
  selectMessages(db)
    .where(
      and(
        ofThread(thread),
        resolved === undefined ? undefined : (resolved ? isNotNull : isNull)(threadMessages.resolvedAt),
        before === null ? undefined : lt(threadMessages.id, before),
      ),
    )
    .orderBy(desc(threadMessages.id))
    .limit(limit);

export async function findMessage(db: Queryable, thread: ThreadKey, id: string): Promise<MessageRow | undefined> {
  const [row] = await selectMessages(db).where(and(ofThread(thread), eq(threadMessages.id, id)));
  return row;
}

/** Counts the messages of all threads of an estimation, and those of one author among them. */
export async function countMessages(
  db: Queryable,
  estimationId: string,
  authorId: string,
): Promise<{ all: number; own: number }> {
  const own = count(sql`case when ${eq(threadMessages.authorId, authorId)} then 1 end`);
  const [row] = await db.select({ all: count(), own }).from(threadMessages).where(ofEstimation(estimationId));
  return row ?? { all: 0, own: 0 };
}

/** So many of the latest messages of a thread say who takes part in it. */
const LATELY = 100;

/** Returns the ids of those who wrote one of the latest messages of a thread. */
export async function listWriters(db: Queryable, thread: ThreadKey): Promise<string[]> {
  const latest = db
    .select({ authorId: threadMessages.authorId })
    .from(threadMessages)
    .where(ofThread(thread))
    .orderBy(desc(threadMessages.id))
    .limit(LATELY)
    .as("latest");
  return (await db.selectDistinct({ id: latest.authorId }).from(latest)).map(({ id }) => id);
}

export async function insertMessage(tx: Queryable, row: typeof threadMessages.$inferInsert): Promise<void> {
  await tx.insert(threadMessages).values(row);
}

/** Stores who resolved a message and when; null: it is open. */
export async function setResolved(
  tx: Queryable,
  { estimationId, id }: MessageRow,
  by: { readonly at: Date; readonly userId: string } | null,
): Promise<void> {
  await tx
    .update(threadMessages)
    .set({ resolvedAt: by?.at ?? null, resolvedById: by?.userId ?? null })
    .where(and(ofEstimation(estimationId), eq(threadMessages.id, id)));
}

/** Removes the messages of a thread, and returns how many bytes their texts took. */
export async function removeMessages(tx: Queryable, thread: ThreadKey): Promise<number> {
  const bytes = sql<number>`octet_length(${threadMessages.body})`;
  const removed = await tx.delete(threadMessages).where(ofThread(thread)).returning({ bytes });
  return removed.reduce((sum, message) => sum + message.bytes, 0);
}
