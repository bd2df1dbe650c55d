import { and, asc, count, eq, getTableColumns, gt, sql } from "drizzle-orm";
import type { ThreadStatus } from "../../../contract/endpoints/threads.ts";
import { idPrefixes } from "../../../contract/shapes.ts";
import type { Database, Queryable } from "../../db/database.ts";
import { threads, versions } from "./tables.ts";

export type ThreadRow = typeof threads.$inferSelect;

/** A thread with the hours of its head; null if it has no version. */
export type ThreadWithHours = ThreadRow & { readonly hours: typeof versions.$inferSelect.hours | null };

/** The fields that Main is derived from. */
interface Owner {
  readonly id: string;
  readonly createdAt: Date;
}

const ofEstimation = (estimationId: string) => eq(threads.estimationId, estimationId);
const columns = { ...getTableColumns(threads), hours: versions.hours };
const isHead = eq(versions.id, threads.headVersionId);

/** Returns the id of an estimation's thread Main. */
export const mainIdOf = (estimationId: string): string =>
  `${idPrefixes.thread}${estimationId.slice(idPrefixes.estimation.length)}`;

/** Main without a row, as long as there is no version. */
const newMain = ({ id, createdAt }: Owner): ThreadRow => ({
  id: mainIdOf(id),
  estimationId: id,
  title: "Main",
  baseVersionId: null,
  headVersionId: null,
  status: "open",
  current: true,
  createdAt,
});

/** A thread of an estimation; undefined if it has none with this id. */
export async function findThread(db: Queryable, owner: Owner, id: string): Promise<ThreadWithHours | undefined> {
  const [row] = await db
    .select(columns)
    .from(threads)
    .leftJoin(versions, isHead)
    .where(and(ofEstimation(owner.id), eq(threads.id, id)));
  return row ?? (id === mainIdOf(owner.id) ? { ...newMain(owner), hours: null } : undefined);
}

/** The thread that the content of an estimation belongs to. */
export async function findCurrentThread(db: Queryable, owner: Owner): Promise<ThreadRow> {
  const [row] = await db
    .select()
    .from(threads)
    .where(and(ofEstimation(owner.id), threads.current));
  return row ?? newMain(owner);
}

/** Which threads of an estimation: those after the id `after`. */
interface ThreadQuery {
  readonly statuses: readonly ThreadStatus[];
  readonly limit: number;
  readonly after: string | null;
}

/** Lists threads in the order in which they were made, Main first; prepared once per connection. */
export function createThreadList(pool: Database) {
  const statement = pool
    .select(columns)
    .from(threads)
    .leftJoin(versions, isHead)
    .where(
      and(
        eq(threads.estimationId, sql.placeholder("estimationId")),
        gt(threads.id, sql.placeholder("after")),
        sql`${threads.status} = any(${sql.placeholder("statuses")}::text[])`,
      ),
    )
    .orderBy(asc(threads.id))
    .limit(sql.placeholder("limit"))
    .prepare("list_threads");
  return async (owner: Owner, { statuses, limit, after }: ThreadQuery): Promise<ThreadWithHours[]> => {
    const rows = await statement.execute({ estimationId: owner.id, statuses, limit, after: after ?? "" });
    const isFirst = rows.length === 0 && after === null && statuses.includes("open");
    // Main is always open: without a row, Main has none.
    return isFirst ? [{ ...newMain(owner), hours: null }] : rows;
  };
}

/** The merged threads of an estimation whose head is this version. */
export const findMergedThreads = (db: Queryable, estimationId: string, headVersionId: string): Promise<ThreadRow[]> =>
  db
    .select()
    .from(threads)
    .where(and(ofEstimation(estimationId), eq(threads.headVersionId, headVersionId), eq(threads.status, "merged")))
    .orderBy(asc(threads.id));

export async function countThreads(db: Queryable, estimationId: string): Promise<number> {
  const [row] = await db.select({ threads: count() }).from(threads).where(ofEstimation(estimationId));
  return row?.threads ?? 0;
}

/** Stores a thread of a locked estimation as it is now. */
export async function saveThread(tx: Queryable, { hours: _, ...row }: ThreadRow & { hours?: unknown }): Promise<void> {
  await tx.insert(threads).values(row).onConflictDoUpdate({ target: threads.id, set: row });
}

/** Makes another thread of a locked estimation the current one. */
export async function switchThread(tx: Queryable, from: ThreadRow, to: ThreadRow): Promise<void> {
  // One after the other, so that there are never two.
  await saveThread(tx, { ...from, current: false });
  await saveThread(tx, { ...to, current: true });
}

export async function removeThread(tx: Queryable, { estimationId, id }: ThreadRow): Promise<void> {
  await tx.delete(threads).where(and(ofEstimation(estimationId), eq(threads.id, id)));
}
