import { and, eq, getTableColumns, inArray, isNull, sql } from "drizzle-orm";
import { toSnakeCase } from "drizzle-orm/casing";
import { type Task, taskStatuses } from "../../../contract/endpoints/tasks.ts";
import type { StoredTask } from "../../../domain/tasks/shape.ts";
import type { Database, Queryable } from "../../db/database.ts";
import { tasks } from "./tables.ts";
import { countTasks } from "./totals-store.ts";

type TaskRow = typeof tasks.$inferSelect;

const ofEstimation = (estimationId: string) => eq(tasks.estimationId, estimationId);
const ofTask = (estimationId: string, id: string) => and(ofEstimation(estimationId), eq(tasks.id, id));

/** Reads all tasks of an estimation, in order. */
export async function loadTasks(db: Queryable, estimationId: string): Promise<StoredTask[]> {
  const rows = await db.select().from(tasks).where(ofEstimation(estimationId)).orderBy(tasks.position, tasks.id);
  return rows.map(fromRow);
}

/** The ids of a task, its position, and whether it is planned. */
export type TaskName = Pick<StoredTask, "id" | "optionId" | "parentTaskId" | "status"> & Pick<TaskRow, "droppedAt">;

/** Reads the names of all tasks of an estimation, in no order: far less to read than the tasks. */
export function loadTaskNames(db: Queryable, estimationId: string): Promise<TaskName[]> {
  const { id, optionId, parentTaskId, status, droppedAt } = tasks;
  return db.select({ id, optionId, parentTaskId, status, droppedAt }).from(tasks).where(ofEstimation(estimationId));
}

/** Reads the task of this estimation; undefined if it has none with this id. */
export async function findTask(db: Queryable, estimationId: string, id: string): Promise<StoredTask | undefined> {
  const [row] = await db.select().from(tasks).where(ofTask(estimationId, id));
  return row && fromRow(row);
}

/** The place of a task in its list. */
export type TaskPosition = Pick<StoredTask, "position" | "id">;

/** Which tasks of an estimation, and where to start. */
export interface TaskQuery {
  readonly estimationId: string;
  readonly status: readonly Task["status"][] | undefined;
  readonly limit: number;
  /** The last task of the previous page. */
  readonly after: TaskPosition | null;
}

/** Lists tasks in order; prepared once per connection. */
export function createTaskList(pool: Database): (query: TaskQuery) => Promise<StoredTask[]> {
  const after = sql`(${sql.placeholder("position")}::integer, ${sql.placeholder("id")}::text)`;
  const statement = pool
    .select()
    .from(tasks)
    .where(
      and(
        eq(tasks.estimationId, sql.placeholder("estimationId")),
        sql`(${tasks.position}, ${tasks.id}) > ${after}`,
        sql`${tasks.status} = any(${sql.placeholder("statuses")}::text[])`,
      ),
    )
    .orderBy(tasks.position, tasks.id)
    .limit(sql.placeholder("limit"))
    .prepare("list_tasks");
  return async ({ estimationId, status: statuses = taskStatuses, limit, after }) => {
    const { position, id } = after ?? { position: -1, id: "" };
    const rows = await statement.execute({ estimationId, statuses, limit, position, id });
    return rows.map(fromRow);
  };
}

const columns = Object.entries(getTableColumns(tasks)).map(([key, column]) => ({
  key: key as keyof TaskRow,
  name: sql.identifier(toSnakeCase(key)),
  arrayType: sql.raw(`${column.getSQLType()}[]`),
}));

/** Rows that one statement writes at most: there may be thousands, and their texts are long. */
const BATCH = 500;

/** Inserts or replaces tasks, in batches, each in one statement with a parameter per column. */
export async function saveTasks(tx: Queryable, estimationId: string, changed: readonly StoredTask[]): Promise<void> {
  if (changed.length === 0) return;
  for (let at = 0; at < changed.length; at += BATCH) await saveBatch(tx, estimationId, changed.slice(at, at + BATCH));
  await countTasks(tx, estimationId);
}

async function saveBatch(tx: Queryable, estimationId: string, batch: readonly StoredTask[]): Promise<void> {
  const rows = batch.map((task) => toRow(estimationId, task));
  const names = sql.join(
    columns.map(({ name }) => name),
    sql`, `,
  );
  const values = columns.map(({ key, arrayType }) => sql`${sql.param(rows.map((row) => row[key]))}::${arrayType}`);
  const replaced = columns.filter(({ key }) => key !== "id").map(({ name }) => sql`${name} = excluded.${name}`);
  await tx.execute(sql`
    insert into ${tasks} (${names}) select * from unnest(${sql.join(values, sql`, `)})
    on conflict (id) do update set ${sql.join(replaced, sql`, `)} where ${tasks.estimationId} = excluded.estimation_id`);
}

