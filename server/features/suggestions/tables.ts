import { doublePrecision, index, integer, json, jsonb, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import type { SuggestionVerdict } from "../../../contract/endpoints/suggestions.ts";
import { bytea, id, instant } from "../../db/columns.ts";
import { users } from "../auth/index.ts";
import { estimations } from "../estimations/index.ts";

/** The latest verdict of each person about the suggestion for an estimation, with what was suggested, in hours. */
export const suggestionFeedback = pgTable(
  "suggestion_feedback",
  {
    estimationId: id()
      .notNull()
      .references(() => estimations.id, { onDelete: "cascade" }),
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

/** Questions to the language model, and its responses: each is asked once, whichever process asks. */
export const modelResponses = pgTable(
  "model_responses",
  {
    /** SHA-256 of what was asked and of whom. */
    key: text().primaryKey(),
    estimationId: id()
      .notNull()
      .references(() => estimations.id, { onDelete: "cascade" }),
    /** Who asked. */
    userId: id()
      .notNull()
      .references(() => users.id),
    askedAt: instant().notNull(),
    /** Null: under way, or its process died. */
    endedAt: instant(),
    /** The hours of every item; null: there is no usable response. */
    hours: json().$type<readonly number[]>(),
  },
  (table) => [
    index("model_responses_by_user").on(table.userId, table.askedAt),
    index("model_responses_by_estimation").on(table.estimationId),
  ],
);

/**
 * Evidence computed from the finished tasks that a user may read, so that a new process can read it instead of
 * computing it.
 */
export const storedEvidence = pgTable(
  "stored_evidence",
  {
    id: text().primaryKey(),
    /** The user, and for an estimation with finished tasks of its own that estimation, whose tasks are left out. */
    key: text().notNull().unique(),
    userId: id()
      .notNull()
      .references(() => users.id),
    /** Of the format, and of the constants. */
    version: text().notNull(),
    storedAt: instant().notNull(),
    /** The estimations whose tasks it holds. */
    estimationIds: jsonb().$type<readonly string[]>().notNull(),
    /** The other facts, as JSON. */
    facts: text().notNull(),
    bytes: integer().notNull(),
  },
  (table) => [
    index("stored_evidence_by_estimation").using("gin", table.estimationIds),
    index("stored_evidence_by_time").on(table.storedAt),
  ],
);

/** Its bytes, in parts of the same size. */
export const storedEvidenceParts = pgTable(
  "stored_evidence_parts",
  {
    storedId: text()
      .notNull()
      .references(() => storedEvidence.id, { onDelete: "cascade" }),
    number: integer().notNull(),
    bytes: bytea().notNull(),
  },
  (table) => [primaryKey({ columns: [table.storedId, table.number] })],
);
