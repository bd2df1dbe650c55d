import { sql } from "drizzle-orm";
import { index, pgTable, text } from "drizzle-orm/pg-core";
import { id, instant } from "../../db/columns.ts";
import { users } from "../auth/index.ts";
import { estimations } from "../estimations/index.ts";

/** Messages of threads. */
export const threadMessages = pgTable(
  "thread_messages",
  {
    id: id().primaryKey(),
    estimationId: id()
      .notNull()
      .references(() => estimations.id, { onDelete: "cascade" }),
    /** The thread may have no row yet: see `threads`. */
    threadId: text().notNull(),
    authorId: id()
      .notNull()
      .references(() => users.id),
    body: text().notNull(),
    versionId: text(),
    nodeId: text(),
    optionId: text(),
    createdAt: instant().notNull(),
    resolvedAt: instant(),
    resolvedById: id().references(() => users.id),
  },
  (table) => [
    index("thread_messages_by_thread").on(table.estimationId, table.threadId, table.id),
    // Every open editor reads those that are open again and again.
    index("thread_messages_open").on(table.estimationId, table.threadId, table.id).where(sql`resolved_at is null`),
  ],
);
