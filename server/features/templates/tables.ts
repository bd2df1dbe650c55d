import { sql } from "drizzle-orm";
import { index, integer, json, pgTable, text } from "drizzle-orm/pg-core";
import type { Visibility } from "../../../contract/endpoints/templates.ts";
import type { TemplateTree } from "../../../domain/templates/shape.ts";
import { id, instant } from "../../db/columns.ts";
import { users } from "../auth/index.ts";

/** Reusable structures of trees. They never change, and belong to no estimation. */
export const templates = pgTable(
  "templates",
  {
    id: id().primaryKey(),
    ownerId: id()
      .notNull()
      .references(() => users.id),
    name: text().notNull(),
    description: text().notNull(),
    visibility: text().$type<Visibility>().notNull(),
    tree: json().$type<TemplateTree>().notNull(),
    /** Length of the tree as JSON. */
    bytes: integer().notNull(),
    nodes: integer().notNull(),
    options: integer().notNull(),
    createdAt: instant().notNull(),
  },
  (table) => [
    index("templates_of_owner").on(table.ownerId, table.id),
    // Without GIN's list of pending entries, which every search would have to read.
    index("templates_by_name")
      .using("gin", sql`text_grams(name)`)
      .where(sql`visibility = 'instance'`)
      .with({ fastupdate: false }),
    index("templates_of_instance").on(table.id).where(sql`visibility = 'instance'`),
  ],
);
