import { sql } from "drizzle-orm";
import { bigint, doublePrecision, index, integer, json, pgTable, text } from "drizzle-orm/pg-core";
import type { Task } from "../../../contract/endpoints/tasks.ts";
import { id, instant } from "../../db/columns.ts";
import { estimations } from "../estimations/index.ts";

/** SQL condition: the task is done, and has estimated and actual hours. */
export const FINISHED = sql`done_at is not null and hours > 0 and actual_hours > 0`;

/** Tasks of estimations. Hours have at most two decimals. */
export const tasks = pgTable(
  "tasks",
  {
    id: id().primaryKey(),
    estimationId: id()
      .notNull()
      .references(() => estimations.id, { onDelete: "cascade" }),
    optionId: id(),
    parentTaskId: id(),
    title: text().notNull(),
    description: text().notNull(),
    hours: doublePrecision(),
    role: text(),
    position: integer().notNull(),
    status: text().$type<Task["status"]>().notNull(),
    actualHours: doublePrecision(),
    doneAt: instant(),
    droppedAt: instant(),
    externalRef: json().$type<NonNullable<Task["externalRef"]>>(),
    /** The values of the last generation: a field above that differs is a user's edit. */
    baseTitle: text().notNull(),
    baseDescription: text().notNull(),
    baseHours: doublePrecision(),
    baseRole: text(),
    /** The three points that it was generated from, in hours: what the hours were expected to range over. */
    baseOptimistic: doublePrecision(),
    baseLikely: doublePrecision(),
    basePessimistic: doublePrecision(),
  },
  (table) => [
    index("tasks_in_order").on(table.estimationId, table.position, table.id),
    index("tasks_finished").on(table.estimationId, table.doneAt, table.id).where(FINISHED),
  ],
);

/** Totals of the tasks of an estimation, written with every change of them. */
export const taskTotals = pgTable("task_totals", {
  estimationId: id()
    .primaryKey()
    .references(() => estimations.id, { onDelete: "cascade" }),
  /** Rises with every change of the tasks. */
  revision: bigint({ mode: "number" }).notNull(),
  /** Tasks that are finished: done, with estimated and actual hours above 0. */
  finished: integer().notNull(),
  /** Open tasks with hours above 0, how many of them are finished, and their actual hours. */
  working: integer().notNull(),
  workingFinished: integer().notNull(),
  actualHours: doublePrecision().notNull(),
  lastDoneAt: instant(),
});
