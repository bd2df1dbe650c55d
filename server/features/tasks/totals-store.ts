import { and, asc, desc, eq, gt, gte, isNull, not, or, sql } from "drizzle-orm";
import type { Queryable } from "../../db/database.ts";
import { estimationReaders, estimations, isReader, listWorkedOn } from "../estimations/index.ts";
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

/** An estimation with finished tasks, and the number of the last change of its tasks. */
export interface TaskSource {
  readonly estimationId: string;
  readonly revision: number;
  readonly finished: number;
  /** It is the user's own, or shared with a team of the user; otherwise the user has only changed its content or tasks. */
  readonly isOwn: boolean;
}

/**
 * Lists the estimations with finished tasks that say something about a user's work, in the order of their ids, and whether
 * there may be more: of the newest `most` those that the user owns, those that are shared with a team of the user, and those of
 * others that the user has changed. What is only shared with a person, or sent for review, says nothing: anybody can do that,
 * but nobody is made a member of a team by others. Nor do examples, whose hours nobody worked.
 */
export async function finishedSources(
  db: Queryable,
  userId: string,
  most: number,
): Promise<{ readonly sources: TaskSource[]; readonly isCut: boolean }> {
  const { newest, isCut } = await listWorkedOn(db, userId, most);
  const { estimationId, revision, finished } = taskTotals;
  const rows = await db
    .select({ estimationId, revision, finished })
    .from(taskTotals)
    .innerJoin(estimations, eq(estimations.id, estimationId))
    .where(
      and(
        sql`${estimationId} = any(${sql.param(newest.map(({ id }) => id))}::text[])`,
        sql`${finished} > 0`,
        isNull(estimations.deletedAt),
        not(estimations.isExample),
      ),
    )
    .orderBy(estimationId);
  const own = new Set(newest.flatMap(({ id, isOwn }) => (isOwn ? [id] : [])));
  return { sources: rows.map((row) => ({ ...row, isOwn: own.has(row.estimationId) })), isCut };
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

/** The finished tasks of estimations: all, or those from a place in time on. */
export interface FinishedTasks {
  readonly estimationIds: readonly string[];
  readonly from: PlaceInTime | null;
}

/** Lists the finished tasks of several groups of estimations together, the earliest done first: all, or those after a place. */
export async function listFinished(
  db: Queryable,
  groups: readonly FinishedTasks[],
  limit: number,
  after: PlaceInTime | null,
): Promise<StoredFinishedTask[]> {
  const later = (place: PlaceInTime, isLater: typeof gt) =>
    or(gt(doneAt, place.doneAt), and(eq(doneAt, place.doneAt), isLater(id, place.id)));
  const inGroups = groups.map(({ estimationIds, from }) =>
    and(ofEstimations(estimationIds), from ? later(from, gte) : undefined),
  );
  if (inGroups.length === 0) return [];
  const rows = await db
    .select(finished)
    .from(tasks)
    .where(and(or(...inGroups), FINISHED, after ? later(after, gt) : undefined))
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
    .selectDistinct(finished)
    .from(tasks)
    .innerJoin(estimationReaders, eq(estimationReaders.estimationId, tasks.estimationId))
    .innerJoin(estimations, eq(estimations.id, tasks.estimationId))
    .where(
      and(
        sql`${id} = any(${sql.param([...ids])}::text[])`,
        sql`${tasks.doneAt} is not null and ${hours} > 0 and ${actualHours} > 0`,
        isReader(userId),
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
      and(sql`${tasks.id} = any(${sql.param([...ids])}::text[])`, isReader(userId), isNull(estimations.deletedAt)),
    );
  return new Map(rows.map(({ id, title }) => [id, title]));
}
