import { sql } from "drizzle-orm";
import { doublePrecision, index, integer, json, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import type { ActivityEntry } from "../../../contract/activity.ts";
import { type ActivityKind, joinedKinds } from "../../../contract/activity-kinds.ts";
import { id, instant } from "../../db/columns.ts";
import { users } from "../auth/index.ts";
import { estimations } from "../estimations/index.ts";

/** Who did what with an estimation. Several edits of one person are one row; counting another one changes no index. */
export const activityEntries = pgTable(
  "activity_entries",
  {
    estimationId: id()
      .notNull()
      .references(() => estimations.id),
    number: integer().notNull(),
    kind: text().$type<ActivityKind>().notNull(),
    personId: id()
      .notNull()
      .references(() => users.id),
    startedAt: instant().notNull(),
    endedAt: instant().notNull(),
    edits: integer().notNull(),
    /** By how much its edits changed the expected hours; null for kinds that cannot change them. */
    hoursDelta: doublePrecision(),
    subject: json().$type<ActivityEntry["subject"]>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.estimationId, table.number] }),
    index("activity_joined")
      .on(table.estimationId, table.personId, table.kind, table.number)
      .where(sql.raw(`kind in (${joinedKinds.map((kind) => `'${kind}'`).join(", ")})`)),
  ],
);
