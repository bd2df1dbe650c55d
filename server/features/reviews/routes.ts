import type { Comment, Review, ReviewRole, ReviewVerdict, reviews } from "../../../contract/endpoints/reviews.ts";
import { limits } from "../../../contract/limits.ts";
import { mayWithdraw } from "../../../domain/reviews.ts";
import { earliestSentAt } from "../../../domain/shares.ts";
import type { Queryable } from "../../db/database.ts";
import { fail } from "../../http/failure.ts";
import type { Call, Handlers } from "../../http/handler.ts";
import { byId, byInstant, listPage, type Order } from "../../http/list-page.ts";
import { isWellFormedId } from "../../platform/ids.ts";
import type { Services } from "../../services/index.ts";
import { countsAsVerified, findUser, requireCaller } from "../auth/index.ts";
import { type ReadableEstimation, recordActivity } from "../estimations/index.ts";
import { countWaitingRounds } from "../rounds/index.ts";
import { countSharesWith } from "../shares/index.ts";
import { countInvitationsOf } from "../teams/index.ts";
import { changeComment, createComment, deleteComment } from "./comment.ts";
import type { CommentPlace, ShownComment } from "./comment-store.ts";
import { findComment, listComments, listOpenComments } from "./comment-store.ts";
import { decide } from "./decide.ts";
import { saveDecline } from "./decline-store.ts";
import { requestReview } from "./request.ts";
import { countOwn, findLatestOf, findReview, listOwn, listReviews, type ShownReview } from "./store.ts";
import { markViewed } from "./viewed.ts";
import { listViewed } from "./viewed-store.ts";
import { withdraw } from "./withdraw.ts";

/** Returns a review as the API shows it. */
const presentReview = (row: ShownReview): Review => ({
  id: row.id,
  estimationId: row.estimationId,
  estimationTitle: row.estimationTitle,
  status: row.status,
  stale: row.stale,
  reviewer: { id: row.reviewerId, name: row.reviewerName },
  undeliveredAt: row.undeliveredAt?.toISOString() ?? null,
  requester: { id: row.requesterId, name: row.requesterName },
  version: { id: row.versionId, number: row.versionNumber },
  judgedVersion:
    row.judgedVersionId && row.judgedNumber && row.judgedVerdict && row.judgedAt
      ? {
          id: row.judgedVersionId,
          number: row.judgedNumber,
          verdict: row.judgedVerdict,
          decidedAt: row.judgedAt.toISOString(),
        }
      : null,
  baseVersion: row.baseVersionId && row.baseNumber ? { id: row.baseVersionId, number: row.baseNumber } : null,
  note: row.note,
  createdAt: row.createdAt.toISOString(),
  requestedAt: row.requestedAt.toISOString(),
  decidedAt: row.decidedAt?.toISOString() ?? null,
  withdrawnAt: row.withdrawnAt?.toISOString() ?? null,
});

/** Returns a comment as the API shows it. */
const presentComment = (row: ShownComment): Comment => ({
  id: row.id,
  reviewId: row.reviewId,
  parentId: row.parentId,
  author: { id: row.authorId, name: row.authorName },
  body: row.body,
  nodeId: row.nodeId,
  optionId: row.optionId,
  verdict: row.verdict,
  resolved: row.resolvedById !== null,
  resolvedBy: row.resolvedById === null ? null : { id: row.resolvedById, name: row.resolverName ?? "" },
  createdAt: row.createdAt.toISOString(),
  editedAt: row.editedAt?.toISOString() ?? null,
});

const requestedAt = (row: ShownReview) => row.requestedAt;
const orders: Readonly<Record<ReviewRole, ReturnType<typeof byInstant<ShownReview>>>> = {
  reviewer: byInstant("reviews.mine", requestedAt),
  requester: byInstant("reviews.asked", requestedAt),
};
const newestFirst = byId("reviews");
const oldestFirst = byId("reviews.comments");

/** Sorted by review, then by thread: as `listOpenComments` does. */
const byPlace: Order<ShownComment, CommentPlace, readonly [string, string, string]> = {
  list: "reviews.comments.open",
  sample: ["", "", ""],
  valuesOf: ({ reviewId, parentId, id }) => [reviewId, parentId ?? id, id],
  read([reviewId, threadId, id]) {
    return [reviewId, threadId, id].every(isWellFormedId) ? { reviewId, threadId, id } : null;
  },
};

