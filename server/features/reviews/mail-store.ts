import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Queryable } from "../../db/database.ts";
import { type MailKind, requestMailsFrom } from "../../jobs/mail-store.ts";
import { users } from "../auth/index.ts";
import { estimations } from "../estimations/index.ts";
import { reviewComments, reviews } from "./tables.ts";

/** A person as a mail needs them. */
interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly emailVerifiedAt: Date | null;
}

/** What mails about a review are written from; only of an estimation that is not deleted. */
export interface MailedReview {
  readonly review: typeof reviews.$inferSelect;
  readonly title: string;
  readonly owner: Person;
  readonly reviewer: Person;
}

const person = { id: users.id, name: users.name, email: users.email, emailVerifiedAt: users.emailVerifiedAt };

export async function findMailedReview(db: Queryable, reviewId: string): Promise<MailedReview | undefined> {
  const [found] = await db
    .select({ review: reviews, title: estimations.title, ownerId: estimations.ownerId })
    .from(reviews)
    .innerJoin(estimations, and(eq(estimations.id, reviews.estimationId), isNull(estimations.deletedAt)))
    .where(eq(reviews.id, reviewId));
  if (!found) return undefined;
  const { review, title, ownerId } = found;
  const [owner, reviewer] = [await findPerson(db, ownerId), await findPerson(db, review.reviewerId)];
  return owner && reviewer && { review, title, owner, reviewer };
}

export async function findPerson(db: Queryable, id: string): Promise<Person | undefined> {
  const [found] = await db.select(person).from(users).where(eq(users.id, id));
  return found;
}

/** Reads a comment that was not deleted. */
export async function findMailedComment(
  db: Queryable,
  id: string,
): Promise<(typeof reviewComments.$inferSelect & { readonly body: string }) | undefined> {
  const [found] = await db.select().from(reviewComments).where(eq(reviewComments.id, id));
  return found?.body == null ? undefined : { ...found, body: found.body };
}

/** A new comment, and how long its author's comments on the same review are told in one mail, in milliseconds. */
interface Told {
  readonly commentId: string;
  readonly reviewId: string;
  readonly authorId: string;
  readonly now: Date;
  readonly quietMs: number;
}

/**
 * Requests the mails about a comment: to the owner, the reviewer and whoever wrote in its thread, but for its author. None,
 * if its author has commented on the review within the last `quietMs` already.
 */
export async function requestCommentMails<F>(tx: Queryable, kind: MailKind<F>, told: Told): Promise<void> {
  await tx.execute(sql`select ${requestMailsFrom(kind, readersToTell(told))}`);
}

function readersToTell({ commentId, reviewId, authorId, now, quietMs }: Told): SQL {
  const { id, createdAt } = reviewComments;
  const since = new Date(now.getTime() - quietMs).toISOString();
  return sql`
    select json_build_object('commentId', ${commentId}::text, 'userId', told.user_id) as facts,
      ${now.toISOString()}::text as asked_at
    from (
      select ${estimations.ownerId} as user_id from ${reviews} join ${estimations} on ${estimations.id} = ${reviews.estimationId}
        where ${reviews.id} = ${reviewId}
      union select ${reviews.reviewerId} from ${reviews} where ${reviews.id} = ${reviewId}
      union select said.author_id from ${reviewComments} as said join ${reviewComments} as made on made.id = ${commentId}
        where said.review_id = ${reviewId} and (said.id = made.parent_id or said.parent_id = made.parent_id)
    ) as told
    where told.user_id <> ${authorId} and not exists (
      select from ${reviewComments} where ${reviewComments.reviewId} = ${reviewId}
        and ${reviewComments.authorId} = ${authorId} and ${id} <> ${commentId}
        and ${createdAt} > ${since}::timestamptz)`;
}
