import { sql } from "drizzle-orm";
import { boolean, doublePrecision, index, integer, json, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import type { ShownFigures, ShownPercentile } from "../../../contract/values/client-links.ts";
import type { Amount } from "../../../contract/values/proposal.ts";
import type { Trial } from "../../../domain/tree/hours/try-out.ts";
import { bytea, id, instant } from "../../db/columns.ts";
import { users } from "../auth/index.ts";
import { estimations } from "../estimations/index.ts";
import { versions } from "../versions/index.ts";

/** Links to pages that show an estimate to people without an account, each with all that its page shows. */
export const clientLinks = pgTable(
  "client_links",
  {
    id: id().primaryKey(),
    estimationId: id()
      .notNull()
      .references(() => estimations.id, { onDelete: "cascade" }),
    creatorId: id()
      .notNull()
      .references(() => users.id),
    /** SHA-256 of the token in its address. */
    tokenHash: bytea().notNull(),
    title: text(),
    shows: text().$type<ShownFigures>().notNull(),
    percentile: text().$type<ShownPercentile>().notNull(),
    choices: boolean().notNull(),
    descriptions: boolean().notNull(),
    step: doublePrecision().notNull(),
    /** The version that it shows. */
    versionId: id()
      .notNull()
      .references(() => versions.id, { onDelete: "cascade" }),
    edition: integer().notNull(),
    /** What the page is made from, as JSON: reading it takes one query. Null: it was revoked. */
    published: text(),
    /** Length of that JSON. */
    bytes: integer().notNull(),
    /** What `published` adds up to, for lists. */
    total: json().$type<Amount>().notNull(),
    createdAt: instant().notNull(),
    publishedAt: instant().notNull(),
    expiresAt: instant(),
    revokedAt: instant(),
    acceptedAt: instant(),
    /** When what was accepted was last applied. */
    appliedAt: instant(),
  },
  (table) => [
    uniqueIndex("client_links_by_token").on(table.tokenHash),
    index("client_links_of_estimation").on(table.estimationId, table.id),
    // One for versions that are removed.
    index("client_links_by_version").on(table.versionId),
  ],
);

/** What people without an account have said on the page of a link: one acceptance of each, and comments. */
export const clientAnswers = pgTable(
  "client_answers",
  {
    id: id().primaryKey(),
    linkId: id()
      .notNull()
      .references(() => clientLinks.id, { onDelete: "cascade" }),
    estimationId: id()
      .notNull()
      .references(() => estimations.id, { onDelete: "cascade" }),
    kind: text().$type<"accepted" | "comment">().notNull(),
    /** What was entered; nobody has proved it. */
    name: text().notNull(),
    email: text().notNull(),
    note: text(),
    versionId: id()
      .notNull()
      .references(() => versions.id, { onDelete: "cascade" }),
    edition: integer().notNull(),
    selection: json().$type<Trial>().notNull(),
    total: json().$type<Amount>().notNull(),
    /** Where it came from. */
    ip: text().notNull(),
    createdAt: instant().notNull(),
  },
  (table) => [
    index("client_answers_of_link").on(table.linkId, table.id),
    uniqueIndex("client_answers_one_acceptance").on(table.linkId).where(sql`kind = 'accepted'`),
    index("client_answers_of_estimation").on(table.estimationId, table.createdAt),
    // Two for versions that are removed, and for people who are erased.
    index("client_answers_by_version").on(table.versionId),
    index("client_answers_by_email").on(table.email),
  ],
);
