import { sql } from "drizzle-orm";
import { boolean, check, index, integer, json, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import type { Visibility } from "../../../contract/endpoints/templates.ts";
import type { TemplateTree } from "../../../domain/templates/shape.ts";
import { id, instant } from "../../db/columns.ts";
import { users } from "../auth/index.ts";
import { estimations } from "../estimations/index.ts";
import { teams } from "../teams/index.ts";

/** Reusable structures of trees. Their trees never change, and belong to no estimation. */
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
    /** Whose members see it; null unless the visibility is `team`. */
    teamId: id().references(() => teams.id),
    /** Whether its maker could change the estimation: nobody else sees what its maker could only read. */
    showable: boolean().notNull().default(false),
    tree: json().$type<TemplateTree>().notNull(),
    /** Length of the tree as JSON. */
    bytes: integer().notNull(),
    nodes: integer().notNull(),
    options: integer().notNull(),
    createdAt: instant().notNull(),
  },
  (table) => [
    index("templates_of_owner").on(table.ownerId, table.id),
    check("templates_team", sql`(visibility = 'team') = (team_id is not null)`),
    // Without GIN's list of pending entries, which every search would have to read.
    index("templates_by_name")
      .using("gin", sql`text_grams(name)`)
      .where(sql`visibility = 'instance'`)
      .with({ fastupdate: false }),
    index("templates_of_team_by_name")
      .using("gin", sql`text_grams(name)`)
      .where(sql`visibility = 'team'`)
      .with({ fastupdate: false }),
    index("templates_of_team").on(table.teamId, table.id).where(sql`visibility = 'team'`),
    index("templates_of_instance").on(table.id).where(sql`visibility = 'instance'`),
  ],
);

/** That a template was added to an estimation, and when it was last. */
export const templateUses = pgTable(
  "template_uses",
  {
    templateId: id()
      .notNull()
      .references(() => templates.id, { onDelete: "cascade" }),
    estimationId: id()
      .notNull()
      .references(() => estimations.id, { onDelete: "cascade" }),
    appliedAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.templateId, table.estimationId] }),
    index("template_uses_latest").on(table.templateId, table.appliedAt),
    index("template_uses_of_estimation").on(table.estimationId),
  ],
);
