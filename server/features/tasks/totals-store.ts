import { and, asc, desc, eq, gt, gte, isNull, or, sql } from "drizzle-orm";
import type { Queryable } from "../../db/database.ts";
import { estimationReaders, estimations, type RemovePart, removeRows } from "../estimations/index.ts";
import { FINISHED, tasks, taskTotals } from "./tables.ts";

/** Counts the tasks of an estimation anew. Every function that changes tasks calls it, in the same transaction. */
export async function countTasks(tx: Queryable, estimationId: string): Promise<void> {
  const working = sql`status = 'open' and hours > 0`;
  await tx.execute(sql`
    insert into ${taskTotals}
      (estimation_id, revision, finished, working, working_finished, actual_hours, last_done_at)
    select ${estimationId}, 1, count(*) filter (where ${FINISHED}), count(*) filter (where ${working}),
      count(*) filter (where ${working} and ${FINISHED}),
      coalesce(sum(actual_hours) filter (where ${working} and ${FINISHED}), 0),
      max(done_at) filter (where ${working} and ${FINISHED})
    from ${tasks} where ${eq(tasks.estimationId, estimationId)}
    on conflict (estimation_id) do update set revision = ${taskTotals.revision} + 1, finished = excluded.finished,
      working = excluded.working, working_finished = excluded.working_finished,
      actual_hours = excluded.actual_hours, last_done_at = excluded.last_done_at`);
}

/** Removes the totals of an estimation that is permanently removed. */
export const removeTaskTotalsForGood: RemovePart = (tx, estimationId, rows) =>
  removeRows(tx, taskTotals, eq(taskTotals.estimationId, estimationId), rows);

/** An estimation with finished tasks, and the number of the last change of its tasks. */
export interface TaskSource {
  readonly estimationId: string;
  readonly revision: number;
  readonly finished: number;
}

/** Lists the estimations with finished tasks that a user may read, in the order of their ids. */
export function finishedSources(db: Queryable, userId: string): Promise<TaskSource[]> {
  const { estimationId, revision, finished } = taskTotals;
  return db
    .select({ estimationId, revision, finished })
    .from(estimationReaders)
    .innerJoin(taskTotals, eq(taskTotals.estimationId, estimationReaders.estimationId))
    .innerJoin(estimations, eq(estimations.id, estimationReaders.estimationId))
    .where(and(eq(estimationReaders.userId, userId), sql`${finished} > 0`, isNull(estimations.deletedAt)))
    .orderBy(estimationId);
}

/** A finished task as it is stored. */
export interface StoredFinishedTask {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly role: string | null;
  readonly estimatedHours: number;
  readonly actualHours: number;
  readonly doneAt: Date;
}

const { id, title, description, role, hours, actualHours, doneAt } = tasks;
const finished = { id, title, description, role, estimatedHours: hours, actualHours, doneAt };

/** Where a finished task is in the order in which tasks were done. */
export type PlaceInTime = Pick<StoredFinishedTask, "doneAt" | "id">;

const ofEstimations = (ids: readonly string[]) => sql`${tasks.estimationId} = any(${sql.param([...ids])}::text[])`;

/** Lists finished tasks of estimations, the earliest done first: all, or those from a place on, or after it. */
export async function listFinished(
  db: Queryable,
  estimationIds: readonly string[],
  limit: number,
  place: PlaceInTime | null,
  begin: "from" | "after",
): Promise<StoredFinishedTask[]> {
  const isLater = begin === "from" ? gte : gt;
  const later = place ? or(gt(doneAt, place.doneAt), and(eq(doneAt, place.doneAt), isLater(id, place.id))) : undefined;
  const rows = await db
    .select(finished)
    .from(tasks)
    .where(and(ofEstimations(estimationIds), FINISHED, later))
    .orderBy(asc(doneAt), asc(id))
    .limit(limit);
  return rows as StoredFinishedTask[];
}

/** Returns the place of the first of the `most` tasks of estimations that were done last; null if there are fewer. */
export async function findNewest(
  db: Queryable,
  estimationIds: readonly string[],
  most: number,
): Promise<PlaceInTime | null> {
  const [first] = await db
    .select({ id, doneAt })
    .from(tasks)
    .where(and(ofEstimations(estimationIds), FINISHED))
    .orderBy(desc(doneAt), desc(id))
    .offset(most - 1)
    .limit(1);
  return (first as PlaceInTime | undefined) ?? null;
}

/** Reads those of these finished tasks that a user may read, in no order. */
export async function readFinished(
  db: Queryable,
  userId: string,
  ids: readonly string[],
): Promise<StoredFinishedTask[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .select(finished)
    .from(tasks)
    .innerJoin(estimationReaders, eq(estimationReaders.estimationId, tasks.estimationId))
    .innerJoin(estimations, eq(estimations.id, tasks.estimationId))
    .where(
      and(
        sql`${id} = any(${sql.param([...ids])}::text[])`,
        sql`${tasks.doneAt} is not null and ${hours} > 0 and ${actualHours} > 0`,
        eq(estimationReaders.userId, userId),
        isNull(estimations.deletedAt),
      ),
    );
  return rows as StoredFinishedTask[];
}

/** Reads the titles of those of these tasks that a user may read, by id. */
export async function titlesOf(db: Queryable, userId: string, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: tasks.id, title: tasks.title })
    .from(tasks)
    .innerJoin(estimationReaders, eq(estimationReaders.estimationId, tasks.estimationId))
    .innerJoin(estimations, eq(estimations.id, tasks.estimationId))
    .where(
      and(
        sql`${tasks.id} = any(${sql.param([...ids])}::text[])`,
        eq(estimationReaders.userId, userId),
        isNull(estimations.deletedAt),
      ),
    );
  return new Map(rows.map(({ id, title }) => [id, title]));
}