/** Requesting, listing, deciding, withdrawing and commenting reviews. */
export function reviewRoutes(services: Services): Handlers<typeof reviews, ReadableEstimation> {
  const decided =
    (verdict: ReviewVerdict) =>
    async (call: Call<typeof reviews.approveReview | typeof reviews.requestChanges, ReadableEstimation>) => {
      const { db, estimation, params } = call;
      const { commentId, isNew } = await decide(services, call, verdict);
      if (isNew) await recordActivity(call, `review.${verdict}`, { subject: { reviewId: params.reviewId } });
      const data = await shown(db, estimation.id, params.reviewId);
      const said = commentId === null ? {} : await shownComment(db, params.reviewId, commentId);
      return { data: { ...data, ...said } };
    };

  return {
    async listMyReviews({ actor, query, db }) {
      const { role = "reviewer", status: statuses } = query;
      const own = { userId: actor.userId, role, statuses };
      const { rows, nextCursor } = await listPage(orders[role], query, (limit, after) =>
        listOwn(db, { ...own, limit, after }),
      );
      return { data: { reviews: rows.map(presentReview), nextCursor, count: await countOwn(db, own) } };
    },

    async countWaiting({ actor, db, now }) {
      const { userId } = actor;
      const user = requireCaller(await findUser(db, userId));
      const invited = countsAsVerified(user, services.config) && { email: user.email, since: earliestSentAt(now) };
      const most = limits.reviewsCounted;
      return {
        data: {
          waiting: {
            reviews: await countOwn(db, { userId, role: "reviewer", statuses: ["pending"] }),
            estimationInvitations: invited ? await countSharesWith(db, invited, most) : 0,
            teamInvitations: invited ? await countInvitationsOf(db, invited, most) : 0,
            rounds: await countWaitingRounds(db, userId),
          },
        },
      };
    },

    async listReviews({ estimation, query, db }) {
      const find = (limit: number, afterId: string | null) => listReviews(db, estimation.id, limit, afterId);
      const { rows, nextCursor } = await listPage(newestFirst, query, find, limits.pageSizeInside);
      return { data: { reviews: rows.map(presentReview), nextCursor } };
    },

    async requestReview(call) {
      const { id, isNew, changedNothing } = await requestReview(services, call);
      if (!changedNothing) await recordActivity(call, "review.requested", { subject: { reviewId: id } });
      const data = await shown(call.db, call.estimation.id, id);
      return isNew ? { data } : { status: 200, data };
    },

    async getMyReview({ estimation, actor, db }) {
      const review = await findLatestOf(db, estimation.id, actor.userId);
      return { data: { review: review ? presentReview(review) : null } };
    },

    getReview: async ({ estimation, params, actor, db }) => ({
      data: await shownWithViewed(db, estimation.id, params.reviewId, actor.userId),
    }),

    async markViewed(call) {
      return { data: { marks: await markViewed(call) } };
    },

    approveReview: decided("approved"),
    requestChanges: decided("changes_requested"),

    async withdrawReview(call) {
      const { estimation, params, actor, db, now } = call;
      const review = (await findReview(db, estimation.id, params.reviewId)) ?? fail("not_found");
      if (!mayWithdraw(estimation.access, review.reviewerId === actor.userId)) fail("forbidden");
      if (review.status !== "withdrawn") {
        await withdraw(db, review, now);
        await recordActivity(call, "review.withdrawn", { subject: { reviewId: review.id } });
      }
      return { data: await shown(db, estimation.id, review.id) };
    },

    async declineReview(call) {
      const { estimation, params, actor, db, now } = call;
      const review = (await findReview(db, estimation.id, params.reviewId)) ?? fail("not_found");
      if (review.reviewerId !== actor.userId) fail("forbidden");
      if (review.status !== "withdrawn") {
        await withdraw(db, review, now);
        await saveDecline(db, { reviewerId: actor.userId, ownerId: estimation.ownerId, declinedAt: now });
        await recordActivity(call, "review.declined", { subject: { reviewId: review.id } });
      }
      return { data: await shown(db, estimation.id, review.id) };
    },

    async listOpenComments({ estimation, query, db }) {
      const find = (limit: number, after: CommentPlace | null) => listOpenComments(db, estimation.id, limit, after);
      const { rows, nextCursor } = await listPage(byPlace, query, find, limits.pageSizeInside);
      return { data: { comments: rows.map(presentComment), nextCursor } };
    },

    async listComments({ estimation, params, query, db }) {
      const { review } = await shown(db, estimation.id, params.reviewId);
      const find = (limit: number, afterId: string | null) => listComments(db, review.id, limit, afterId);
      const { rows, nextCursor } = await listPage(oldestFirst, query, find, limits.pageSizeInside);
      return { data: { comments: rows.map(presentComment), nextCursor } };
    },

    async createComment(call) {
      const commentId = await createComment(services, call);
      await recordActivity(call, "review.commented", { subject: { reviewId: call.params.reviewId } });
      return { data: await shownComment(call.db, call.params.reviewId, commentId) };
    },

    async updateComment(call) {
      await changeComment(services, call);
      return { data: await shownComment(call.db, call.params.reviewId, call.params.commentId) };
    },

    async deleteComment(call) {
      return { data: { comment: presentComment(await deleteComment(services, call)) } };
    },
  };
}

async function shown(db: Queryable, estimationId: string, reviewId: string) {
  return { review: presentReview((await findReview(db, estimationId, reviewId)) ?? fail("not_found")) };
}

async function shownWithViewed(db: Queryable, estimationId: string, reviewId: string, readerId: string) {
  const data = await shown(db, estimationId, reviewId);
  return { ...data, viewed: data.review.reviewer.id === readerId ? await listViewed(db, reviewId) : null };
}

async function shownComment(db: Queryable, reviewId: string, commentId: string) {
  return { comment: presentComment((await findComment(db, reviewId, commentId)) ?? fail("not_found")) };
}
