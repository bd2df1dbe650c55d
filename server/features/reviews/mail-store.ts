import { and, desc, eq, isNull, type SQL, sql } from "drizzle-orm";
import { limits } from "../../../contract/limits.ts";
import type { Queryable } from "../../db/database.ts";
import { type MailKind, requestMailsFrom } from "../../jobs/mail-store.ts";
import { users } from "../auth/index.ts";
import { estimations } from "../estimations/index.ts";
import { reviewComments, reviews, sentMails } from "./tables.ts";

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

/** Reads the comment that came with the current verdict of a review; undefined if there is none or it was deleted. */
export async function findVerdictText(db: Queryable, review: MailedReview["review"]): Promise<string | undefined> {
  const { decidedAt, status } = review;
  if (decidedAt === null || (status !== "approved" && status !== "changes_requested")) return undefined;
  const [found] = await db
    .select({ body: reviewComments.body })
    .from(reviewComments)
    .where(
      and(
        eq(reviewComments.reviewId, review.id),
        eq(reviewComments.verdict, status),
        eq(reviewComments.createdAt, decidedAt),
      ),
    )
    .orderBy(desc(reviewComments.id))
    .limit(1);
  return found?.body ?? undefined;
}

/** What mails are requested about. */
export interface MailOccasion {
  readonly reviewId: string;
  /** Who caused them. */
  readonly senderId: string;
  readonly now: Date;
  /**
   * A query of whom to mail (`user_id`), and for each the facts of the mail (`facts`, json) and what names its cause
   * (`cause`).
   */
  readonly readers: SQL;
  /** A reader who got such a mail about the review from the same sender within this time, in milliseconds, gets none. */
  readonly quietMs?: number;
}

const DAY_MS = 86_400_000;

/** At most this many old rows of a reader are removed at once; there are seldom more than the maximum of a day. */
const FORGOTTEN = 2 * limits.reviewMailsPerDay;

/** Half of the mails may be from strangers: about an estimation whose owner the reader has not reviewed for lately. */
const STRANGERS_PART = sql.raw("2");

/** The latest reviews with each verdict by which a reader counts as knowing an owner. */
const JUDGED = 50;

/**
 * SQL condition: the reader `readers.user_id` owns the estimation of the review, or has judged another one of its owner lately.
 * Reads a bounded number of rows.
 */
const knowsOwner = (reviewId: string): SQL => {
  const judged = (verdict: string) => sql`(
    select estimation_id from ${reviews} where reviewer_id = readers.user_id and status = ${verdict} and not hidden
    order by requested_at desc limit ${JUDGED})`;
  return sql`exists (
    select from ${reviews} r join ${estimations} e on e.id = r.estimation_id
    where r.id = ${reviewId} and (e.owner_id = readers.user_id or exists (
      select from (${judged("approved")} union all ${judged("changes_requested")}) as judged
      join ${estimations} other on other.id = judged.estimation_id where other.owner_id = e.owner_id)))`;
};

/**
 * Requests mails about a review, except to readers who have got the daily maximum from this sender, or from all senders
 * together, so that nobody can fill a mailbox by asking or deciding again and again. A part of the maximum is reserved for people whom
 * the reader knows, so that strangers cannot use it up for them. The inbox shows everything all the
 * same. Transactions at the same time may together exceed a maximum by their number. Each statement reads at most as many
 * rows of a reader as the maximum of a day.
 */
export async function requestReviewMails<F>(
  tx: Queryable,
  kind: MailKind<F>,
  { reviewId, senderId, now, readers, quietMs }: MailOccasion,
): Promise<void> {
  const since = (ms: number) => sql`${new Date(now.getTime() - ms).toISOString()}::timestamptz`;
  const at = sql`${now.toISOString()}::timestamptz`;
  const isQuiet =
    quietMs === undefined
      ? sql`false`
      : sql`coalesce(bool_or(sender_id = ${senderId} and review_id = ${reviewId} and kind = ${kind.name} and at > ${since(quietMs)}), false)`;
  await tx.execute(sql`
    with readers as (${readers}),
    forgotten as (
      delete from ${sentMails} where id = any(array(
        select old.id from readers cross join lateral (
          select id from ${sentMails} where reader_id = readers.user_id and at <= ${since(DAY_MS)} limit ${FORGOTTEN}
        ) as old))
    ),
    told as (
      select readers.* from readers cross join lateral (
        select count(*) as received, count(*) filter (where sender_id = ${senderId}) as of_sender, ${isQuiet} as is_quiet
        from ${sentMails} where reader_id = readers.user_id and at > ${since(DAY_MS)}
      ) as before
      cross join lateral (select ${knowsOwner(reviewId)} as is_known) as acquaintance
      where not is_quiet
        and received < ${limits.reviewMailsPerDay}::int / case when is_known then 1 else ${STRANGERS_PART} end
        and of_sender < ${limits.reviewMailsPerSenderAndDay}::int / case when is_known then 1 else ${STRANGERS_PART} end
    ),
    noted as (
      insert into ${sentMails} (reader_id, sender_id, review_id, kind, at)
      select user_id, ${senderId}, ${reviewId}, ${kind.name}, ${at} from told
    ),
    ${requestMailsFrom(kind, sql`select facts, ${now.toISOString()}::text as asked_at, cause from told`)}
    select from mails`);
}

/** Returns a query of one reader of a mail, with its facts and its cause. */
export const oneReader = (userId: string, facts: object, cause: string): SQL =>
  sql`select ${userId}::text as user_id, ${JSON.stringify(facts)}::json as facts, ${cause}::text as cause`;

/**
 * Returns a query of the recipients of a mail about a comment: the owner, the reviewer and everyone who wrote in its
 * thread, except its author.
 */
export const readersOfComment = ({ commentId, reviewId, authorId }: Comment): SQL => sql`
  select user_id, ${commentId} || ' ' || user_id as cause,
    json_build_object('commentId', ${commentId}::text, 'userId', user_id) as facts
  from (
    select ${estimations.ownerId} as user_id from ${reviews} join ${estimations} on ${estimations.id} = ${reviews.estimationId}
      where ${reviews.id} = ${reviewId}
    union select ${reviews.reviewerId} from ${reviews} where ${reviews.id} = ${reviewId}
    union select said.author_id from ${reviewComments} as said join ${reviewComments} as made on made.id = ${commentId}
      where said.review_id = ${reviewId} and (said.id = made.parent_id or said.parent_id = made.parent_id)
  ) as part where user_id <> ${authorId}`;

/** Returns the ids of the same people. */
export async function listReaders(db: Queryable, comment: Comment): Promise<string[]> {
  const { rows } = await db.execute<{ user_id: string }>(readersOfComment(comment));
  return rows.map(({ user_id }) => user_id);
}

/** A new comment. */
export interface Comment {
  readonly commentId: string;
  readonly reviewId: string;
  readonly authorId: string;
}
