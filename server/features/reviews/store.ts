import { and, count, desc, eq, getTableColumns, lt, ne, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { type ReviewRole, type StandingStatus, standingStatuses } from "../../../contract/endpoints/reviews.ts";
import { limits } from "../../../contract/limits.ts";
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
  /** Of the reviewer. */
  readonly undeliveredAt: Date | null;
  readonly requesterName: string;
  readonly versionNumber: number;
  readonly judgedNumber: number | null;
  readonly baseNumber: number | null;
  readonly stale: boolean;
};

const requesters = alias(users, "requesters");
const judged = alias(versions, "judged");
const bases = alias(versions, "bases");

/** SQL: whether the content of the estimation differs from the version that the review is about. */
const stale = sql<boolean>`${reviews.status} <> 'withdrawn' and ${reviews.contentHash} is distinct from ${reviewedContents.contentHash}`;

const shownColumns = {
  ...getTableColumns(reviews),
  estimationTitle: sql<string>`${estimations.title}`.as("estimation_title"),
  reviewerName: sql<string>`${users.name}`.as("reviewer_name"),
  undeliveredAt: sql<Date | null>`${users.undeliveredAt}`.mapWith(users.undeliveredAt).as("undelivered_at"),
  requesterName: sql<string>`${requesters.name}`.as("requester_name"),
  versionNumber: sql<number>`${versions.number}`.as("version_number"),
  judgedNumber: sql<number | null>`${judged.number}`.as("judged_number"),
  baseNumber: sql<number | null>`${bases.number}`.as("base_number"),
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
    .leftJoin(judged, eq(judged.id, reviews.judgedVersionId))
    .leftJoin(bases, eq(bases.id, reviews.baseVersionId))
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

/** The reviews of a user in one role, those with one of `statuses`. */
interface OwnReviews {
  readonly userId: string;
  readonly role: ReviewRole;
  readonly statuses: readonly StandingStatus[] | undefined;
}

/** A page of them. */
interface OwnReviewsPage extends OwnReviews {
  readonly limit: number;
  /** The last row already read. */
  readonly after: { readonly at: Date; readonly id: string } | null;
}

/** SQL: ids of a user's reviews with one status, a range of an index that is in the order of the list. */
function ofStatus({ userId, role }: OwnReviews, one: StandingStatus, more: SQL, limit: number): SQL {
  const { id, reviewerId, requesterId, estimationId, status, requestedAt } = reviews;
  const isTheirs =
    role === "reviewer"
      ? eq(reviewerId, userId)
      : sql`${eq(requesterId, userId)} and exists (
          select from ${estimations} where ${eq(estimations.id, estimationId)} and ${eq(estimations.ownerId, userId)})`;
  return sql`(select ${id} as id, ${requestedAt} as at from ${reviews}
    where ${isTheirs} and ${status} = ${sql.raw(`'${one}'`)} and ${status} <> 'withdrawn' and not hidden ${more}
    order by ${requestedAt} desc, ${id} desc limit ${limit})`;
}

/**
 * Reads a page of the reviews that a user was asked for, or asked for, the most recently requested first. Each status is a range of an index that
 * is in that order: it reads as many rows of each as a page has, however many there are.
 */
export function listOwn(db: Queryable, { limit, after, ...own }: OwnReviewsPage): Promise<ShownReview[]> {
  const { statuses = standingStatuses } = own;
  const { id, requestedAt } = reviews;
  const before = after
    ? sql`and (${requestedAt}, ${id}) < (${after.at.toISOString()}::timestamptz, ${after.id})`
    : sql``;
  const parts = statuses.map((one) => ofStatus(own, one, before, limit));
  const found = sql`select id from (${sql.join(parts, sql` union all `)}) as found order by at desc, id desc limit ${limit}`;
  return selectReviews(db, [sql`${id} = any(array(${found}))`], sql`${requestedAt} desc, ${id} desc`);
}

/** Returns how many reviews such a list has, counted up to `limits.reviewsCounted`. */
export async function countOwn(db: Queryable, own: OwnReviews): Promise<number> {
  const { statuses = standingStatuses } = own;
  const parts = statuses.map((one) => ofStatus(own, one, sql``, limits.reviewsCounted));
  const found = sql`select count(*)::int as count from (${sql.join(parts, sql` union all `)}) as found`;
  const { rows } = await db.execute<{ count: number }>(found);
  return Math.min(rows[0]?.count ?? 0, limits.reviewsCounted);
}
