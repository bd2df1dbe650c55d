import type { ReviewVerdict, reviews } from "../../../contract/endpoints/reviews.ts";
import { judge } from "../../../domain/reviews.ts";
import { fail } from "../../http/failure.ts";
import type { Call } from "../../http/handler.ts";
import type { Services } from "../../services/index.ts";
import { type ReadableEstimation, tellReaders, webPages } from "../estimations/index.ts";
import { addNotifications } from "../notifications/index.ts";
import { addComment } from "./comment.ts";
import { followReviews } from "./follow.ts";
import { mailDecided } from "./mails.ts";
import { findReview, updateReview } from "./store.ts";

type DecideCall = Call<typeof reviews.approveReview | typeof reviews.requestChanges, ReadableEstimation>;

const EVENTS = {
  approved: "estimation.approved",
  changes_requested: "estimation.changes_requested",
} as const satisfies Record<ReviewVerdict, string>;

/** What a verdict did. */
interface Decided {
  /** The comment that came with it. */
  readonly commentId: string | null;
  /** False where it was the same verdict already. */
  readonly isNew: boolean;
}

/**
 * Stores the verdict of a reviewer on what the review is about, with a comment if there is one, and tells the readers'
 * webhooks. The same verdict again changes nothing. Refuses (403) anybody but the
 * reviewer, and (409) a review that was withdrawn, or is about another version than the named one.
 */
export async function decide(services: Services, call: DecideCall, verdict: ReviewVerdict): Promise<Decided> {
  const { estimation, actor, params, body, db, now } = call;
  const review = (await findReview(db, estimation.id, params.reviewId)) ?? fail("not_found");
  if (review.reviewerId !== actor.userId) fail("forbidden");
  const { comment, versionId } = body;
  const outcome = judge(review, { verdict, versionId, hasComment: comment !== undefined });
  if (outcome === "withdrawn") fail("review_withdrawn");
  if (outcome === "moved") fail("review_moved", { details: { versionId: review.versionId } });
  if (outcome === "same") return { commentId: null, isNew: false };
  const judged = { judgedVersionId: review.versionId, judgedVerdict: verdict, judgedAt: now } as const;
  await updateReview(db, review.id, { ...judged, status: verdict, decidedAt: now });
  const commentId =
    comment === undefined
      ? null
      : await addComment(db, services, estimation, {
          ...{ reviewId: review.id, authorId: actor.userId, body: comment, verdict, createdAt: now },
          ...{ parentId: null, nodeId: null, optionId: null },
        });
  await followReviews(db, estimation.id);
  const { id: reviewId, reviewerId: senderId } = review;
  await addNotifications(
    db,
    services.ids,
    { kind: `review.${verdict}`, actorId: senderId, estimationId: estimation.id, subject: { reviewId }, now },
    [estimation.ownerId],
  );
  await mailDecided(db, { reviewId, senderId, readerId: estimation.ownerId, now });
  await tellReaders(db, services, estimation, {
    event: EVENTS[verdict],
    data: {
      estimationId: estimation.id,
      reviewerId: review.reviewerId,
      reviewerName: review.reviewerName,
      estimationTitle: estimation.title,
      estimationUrl: webPages.estimation(services.config.webUrl, estimation.id),
    },
    senderId,
    reviewerId: senderId,
    now,
  });
  return { commentId, isNew: true };
}
