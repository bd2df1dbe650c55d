import { index, json, pgTable, text } from "drizzle-orm/pg-core";
import type { ExportTarget } from "../../../contract/endpoints/connections.ts";
import type { DroppedResolution } from "../../../domain/exports/dropped.ts";
import { bytea, id, instant } from "../../db/columns.ts";
import { users } from "../auth/index.ts";

/** Credentials of users for trackers. */
export const connections = pgTable(
  "connections",
  {
    id: id().primaryKey(),
    userId: id()
      .notNull()
      .references(() => users.id),
    target: text().$type<ExportTarget>().notNull(),
    name: text().notNull(),
    /** Address of the tracker's API; null: the instance's own setting. */
    baseUrl: text(),
    /** Whose token it is, for trackers that require that. */
    email: text(),
    /** Jira's resolutions that mean that work was not done; null: the usual ones, none of which was seen yet. */
    droppedResolutions: json().$type<readonly DroppedResolution[]>(),
    /** Sealed with the connection's id as context. */
    token: bytea().notNull(),
    tokenSetAt: instant().notNull(),
    tokenRejectedAt: instant(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
  },
  (table) => [index("connections_by_user").on(table.userId, table.id)],
);
