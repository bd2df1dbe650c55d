import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  doublePrecision,
  foreignKey,
  index,
  integer,
  json,
  pgTable,
  primaryKey,
  text,
} from "drizzle-orm/pg-core";
import type { ActivityEntry } from "../../../contract/endpoints/activity.ts";
import type { ReviewState } from "../../../contract/endpoints/estimations.ts";
import type { MilestoneRecord } from "../../../contract/endpoints/milestones.ts";
import type { TimelineSettings } from "../../../contract/endpoints/timelines.ts";
import type { AccessLevel } from "../../../contract/rights.ts";
import { type ActivityKind, joinedKinds } from "../../../contract/values/activity-kinds.ts";
import type { Rounding } from "../../../contract/values/roundings.ts";
import type { EstimationStatus } from "../../../contract/values/statuses.ts";
import type { Tree } from "../../../contract/values/tree.ts";
import { bytea, id, instant, noTexts } from "../../db/columns.ts";
import { users } from "../auth/index.ts";

export const estimations = pgTable(
  "estimations",
  {
    id: id().primaryKey(),
    ownerId: id()
      .notNull()
      .references(() => users.id),
    title: text().notNull(),
    description: text().notNull(),
    clientName: text(),
    tags: text().array().notNull().default(noTexts),
    status: text().$type<EstimationStatus>().notNull().default("draft"),
    hourlyRate: doublePrecision(),
    currency: text(),
    correlation: doublePrecision().notNull(),
    rounding: doublePrecision().$type<Rounding>().notNull().default(0.01),
    revision: integer().notNull().default(1),
    /** Both follow from the reviews and `reviewed_contents`, and are written with them. */
    reviewState: text().$type<ReviewState>().notNull().default("none"),
    reviewStale: boolean().notNull().default(false),
    /**
     * The roll-up of the tree, in hours rounded to two decimals, stored with every change so that lists need no tree. Bounds,
     * mean and standard deviation are what the distribution of several estimations together follows from.
     */
    hoursOptimistic: doublePrecision().notNull().default(0),
    hoursPessimistic: doublePrecision().notNull().default(0),
    hoursDeviation: doublePrecision().notNull().default(0),
    hoursExpected: doublePrecision().notNull().default(0),
    hoursP50: doublePrecision("hours_p50").notNull().default(0),
    hoursP80: doublePrecision("hours_p80").notNull().default(0),
    hoursP90: doublePrecision("hours_p90").notNull().default(0),
    hoursP95: doublePrecision("hours_p95").notNull().default(0),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    deletedAt: instant(),
  },
  // No column that every edit changes is indexed, so that most edits do not touch the indexes.
  (table) => [
    index("estimations_deleted").on(table.id).where(sql`deleted_at is not null`),
    index("estimations_by_deletion").on(table.deletedAt).where(sql`deleted_at is not null`),
  ],
);

/**
 * Who may read an estimation, including its owner; nothing else decides it. A row names the sources of the access, of which
 * there may be several at once; `level` is the highest of them.
 */
export const estimationReaders = pgTable(
  "estimation_readers",
  {
    estimationId: id()
      .notNull()
      .references(() => estimations.id, { onDelete: "cascade" }),
    userId: id()
      .notNull()
      .references(() => users.id),
    owns: boolean().notNull().default(false),
    /** The level that an accepted share gives. */
    shared: text().$type<"editor" | "viewer">(),
    /** Whether the user is asked for a review. */
    reviews: boolean().notNull().default(false),
    /** Whether the user has changed the content or tasks that others own; gives no access. What it is for: suggestions. */
    hasChanged: boolean().notNull().default(false),
    /** In the order of `accessLevels`; a row that gives nothing violates `not null`. */
    level: text()
      .$type<AccessLevel>()
      .notNull()
      .generatedAlwaysAs(sql`case when owns then 'owner' when shared = 'editor' then 'editor'
        when shared = 'viewer' then 'viewer' when reviews then 'reviewer' end`),
  },
  (table) => [
    primaryKey({ columns: [table.estimationId, table.userId] }),
    index("estimation_readers_by_user").on(table.userId, table.estimationId),
  ],
);

/**
 * The rows that a reader's list is read from, in its order and with all its filters: one for each tag of the estimation and
 * one without a tag (''), each with the other columns that lists filter and sort by. Derived from `estimations` and
 * `estimation_readers`, and written with them. A deleted estimation has a single row, its owner's, with the status `deleted`.
 */