/** Removes tasks of an estimation whose other tasks no longer name them as parent. */
export async function removeTasks(tx: Queryable, estimationId: string, removed: readonly StoredTask[]): Promise<void> {
  if (removed.length === 0) return;
  const ids = removed.map(({ id }) => id);
  await tx.delete(tasks).where(and(ofEstimation(estimationId), sql`${tasks.id} = any(${sql.param(ids)}::text[])`));
  await countTasks(tx, estimationId);
}

/** Removes one task and moves those below it to its parent. */
export async function removeTask(tx: Queryable, estimationId: string, task: StoredTask): Promise<void> {
  await tx
    .update(tasks)
    .set({ parentTaskId: task.parentTaskId })
    .where(and(ofEstimation(estimationId), eq(tasks.parentTaskId, task.id)));
  await tx.delete(tasks).where(ofTask(estimationId, task.id));
  await countTasks(tx, estimationId);
}

function fromRow({
  estimationId: _,
  baseTitle,
  baseDescription,
  baseHours,
  baseRole,
  baseOptimistic: optimistic,
  baseLikely: likely,
  basePessimistic: pessimistic,
  doneAt,
  droppedAt,
  ...task
}: TaskRow): StoredTask {
  const hasPoints = optimistic !== null && likely !== null && pessimistic !== null;
  return {
    ...task,
    doneAt: doneAt?.toISOString() ?? null,
    droppedAt: droppedAt?.toISOString() ?? null,
    base: { title: baseTitle, description: baseDescription, hours: baseHours, role: baseRole },
    points: hasPoints ? { optimistic, likely, pessimistic } : null,
  };
}

const dateOf = (text: string | null): Date | null => (text === null ? null : new Date(text));

function toRow(estimationId: string, { base, points, ...task }: StoredTask): TaskRow {
  return {
    ...task,
    doneAt: dateOf(task.doneAt),
    droppedAt: dateOf(task.droppedAt),
    estimationId,
    baseTitle: base.title,
    baseDescription: base.description,
    baseHours: base.hours,
    baseRole: base.role,
    baseOptimistic: points?.optimistic ?? null,
    baseLikely: points?.likely ?? null,
    basePessimistic: points?.pessimistic ?? null,
  };
}

/** Where a task is, without its texts. */
export type TaskPlace = Pick<StoredTask, "id" | "optionId" | "parentTaskId">;

/** Reads where the open tasks of an estimation are, in order. */
export function openTaskPlaces(db: Queryable, estimationId: string): Promise<TaskPlace[]> {
  return db
    .select({ id: tasks.id, optionId: tasks.optionId, parentTaskId: tasks.parentTaskId })
    .from(tasks)
    .where(and(ofEstimation(estimationId), eq(tasks.status, "open")))
    .orderBy(tasks.position, tasks.id);
}

/** Reads the tasks of an estimation that are obsolete and neither done nor dropped, in order. */
export async function obsoleteTaskIds(db: Queryable, estimationId: string): Promise<string[]> {
  const hasNoEnd = and(isNull(tasks.doneAt), isNull(tasks.droppedAt));
  const rows = await db
    .select({ id: tasks.id })
    .from(tasks)
    .where(and(ofEstimation(estimationId), eq(tasks.status, "obsolete"), hasNoEnd))
    .orderBy(tasks.position, tasks.id);
  return rows.map(({ id }) => id);
}

/** Reads those of the tasks that still exist. */
export async function findTasks(db: Queryable, estimationId: string, ids: readonly string[]): Promise<StoredTask[]> {
  const rows = await db
    .select()
    .from(tasks)
    .where(and(ofEstimation(estimationId), inArray(tasks.id, [...ids])));
  return rows.map(fromRow);
}

/** Sets what a tracker says of a task of a locked estimation: its issue, when it was done or dropped, its actual hours. */
export async function setTaskFacts(
  tx: Queryable,
  estimationId: string,
  id: string,
  { doneAt, droppedAt, ...facts }: Partial<Pick<StoredTask, "externalRef" | "actualHours" | "doneAt" | "droppedAt">>,
): Promise<void> {
  const done = doneAt === undefined ? {} : { doneAt: dateOf(doneAt) };
  const dropped = droppedAt === undefined ? {} : { droppedAt: dateOf(droppedAt) };
  await tx
    .update(tasks)
    .set({ ...facts, ...done, ...dropped })
    .where(ofTask(estimationId, id));
  await countTasks(tx, estimationId);
}

/** Returns whether an estimation has an open task. */
export async function hasOpenTasks(db: Queryable, estimationId: string): Promise<boolean> {
  const [row] = await db
    .select({ id: tasks.id })
    .from(tasks)
    .where(and(ofEstimation(estimationId), eq(tasks.status, "open")))
    .limit(1);
  return row !== undefined;
}
