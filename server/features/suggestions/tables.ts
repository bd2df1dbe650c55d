import { doublePrecision, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import type { SuggestionVerdict } from "../../../contract/suggestions.ts";
import { id, instant } from "../../db/columns.ts";
import { users } from "../auth/index.ts";
import { estimations } from "../estimations/index.ts";

/** The latest verdict of each person about the suggestion for an estimation, with what was suggested, in hours. */
export const suggestionFeedback = pgTable(
  "suggestion_feedback",
  {
    estimationId: id()
      .notNull()
      .references(() => estimations.id),
    userId: id()
      .notNull()
      .references(() => users.id),
    inputHash: text().notNull(),
    verdict: text().$type<SuggestionVerdict>().notNull(),
    /** What the person decided on instead; null: not said. */
    hours: doublePrecision(),
    p10: doublePrecision("p10").notNull(),
    p50: doublePrecision("p50").notNull(),
    p80: doublePrecision("p80").notNull(),
    p90: doublePrecision("p90").notNull(),
    createdAt: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.estimationId, table.userId] })],
);
