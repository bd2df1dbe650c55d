import { doublePrecision, index, integer, json, pgTable, text } from "drizzle-orm/pg-core";
import type { Task } from "../../../contract/tasks.ts";
import { id, instant } from "../../db/columns.ts";
import { estimations } from "../estimations/index.ts";

/** Tasks of estimations. Hours have at most two decimals. */
export const tasks = pgTable(
  "tasks",
  {
    id: id().primaryKey(),
    estimationId: id()
      .notNull()
      .references(() => estimations.id),
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
    externalRef: json().$type<NonNullable<Task["externalRef"]>>(),
    /** The values of the last generation: a field above that differs is a user's edit. */
    baseTitle: text().notNull(),
    baseDescription: text().notNull(),
    baseHours: doublePrecision(),
    baseRole: text(),
  },
  (table) => [index("tasks_in_order").on(table.estimationId, table.position, table.id)],
);