export const estimationListings = pgTable(
  "estimation_listings",
  {
    estimationId: id().notNull(),
    userId: id().notNull(),
    tag: text().notNull(),
    status: text().$type<EstimationStatus | "deleted">().notNull(),
    level: text().$type<AccessLevel>().notNull(),
    updatedAt: instant().notNull(),
    createdAt: instant().notNull(),
  },
  (table) => {
    const { userId, tag, status, level, updatedAt, createdAt, estimationId } = table;
    return [
      primaryKey({ columns: [estimationId, userId, tag] }),
      foreignKey({
        name: "estimation_listings_reader_fk",
        columns: [estimationId, userId],
        foreignColumns: [estimationReaders.estimationId, estimationReaders.userId],
      }).onDelete("cascade"),
      index("estimation_listings_by_update").on(userId, tag, status, level, updatedAt, estimationId),
      index("estimation_listings_by_creation").on(userId, tag, status, level, createdAt, estimationId),
    ];
  },
);

/**
 * The rows that a search for text reads, with the columns that lists filter and sort by, so that only the estimations that
 * are shown have to be looked up. A deleted estimation has no row.
 */
export const estimationTexts = pgTable(
  "estimation_texts",
  {
    estimationId: id()
      .primaryKey()
      .references(() => estimations.id, { onDelete: "cascade" }),
    /** Ids of all readers, so that one index covers both the reader and the text. */
    readers: text().array().notNull(),
    /** The title and the client's name, each on its own line. */
    text: text().notNull(),
    tags: text().array().notNull(),
    status: text().$type<EstimationStatus>().notNull(),
    updatedAt: instant().notNull(),
    createdAt: instant().notNull(),
  },
  (table) => [
    // Without GIN's list of pending entries, which every search would have to read.
    index("estimation_texts_search")
      .using("gin", table.readers, sql`text_grams(text)`, sql`tag_grams(tags, text)`)
      .with({ fastupdate: false }),
  ],
);

/** The decision tree of an estimation, one document; an estimation without a row has an empty tree. */
export const decisionTrees = pgTable("decision_trees", {
  estimationId: id()
    .primaryKey()
    .references(() => estimations.id, { onDelete: "cascade" }),
  tree: json().$type<Tree>().notNull(),
  /** Length of the tree as JSON. */
  bytes: integer().notNull(),
});

/**
 * The settings of an estimation's timeline and its milestones, one document; an estimation without a row has no settings
 * and no milestones.
 */
export const timelines = pgTable("timelines", {
  estimationId: id()
    .primaryKey()
    .references(() => estimations.id, { onDelete: "cascade" }),
  /** Null: never set. */
  settings: json().$type<TimelineSettings>(),
  /** In the order of their creation. */
  milestones: json().$type<MilestoneRecord[]>().notNull(),
  /** Length of both as JSON. */
  bytes: integer().notNull(),
});

/** How much each owner has, for quotas. Updated with every change, because counting would take longer the more there is. */
export const estimationUsage = pgTable("estimation_usage", {
  ownerId: id()
    .primaryKey()
    .references(() => users.id),
  /** Deleted ones not included. */
  estimations: integer().notNull(),
  /** Steps of `STEP_BYTES` that the trees and large timelines take, including those of deleted estimations. */
  treeSteps: integer().notNull(),
  /** Bytes that the contents of versions take, including those of deleted estimations. */
  versionBytes: bigint({ mode: "number" }).notNull().default(0),
  /** Whole steps of `STEP_BYTES` that the texts of each estimation take, including those of deleted estimations. */
  textSteps: bigint({ mode: "number" }).notNull().default(0),
});

/**
 * Bytes that the texts of an estimation take in the tables that may have many rows for it; an estimation without a row has
 * none. `accountTexts` keeps it, and `textSteps` of the owner.
 */
export const textUsage = pgTable("text_usage", {
  estimationId: id()
    .primaryKey()
    .references(() => estimations.id, { onDelete: "cascade" }),
  bytes: bigint({ mode: "number" }).notNull(),
});

/** Ids of removed nodes and options: a request may bring the same node or option back, and they are never used for another. */
export const removedTreeIds = pgTable(
  "removed_tree_ids",
  {
    estimationId: id()
      .notNull()
      .references(() => estimations.id, { onDelete: "cascade" }),
    id: id().notNull(),
  },
  (table) => [primaryKey({ columns: [table.estimationId, table.id] })],
);

/**
 * Hashes of the content of an estimation and of the content that its reviews are about; only while it has reviews that
 * are not withdrawn.
 */
export const reviewedContents = pgTable("reviewed_contents", {
  estimationId: id()
    .primaryKey()
    .references(() => estimations.id, { onDelete: "cascade" }),
  /** Of the tree as it is now, so that a change of settings need not read it. */
  treeHash: bytea().notNull(),
  /** Of the whole content as it is now: of everything that is locked outside the state `draft`. */
  contentHash: bytea().notNull(),
  /** Of the content that all the reviews are about; null: they differ. */
  reviewedHash: bytea(),
});

/** Who did what with an estimation. Several edits of one person are one row; counting another one changes no index. */
export const activityEntries = pgTable(
  "activity_entries",
  {
    estimationId: id()
      .notNull()
      .references(() => estimations.id, { onDelete: "cascade" }),
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
