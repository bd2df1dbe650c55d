import { json, pgTable } from "drizzle-orm/pg-core";
import type { Preferences } from "../../../contract/endpoints/preferences.ts";
import { id } from "../../db/columns.ts";
import { users } from "../auth/index.ts";

/** How the web application looks to a user. */
export const preferences = pgTable("preferences", {
  userId: id()
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  /** What the user has chosen; what is not in it is as for everybody. */
  chosen: json().$type<Partial<Preferences>>().notNull(),
});
