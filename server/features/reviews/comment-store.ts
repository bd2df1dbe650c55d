import { and, asc, count, eq, getTableColumns, gt, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Queryable } from "../../db/database.ts";
import { users } from "../auth/index.ts";
import { reviewComments } from "./tables.ts";

type CommentRow = typeof reviewComments.$inferSelect;

/** A comment with the names that are shown with it. */
export type ShownComment = CommentRow & { readonly authorName: string; readonly resolverName: string | null };

const resolvers = alias(users, "resolvers");

const selectComments = (db: Queryable, ...conditions: (SQL | undefined)[]) =>
  db
    .select({ ...getTableColumns(reviewComments), authorName: users.name, resolverName: resolvers.name })
    .from(reviewComments)
    .innerJoin(users, eq(users.id, reviewComments.authorId))
    .leftJoin(resolvers, eq(resolvers.id, reviewComments.resolvedById))
    .where(and(...conditions))
    .orderBy(asc(reviewComments.id));

const ofReview = (reviewId: string) => eq(reviewComments.reviewId, reviewId);

/** Reads the comment of this review; undefined if it has none with this id. */
export async function findComment(db: Queryable, reviewId: string, id: string): Promise<ShownComment | undefined> {
  const [row] = await selectComments(db, ofReview(reviewId), eq(reviewComments.id, id));
  return row;
}

/** Reads at most `limit` comments of a review, oldest first, after `afterId` if given. */
export const listComments = (
  db: Queryable,
  reviewId: string,
  limit: number,
  afterId: string | null,
): Promise<ShownComment[]> =>
  selectComments(db, ofReview(reviewId), afterId === null ? undefined : gt(reviewComments.id, afterId)).limit(limit);

export async function countComments(db: Queryable, reviewId: string): Promise<number> {
  const [row] = await db.select({ comments: count() }).from(reviewComments).where(ofReview(reviewId));
  return row?.comments ?? 0;
}

export async function insertComment(tx: Queryable, row: typeof reviewComments.$inferInsert): Promise<void> {
  await tx.insert(reviewComments).values(row);
}

export async function updateComment(tx: Queryable, id: string, changes: Partial<CommentRow>): Promise<void> {
  await tx.update(reviewComments).set(changes).where(eq(reviewComments.id, id));
}

/** Removes a comment; one with replies loses its text only. */
export async function removeComment(tx: Queryable, id: string): Promise<void> {
  const isThis = eq(reviewComments.id, id);
  const [reply] = await tx
    .select({ id: reviewComments.id })
    .from(reviewComments)
    .where(eq(reviewComments.parentId, id))
    .limit(1);
  if (reply) await tx.update(reviewComments).set({ body: null }).where(isThis);
  else await tx.delete(reviewComments).where(isThis);
}
