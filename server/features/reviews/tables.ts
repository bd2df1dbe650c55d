import { sql } from "drizzle-orm";
import { type AnyPgColumn, bigint, boolean, index, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import type { ReviewStatus, ReviewVerdict } from "../../../contract/endpoints/reviews.ts";
import type { MailKindName } from "../../../contract/mails.ts";
import { bytea, id, instant } from "../../db/columns.ts";
import { users } from "../auth/index.ts";
import { estimations } from "../estimations/index.ts";
import { versions } from "../versions/index.ts";

const stands = sql`status <> 'withdrawn'`;

/** Who is asked to judge which version of an estimation, and the latest verdict. */
export const reviews = pgTable(
  "reviews",
  {
    id: id().primaryKey(),
    estimationId: id()
      .notNull()
      .references(() => estimations.id, { onDelete: "cascade" }),
    reviewerId: id()
      .notNull()
      .references(() => users.id),
    /** Who asked last. */
    requesterId: id()
      .notNull()
      .references(() => users.id),
    status: text().$type<ReviewStatus>().notNull(),
    /** The version that it is about, and the hash of its content. */
    versionId: id()
      .notNull()
      .references(() => versions.id, { onDelete: "cascade" }),
    contentHash: bytea().notNull(),
    /** The version that the reviewer judged last, in this review or an earlier one of the estimation. */
    judgedVersionId: id().references(() => versions.id, { onDelete: "set null" }),
    /** The verdict on that version, which stays when the reviewer is asked again, and when it was given. */
    judgedVerdict: text().$type<ReviewVerdict>(),
    judgedAt: instant(),
    /** What `versionId` is compared with: the version that the reviewer had judged last when it was asked for. */
    baseVersionId: id().references(() => versions.id, { onDelete: "set null" }),
    note: text(),
    createdAt: instant().notNull(),
    requestedAt: instant().notNull(),
    decidedAt: instant(),
    withdrawnAt: instant(),
    /** Whether the estimation is deleted, so that its reviews are in no inbox. */
    hidden: boolean().notNull().default(false),
  },
  (table) => [
    uniqueIndex("reviews_standing").on(table.estimationId, table.reviewerId).where(stands),
    index("reviews_of_estimation").on(table.estimationId, table.id),
    index("reviews_of_reviewer").on(table.estimationId, table.reviewerId, table.id),
    // Three for versions that are removed.
    index("reviews_by_version").on(table.versionId),
    index("reviews_by_judged_version").on(table.judgedVersionId),
    index("reviews_by_base_version").on(table.baseVersionId),
    index("reviews_inbox")
      .on(table.reviewerId, table.status, table.requestedAt, table.id)
      .where(sql`${stands} and not hidden`),
    index("reviews_asked_for")
      .on(table.requesterId, table.status, table.requestedAt, table.id)
      .where(sql`${stands} and not hidden`),
  ],
);

/** The options that the reviewer has marked as viewed: all of the version that the review is about. */
export const viewedOptions = pgTable(
  "viewed_options",
  {
    reviewId: id()
      .notNull()
      .references(() => reviews.id, { onDelete: "cascade" }),
    optionId: id().notNull(),
  },
  (table) => [primaryKey({ columns: [table.reviewId, table.optionId] })],
);

/** Who declined a review of whose estimations, the last time: that owner cannot ask again for some days. */
export const reviewDeclines = pgTable(
  "review_declines",
  {
    reviewerId: id()
      .notNull()
      .references(() => users.id),
    ownerId: id()
      .notNull()
      .references(() => users.id),
    declinedAt: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.reviewerId, table.ownerId] })],
);

/** What is said about a review: threads of a first comment and its replies. */
export const reviewComments = pgTable(
  "review_comments",
  {
    id: id().primaryKey(),
    reviewId: id()
      .notNull()
      .references(() => reviews.id, { onDelete: "cascade" }),
    /** The first comment of its thread; null: it is that itself. */
    parentId: id().references((): AnyPgColumn => reviewComments.id, { onDelete: "cascade" }),
    authorId: id()
      .notNull()
      .references(() => users.id),
    /** Null: it was deleted, and stays for its replies. */
    body: text(),
    nodeId: id(),
    optionId: id(),
    /** The verdict that it came with. */
    verdict: text().$type<ReviewVerdict>(),
    resolvedById: id().references(() => users.id),
    createdAt: instant().notNull(),
    editedAt: instant(),
  },
  (table) => [
    index("review_comments_in_order").on(table.reviewId, table.id),
    index("review_comments_by_parent").on(table.parentId),
    index("review_comments_open").on(table.reviewId, table.id).where(sql`parent_id is null and resolved_by_id is null`),
  ],
);

/**
 * Mails about reviews of the last day, by who gets them and who caused them: what bounds their number. Those of the days
 * before are forgotten with the next one to the same reader.
 */
export const sentMails = pgTable(
  "review_mails",
  {
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    readerId: id()
      .notNull()
      .references(() => users.id),
    senderId: id()
      .notNull()
      .references(() => users.id),
    reviewId: id()
      .notNull()
      .references(() => reviews.id, { onDelete: "cascade" }),
    kind: text().$type<MailKindName>().notNull(),
    at: instant().notNull(),
  },
  (table) => [
    index("review_mails_to_reader").on(table.readerId, table.at),
    // One for reviews that are removed.
    index("review_mails_by_review").on(table.reviewId),
  ],
);
