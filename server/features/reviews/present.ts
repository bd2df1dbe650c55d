import type { Comment, Review } from "../../../contract/reviews.ts";
import type { ShownComment } from "./comment-store.ts";
import type { ShownReview } from "./store.ts";

/** Returns a review as the API shows it. */
export const presentReview = (row: ShownReview): Review => ({
  id: row.id,
  estimationId: row.estimationId,
  estimationTitle: row.estimationTitle,
  status: row.status,
  stale: row.stale,
  reviewer: { id: row.reviewerId, name: row.reviewerName },
  requester: { id: row.requesterId, name: row.requesterName },
  version: { id: row.versionId, number: row.versionNumber },
  note: row.note,
  createdAt: row.createdAt.toISOString(),
  requestedAt: row.requestedAt.toISOString(),
  decidedAt: row.decidedAt?.toISOString() ?? null,
  withdrawnAt: row.withdrawnAt?.toISOString() ?? null,
});

/** Returns a comment as the API shows it. */
export const presentComment = (row: ShownComment): Comment => ({
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
