import { and, asc, count, eq, getTableColumns, gt, isNull, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Queryable } from "../../db/database.ts";
import { users } from "../auth/index.ts";
import { reviewComments, reviews } from "./tables.ts";

type CommentRow = typeof reviewComments.$inferSelect;

/** A comment with the names that are shown with it. */
export type ShownComment = CommentRow & { readonly authorName: string; readonly resolverName: string | null };

const resolvers = alias(users, "resolvers");

const selectComments = (db: Queryable, conditions: (SQL | undefined)[], order: SQL = asc(reviewComments.id)) =>
  db
    .select({ ...getTableColumns(reviewComments), authorName: users.name, resolverName: resolvers.name })
    .from(reviewComments)
    .innerJoin(users, eq(users.id, reviewComments.authorId))
    .leftJoin(resolvers, eq(resolvers.id, reviewComments.resolvedById))
    .where(and(...conditions))
    .orderBy(order);

const ofReview = (reviewId: string) => eq(reviewComments.reviewId, reviewId);

/** Reads the comment of this review; undefined if it has none with this id. */
export async function findComment(db: Queryable, reviewId: string, id: string): Promise<ShownComment | undefined> {
  const [row] = await selectComments(db, [ofReview(reviewId), eq(reviewComments.id, id)]);
  return row;
}

/** Reads at most `limit` comments of a review, oldest first, after `afterId` if given. */
export const listComments = (
  db: Queryable,
  reviewId: string,
  limit: number,
  afterId: string | null,
): Promise<ShownComment[]> =>
  selectComments(db, [ofReview(reviewId), afterId === null ? undefined : gt(reviewComments.id, afterId)]).limit(limit);

/** The place of a comment among those of an estimation: its review, the first comment of its thread, and itself. */
export interface CommentPlace {
  readonly reviewId: string;
  readonly threadId: string;
  readonly id: string;
}

/**
 * Reads at most `limit` comments of the threads that are open, of all reviews of an estimation that were not withdrawn, in the
 * order of their places, after `after` if given. It reads no thread that is settled, however many there are.
 */
export function listOpenComments(
  db: Queryable,
  estimationId: string,
  limit: number,
  after: CommentPlace | null,
): Promise<ShownComment[]> {
  const rest = after
    ? sql`and (first.review_id, first.id) >= (${after.reviewId}, ${after.threadId})
      and (first.review_id, first.id, said.id) > (${after.reviewId}, ${after.threadId}, ${after.id})`
    : sql``;
  const found = sql`select said.id
    from ${reviews} as review
    join ${reviewComments} as first
      on first.review_id = review.id and first.parent_id is null and first.resolved_by_id is null
    cross join lateral (
      select first.id union all select reply.id from ${reviewComments} as reply where reply.parent_id = first.id) as said
    where review.estimation_id = ${estimationId} and review.status <> 'withdrawn' ${rest}
    order by first.review_id, first.id, said.id limit ${limit}`;
  const { reviewId, parentId, id } = reviewComments;
  return selectComments(db, [sql`${id} = any(array(${found}))`], sql`${reviewId}, coalesce(${parentId}, ${id}), ${id}`);
}

/** Returns how many comments a review has, and how many of them one author wrote. */
export async function countComments(
  db: Queryable,
  reviewId: string,
  authorId: string,
): Promise<{ readonly all: number; readonly own: number }> {
  const own = sql<number>`count(*) filter (where ${eq(reviewComments.authorId, authorId)})::int`;
  const [row] = await db.select({ all: count(), own }).from(reviewComments).where(ofReview(reviewId));
  return row ?? { all: 0, own: 0 };
}

export async function insertComment(tx: Queryable, row: typeof reviewComments.$inferInsert): Promise<void> {
  await tx.insert(reviewComments).values(row);
}

export async function updateComment(tx: Queryable, id: string, changes: Partial<CommentRow>): Promise<void> {
  await tx.update(reviewComments).set(changes).where(eq(reviewComments.id, id));
}

/**
 * Removes a comment. One with replies loses its text only, and goes with the last of them. The estimation is locked, so
 * that no reply can be added in between.
 */
export async function removeComment(tx: Queryable, { id, parentId }: CommentRow): Promise<void> {
  if (await hasReplies(tx, id)) {
    await tx.update(reviewComments).set({ body: null }).where(eq(reviewComments.id, id));
    return;
  }
  await tx.delete(reviewComments).where(eq(reviewComments.id, id));
  if (parentId !== null && !(await hasReplies(tx, parentId)))
    await tx.delete(reviewComments).where(and(eq(reviewComments.id, parentId), isNull(reviewComments.body)));
}

async function hasReplies(tx: Queryable, id: string): Promise<boolean> {
  const isReply = eq(reviewComments.parentId, id);
  const [reply] = await tx.select({ id: reviewComments.id }).from(reviewComments).where(isReply).limit(1);
  return reply !== undefined;
}
