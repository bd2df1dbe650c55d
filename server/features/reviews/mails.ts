import type { ReviewVerdict } from "../../../contract/endpoints/reviews.ts";
import { may } from "../../../domain/access.ts";
import type { Queryable } from "../../db/database.ts";
import { type AddressedLetter, type MailRow, writeMail } from "../../jobs/mail.ts";
import { defineMail } from "../../jobs/mail-store.ts";
import { type Letter, oneLine } from "../../platform/letter.ts";
import type { Services } from "../../services/index.ts";
import { countsAsVerified, normalizeEmail } from "../auth/index.ts";
import { levelOf, webPages } from "../estimations/index.ts";
import {
  type Comment,
  findMailedComment,
  findMailedReview,
  findPerson,
  findVerdictText,
  type MailedReview,
  oneReader,
  readersOfComment,
  requestReviewMails,
} from "./mail-store.ts";

/** One request or verdict; `at` (ISO 8601) tells it from others of the same review. */
interface Occasion {
  readonly reviewId: string;
  readonly at: string;
}

/** A comment, and the recipient of the mail. */
interface Saying {
  readonly commentId: string;
  readonly userId: string;
}

const requestedMail = defineMail<Occasion>("review-requested");
const decidedMail = defineMail<Occasion>("review-decided");
const commentedMail = defineMail<Saying>("review-commented");

/** A request for a review or a verdict, its reader, and who caused it. */
interface Told {
  readonly reviewId: string;
  readonly readerId: string;
  readonly senderId: string;
  readonly now: Date;
}

const mailAbout =
  (kind: typeof requestedMail) =>
  (tx: Queryable, { readerId, ...occasion }: Told): Promise<void> => {
    const { reviewId, now } = occasion;
    const facts: Occasion = { reviewId, at: now.toISOString() };
    const readers = oneReader(readerId, facts, `${reviewId} ${facts.at}`);
    return requestReviewMails(tx, kind, { ...occasion, readers });
  };

/** Requests the mail to the reviewer, in the transaction of the request for the review. */
export const mailRequested = mailAbout(requestedMail);

/** Requests the mail to the owner, in the transaction of the verdict. */
export const mailDecided = mailAbout(decidedMail);

/** Comments of one person on one review within this time, in milliseconds, are one mail to each reader, about the first of them. */
const QUIET_MS = 600_000;

/** Requests the mails to those who take part in a review, in the transaction of the comment. */
export const mailCommented = (tx: Queryable, { now, ...comment }: Comment & { readonly now: Date }): Promise<void> =>
  requestReviewMails(tx, commentedMail, {
    ...{ reviewId: comment.reviewId, senderId: comment.authorId, now, quietMs: QUIET_MS },
    readers: readersOfComment(comment),
  });

const VERDICTS: Readonly<Record<ReviewVerdict, string>> = {
  approved: "approved the estimation",
  changes_requested: "requested changes to the estimation",
};

/**
 * Writes the mails about reviews, to people with verified addresses only. Writes none if it is outdated by then: the
 * review was requested or decided again or withdrawn, the estimation or the comment deleted, or the access ended.
 */
export const reviewMails = ({ config, pool }: Services): MailRow[] => {
  const letterTo = (
    { email, name, emailVerifiedAt }: MailedReview["owner"],
    { review, title }: MailedReview,
    letter: Pick<Letter, "paragraphs" | "quote" | "more">,
  ): AddressedLetter | null => {
    // What is no address belongs to an account that nobody uses.
    if (!countsAsVerified({ emailVerifiedAt }, config) || normalizeEmail(email) === null) return null;
    const url = webPages.review(config.webUrl, review.estimationId, review.id);
    // One conversation, which some programs show as one only where the subject is the same too.
    const conversation = { conversation: `review ${review.id}`, subject: `Review of ${oneLine(title)}` };
    return { to: email, name, link: { label: "Open the review", url }, ...conversation, ...letter };
  };

  return [
    writeMail(requestedMail, async ({ reviewId, at }) => {
      const found = await findMailedReview(pool, reviewId);
      if (found?.review.status !== "pending" || found.review.requestedAt.toISOString() !== at) return null;
      const { review, title, owner, reviewer } = found;
      const what = `${oneLine(owner.name)} (${owner.email}) asks you to review the estimation "${oneLine(title)}".`;
      return letterTo(reviewer, found, {
        paragraphs: [what],
        quote: review.note === null ? undefined : oneLine(review.note),
        more: ["You can read the estimation, comment, and approve it or request changes."],
      });
    }),

    writeMail(decidedMail, async ({ reviewId, at }) => {
      const found = await findMailedReview(pool, reviewId);
      if (found?.review.decidedAt?.toISOString() !== at) return null;
      const { review, title, owner, reviewer } = found;
      if (review.status === "pending" || review.status === "withdrawn") return null;
      if (normalizeEmail(reviewer.email) === null) return null;
      const what = `${oneLine(reviewer.name)} (${reviewer.email}) ${VERDICTS[review.status]} "${oneLine(title)}".`;
      const text = await findVerdictText(pool, review);
      return letterTo(owner, found, {
        paragraphs: [what],
        quote: text === undefined ? undefined : oneLine(text),
      });
    }),

    writeMail(commentedMail, async ({ commentId, userId }) => {
      const comment = await findMailedComment(pool, commentId);
      const found = comment && (await findMailedReview(pool, comment.reviewId));
      if (!found || found.review.status === "withdrawn") return null;
      const [author, reader] = [await findPerson(pool, comment.authorId), await findPerson(pool, userId)];
      const level = await levelOf(pool, found.review.estimationId, userId);
      if (!author || !reader || may(level, "read") !== "allowed") return null;
      const what = `${oneLine(author.name)} (${author.email}) commented on the review of "${oneLine(found.title)}":`;
      return letterTo(reader, found, {
        paragraphs: [what],
        quote: oneLine(comment.body),
        more: ["There may be more comments by now."],
      });
    }),
  ];
};
