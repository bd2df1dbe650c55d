import { and, count, desc, eq, getTableColumns, lt, ne, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { StandingStatus } from "../../../contract/endpoints/reviews.ts";
import { standingStatuses } from "../../../contract/endpoints/reviews.ts";
import type { Queryable } from "../../db/database.ts";
import { users } from "../auth/index.ts";
import { estimations, reviewedContents } from "../estimations/index.ts";
import { versions } from "../versions/index.ts";
import { reviews } from "./tables.ts";

export type ReviewRow = typeof reviews.$inferSelect;

/** A review with what is shown with it. */
export type ShownReview = ReviewRow & {
  readonly estimationTitle: string;
  readonly reviewerName: string;
  readonly requesterName: string;
  readonly versionNumber: number;
  readonly stale: boolean;
};

const requesters = alias(users, "requesters");

/** SQL: whether the content of the estimation differs from the version that the review is about. */
const stale = sql<boolean>`${reviews.status} <> 'withdrawn' and ${reviews.contentHash} is distinct from ${reviewedContents.contentHash}`;

const shownColumns = {
  ...getTableColumns(reviews),
  estimationTitle: sql<string>`${estimations.title}`.as("estimation_title"),
  reviewerName: sql<string>`${users.name}`.as("reviewer_name"),
  requesterName: sql<string>`${requesters.name}`.as("requester_name"),
  versionNumber: sql<number>`${versions.number}`.as("version_number"),
  stale: stale.as("stale"),
};

/** Reviews that meet all conditions, by default newest first. */
const selectReviews = (db: Queryable, conditions: (SQL | undefined)[], order: SQL = desc(reviews.id)) =>
  db
    .select(shownColumns)
    .from(reviews)
    .innerJoin(estimations, eq(estimations.id, reviews.estimationId))
    .innerJoin(users, eq(users.id, reviews.reviewerId))
    .innerJoin(requesters, eq(requesters.id, reviews.requesterId))
    .innerJoin(versions, eq(versions.id, reviews.versionId))
    .leftJoin(reviewedContents, eq(reviewedContents.estimationId, reviews.estimationId))
    .where(and(...conditions))
    .orderBy(order);

const ofEstimation = (estimationId: string) => eq(reviews.estimationId, estimationId);
const stands = ne(reviews.status, "withdrawn");

/** Reads the review of this estimation; undefined if it has none with this id. */
export async function findReview(db: Queryable, estimationId: string, id: string): Promise<ShownReview | undefined> {
  const [row] = await selectReviews(db, [ofEstimation(estimationId), eq(reviews.id, id)]);
  return row;
}

/** Reads the latest review of an estimation by a user. */
export async function findLatestOf(
  db: Queryable,
  estimationId: string,
  reviewerId: string,
): Promise<ShownReview | undefined> {
  const [row] = await selectReviews(db, [ofEstimation(estimationId), eq(reviews.reviewerId, reviewerId)]).limit(1);
  return row;
}

/** Reads at most `limit` reviews of an estimation, newest first, after `afterId` if given. */
export const listReviews = (
  db: Queryable,
  estimationId: string,
  limit: number,
  afterId: string | null,
): Promise<ShownReview[]> =>
  selectReviews(db, [ofEstimation(estimationId), afterId === null ? undefined : lt(reviews.id, afterId)]).limit(limit);

/** Reads the review of an estimation by a user that was not withdrawn. */
export async function findStanding(
  db: Queryable,
  estimationId: string,
  reviewerId: string,
): Promise<ReviewRow | undefined> {
  const [row] = await db
    .select()
    .from(reviews)
    .where(and(ofEstimation(estimationId), eq(reviews.reviewerId, reviewerId), stands));
  return row;
}

/** Returns the statuses of an estimation's reviews that were not withdrawn, and the hash that all of them are about, or null. */
export async function summarize(
  db: Queryable,
  estimationId: string,
): Promise<{ statuses: readonly StandingStatus[]; reviewedHash: Uint8Array | null }> {
  const rows = await db
    .selectDistinct({ status: reviews.status, contentHash: reviews.contentHash })
    .from(reviews)
    .where(and(ofEstimation(estimationId), stands));
  const hashes = new Set(rows.map(({ contentHash }) => Buffer.from(contentHash).toString("hex")));
  return {
    statuses: rows.map(({ status }) => status as StandingStatus),
    reviewedHash: hashes.size === 1 ? (rows[0]?.contentHash ?? null) : null,
  };
}

/** Returns how many reviews an estimation has, those that were withdrawn included. */
export async function countReviews(db: Queryable, estimationId: string): Promise<number> {
  const [row] = await db.select({ reviews: count() }).from(reviews).where(ofEstimation(estimationId));
  return row?.reviews ?? 0;
}

export async function insertReview(tx: Queryable, row: typeof reviews.$inferInsert): Promise<void> {
  await tx.insert(reviews).values(row);
}

export async function updateReview(tx: Queryable, id: string, changes: Partial<ReviewRow>): Promise<void> {
  await tx.update(reviews).set(changes).where(eq(reviews.id, id));
}

/** Takes the reviews of an estimation out of their reviewers' inboxes, or puts them back. */
export async function hideReviews(tx: Queryable, estimationId: string, hidden: boolean): Promise<void> {
  await tx.update(reviews).set({ hidden }).where(ofEstimation(estimationId));
}

/** An inbox, and where in it a page begins. */
interface InboxQuery {
  readonly userId: string;
  readonly statuses: readonly StandingStatus[] | undefined;
  readonly limit: number;
  /** The last row already read. */
  readonly after: { readonly at: Date; readonly id: string } | null;
}

/**
 * Reads a page of the reviews that a user was asked for, the most recently requested first. Each status is a range of an index that
 * is in that order: it reads as many rows of each as a page has, however many there are.
 */
export function listInbox(
  db: Queryable,
  { userId, statuses = standingStatuses, limit, after }: InboxQuery,
): Promise<ShownReview[]> {
  const { id, reviewerId, status, requestedAt } = reviews;
  const before = after
    ? sql`and (${requestedAt}, ${id}) < (${after.at.toISOString()}::timestamptz, ${after.id})`
    : sql``;
  const ofStatus = statuses.map(
    (one) => sql`(select ${id} as id, ${requestedAt} as at from ${reviews}
      where ${eq(reviewerId, userId)} and ${status} = ${sql.raw(`'${one}'`)} and ${status} <> 'withdrawn' and not hidden ${before}
      order by ${requestedAt} desc, ${id} desc limit ${limit})`,
  );
  const found = sql`select id from (${sql.join(ofStatus, sql` union all `)}) as found order by at desc, id desc limit ${limit}`;
  return selectReviews(db, [sql`${id} = any(array(${found}))`], sql`${requestedAt} desc, ${id} desc`);
}
