import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
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
    assumptions: text().notNull().default(""),
    clientName: text(),
    tags: text().array().notNull().default(noTexts),
    status: text().$type<EstimationStatus>().notNull().default("draft"),
    hourlyRate: doublePrecision(),
    currency: text(),
    correlation: doublePrecision().notNull(),
    rounding: doublePrecision().$type<Rounding>().notNull().default(0.01),
    revision: integer().notNull().default(1),
    /** Made to look around: it says nothing about anybody's work. */
    isExample: boolean().notNull().default(false),
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
 * Who may read an estimation, including its owner; nothing else decides it. A row is of a holder: a user, or a team, whose
 * members have its level as long as they belong to it. A user's row names the sources of the access, of which there may be
 * several at once; `level` is the highest of them. Of several rows that concern a user, the highest level counts.
 */
export const estimationReaders = pgTable(
  "estimation_readers",
  {
    estimationId: id()
      .notNull()
      .references(() => estimations.id, { onDelete: "cascade" }),
    userId: id().references(() => users.id),
    /** Without a foreign key: the rows of a removed team give nobody access, and a job removes them, a few at a time. */
    teamId: id(),
    holderId: id().notNull().generatedAlwaysAs(sql`coalesce(user_id, team_id)`),
    owns: boolean().notNull().default(false),
    /** The level that an accepted share gives, or the share with a team. */
    shared: text().$type<"editor" | "viewer">(),
    /** Whether the user is asked for a review. */
    reviews: boolean().notNull().default(false),
    /**
     * Whether the user has changed the content or tasks that others own; gives no access. What it is for: suggestions. What a
     * member changes through a team is not noted, because what is shared with a team counts for its members anyway.
     */
    hasChanged: boolean().notNull().default(false),
    /** In the order of `accessLevels`; a row that gives nothing violates `not null`. */
    level: text()
      .$type<AccessLevel>()
      .notNull()
      .generatedAlwaysAs(sql`case when owns then 'owner' when shared = 'editor' then 'editor'
        when shared = 'viewer' then 'viewer' when reviews then 'reviewer' end`),
  },
  (table) => [
    primaryKey({ columns: [table.estimationId, table.holderId] }),
    index("estimation_readers_by_holder").on(table.holderId, table.estimationId),
    // So that the teams are found without reading the many people who may have access too.
    index("estimation_readers_teams").on(table.estimationId).where(sql`team_id is not null`),
    check(
      "estimation_readers_one_holder",
      sql`(user_id is null) <> (team_id is null) and (team_id is null or not (owns or reviews or has_changed))`,
    ),
  ],
);

/**
 * The rows that lists are read from, in their order and with all their filters: for each holder of access one for each tag of
 * the estimation and one without a tag (''), each with the other columns that lists filter and sort by. Derived from
 * `estimations` and `estimation_readers`, and written with them. A deleted estimation has a single row, its owner's, with the
 * status `deleted`.
 */
export const estimationListings = pgTable(
  "estimation_listings",
  {
    estimationId: id().notNull(),
    holderId: id().notNull(),
    tag: text().notNull(),
    status: text().$type<EstimationStatus | "deleted">().notNull(),
    level: text().$type<AccessLevel>().notNull(),
    updatedAt: instant().notNull(),
    createdAt: instant().notNull(),
    ownerId: id().notNull(),
  },
  (table) => {
    const { holderId, tag, status, level, updatedAt, createdAt, ownerId, estimationId } = table;
    const isOfOthers = sql`level <> 'owner'`;
    return [
      primaryKey({ columns: [estimationId, holderId, tag] }),
      foreignKey({
        name: "estimation_listings_reader_fk",
        columns: [estimationId, holderId],
        foreignColumns: [estimationReaders.estimationId, estimationReaders.holderId],
      }).onDelete("cascade"),
      // For the list that is read most. Not one by creation too, because each more makes edits slower.
      index("estimation_listings_latest").on(holderId, tag, updatedAt, estimationId).where(sql`status <> 'deleted'`),
      index("estimation_listings_by_update").on(holderId, tag, status, level, updatedAt, estimationId),
      index("estimation_listings_by_creation").on(holderId, tag, status, level, createdAt, estimationId),
      // What one person owns of what others may read. What nobody else may read is not in them.
      index("estimation_listings_of_owner_by_update")
        .on(holderId, ownerId, tag, status, level, updatedAt, estimationId)
        .where(isOfOthers),
      index("estimation_listings_of_owner_by_creation")
        .on(holderId, ownerId, tag, status, level, createdAt, estimationId)
        .where(isOfOthers),
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
    ownerId: id().notNull(),
    /** Ids of all holders of access, so that one index covers both them and the text. */
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
      .using("gin", table.readers, sql`text_grams(text)`, sql`tag_grams(tags, text)`, table.ownerId)
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
    /** Of edits of content: the thread that they were made in, as a version names it; null: Main. */
    threadId: text(),
    /** The version that the content of the thread followed before; null: none, or the kind does not change the content. */
    beforeId: text(),
    /** The version that has the content from right after; null for edits, whose content gets a version later, if at all. */
    afterId: text(),
    /** Of edits of content: the number of the newest version of the estimation at the last edit; 0: there was none. */
    lastVersion: integer(),
  },
  (table) => [
    primaryKey({ columns: [table.estimationId, table.number] }),
    index("activity_joined")
      .on(table.estimationId, table.personId, table.kind, table.number)
      .where(sql.raw(`kind in (${joinedKinds.map((kind) => `'${kind}'`).join(", ")})`)),
  ],
);

/** Streams of news that are open, each in one process, which renews it. */
export const liveStreams = pgTable(
  "live_streams",
  {
    id: id().primaryKey(),
    userId: id()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** Opened with a session; otherwise a program reads it, which is nowhere. */
    isPerson: boolean().notNull(),
    /** When its process last said that it is open. */
    seenAt: instant().notNull(),
  },
  (table) => [index("live_streams_by_age").on(table.seenAt), index("live_streams_by_user").on(table.userId)],
);

/** Estimations that are followed by a stream, and where in them its user is. */
export const livePlaces = pgTable(
  "live_places",
  {
    streamId: id()
      .notNull()
      .references(() => liveStreams.id, { onDelete: "cascade" }),
    /** The key makes who begins to follow an estimation wait for changes of it that do not know of the new row yet. */
    estimationId: id()
      .notNull()
      .references(() => estimations.id, { onDelete: "cascade" }),
    /** The node or option; null: in the estimation as a whole. */
    lineId: id(),
  },
  (table) => [
    primaryKey({ columns: [table.streamId, table.estimationId] }),
    index("live_places_by_estimation").on(table.estimationId),
  ],
);
