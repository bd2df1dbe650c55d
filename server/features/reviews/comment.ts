import type { reviews } from "../../../contract/endpoints/reviews.ts";
import { mayComment } from "../../../domain/reviews.ts";
import { type Tree, walk } from "../../../domain/tree/shape.ts";
import type { Queryable } from "../../db/database.ts";
import { fail, failWith } from "../../http/failure.ts";
import type { Call } from "../../http/handler.ts";
import { reserveForAuthor } from "../../http/quotas.ts";
import type { Services } from "../../services/index.ts";
import { accountTexts, bytesOfTexts, loadTree, type ReadableEstimation } from "../estimations/index.ts";
import { addNotifications } from "../notifications/index.ts";
import {
  countComments,
  findComment,
  insertComment,
  removeComment,
  type ShownComment,
  updateComment,
} from "./comment-store.ts";
import { listReaders } from "./mail-store.ts";
import { mailCommented } from "./mails.ts";
import { findReview, findStanding, type ShownReview } from "./store.ts";
import type { reviewComments } from "./tables.ts";
import { treeOf } from "./viewed.ts";

type NewComment = typeof reviewComments.$inferInsert;
type CreateCall = Call<typeof reviews.createComment, ReadableEstimation>;
type UpdateCall = Call<typeof reviews.updateComment, ReadableEstimation>;
type CommentCall = Pick<CreateCall, "estimation" | "actor" | "params" | "db">;

/**
 * Finds the review of a call that writes below it. Refuses (404) one that does not exist, (403) a caller who may not
 * comment, and (409) one that was withdrawn.
 */
async function demandOpenReview({ estimation, actor, params, db }: CommentCall): Promise<ShownReview> {
  const review = (await findReview(db, estimation.id, params.reviewId)) ?? fail("not_found");
  const { access } = estimation;
  // A user with a share for reading may be a reviewer too.
  const isReviewer = access === "viewer" ? await findStanding(db, estimation.id, actor.userId) : access === "reviewer";
  if (!mayComment(access, Boolean(isReviewer))) fail("forbidden");
  if (review.status === "withdrawn") fail("review_withdrawn");
  return review;
}

/** Stores a comment of a caller with that access, and returns its id. Refuses (409) more than a review may have, or one author of it, and texts beyond the owner's quota. */
export async function addComment(
  tx: Queryable,
  { quotas, ids }: Pick<Services, "quotas" | "ids">,
  estimation: Pick<ReadableEstimation, "id" | "access" | "ownerId">,
  comment: Omit<NewComment, "id">,
): Promise<string> {
  const used = await countComments(tx, comment.reviewId, comment.authorId);
  const isOwner = estimation.access === "owner";
  await reserveForAuthor(quotas, tx, { all: "commentsPerReview", own: "commentsPerAuthor" }, { ...used, isOwner });
  const id = ids.next("comment");
  await insertComment(tx, { ...comment, id });
  await accountTexts(tx, quotas, estimation, bytesOfTexts(comment.body));
  return id;
}

/**
 * Comments on a review, on a node or an option that its estimation has now or had in the version that the review is about
 * or is compared with, or in reply to a comment. A reply is about the same node or option as its thread. Returns the id of
 * the comment. Refuses (400) a node or option that is in none of them, and a comment of another review.
 */
export async function createComment(services: Services, call: CreateCall): Promise<string> {
  const { actor, body, db, now } = call;
  const review = await demandOpenReview(call);
  const reviewId = review.id;
  const about = body.parentId ? await findThread(db, reviewId, body, body.parentId) : await findPlace(call, review);
  const commentId = await addComment(db, services, call.estimation, {
    ...about,
    ...{ reviewId, authorId: actor.userId, body: body.body, createdAt: now },
  });
  const estimationId = call.estimation.id;
  await addNotifications(
    db,
    services.ids,
    { kind: "review.commented", actorId: actor.userId, estimationId, subject: { reviewId, commentId }, now },
    await listReaders(db, { commentId, reviewId, authorId: actor.userId }),
  );
  await mailCommented(db, { commentId, reviewId, authorId: actor.userId, now });
  return commentId;
}

async function findThread(db: Queryable, reviewId: string, body: CreateCall["body"], parentId: string) {
  const message = "must be left out in a reply, which is about the same node or option as its thread";
  const extra = (["nodeId", "optionId"] as const).filter((name) => body[name]);
  if (extra.length > 0)
    failWith(extra.map((name) => ({ path: `/${name}`, in: "body", code: "not_allowed", message }) as const));
  const parent =
    (await findComment(db, reviewId, parentId)) ??
    refuseUnknown("/parentId", "must be the id of a comment on this review");
  return { parentId: parent.parentId ?? parent.id, nodeId: parent.nodeId, optionId: parent.optionId };
}

async function findPlace({ estimation, body, db }: CreateCall, review: ShownReview) {
  const { nodeId = null, optionId = null } = body;
  if (nodeId === null && optionId === null) return { parentId: null, nodeId, optionId };
  const { estimationId, baseVersionId: versionId } = review;
  const place =
    placeIn(await loadTree(db, estimation.id), nodeId, optionId) ??
    // What was removed since is still in the version that the reviewer looks at …
    (review.stale ? placeIn(await treeOf(db, review), nodeId, optionId) : null) ??
    // … and what the owner removed before, in the one that it is compared with.
    (versionId !== null && versionId !== review.versionId
      ? placeIn(await treeOf(db, { estimationId, versionId }), nodeId, optionId)
      : null);
  const where = "the tree as it is now, or of the version that the review is about or that it is compared with";
  if (place) return { parentId: null, ...place };
  return optionId === null
    ? refuseUnknown("/nodeId", `must be the id of a node of ${where}`)
    : refuseUnknown("/optionId", `must be the id of an option of ${nodeId === null ? "" : "that node in "}${where}`);
}

/** Returns the node and the option that a comment names, completed; null where the tree has not got them. */
function placeIn({ nodes }: Tree, nodeId: string | null, optionId: string | null) {
  let nodeOfOption: string | null = null;
  let hasNode = false;
  walk(nodes, {
    node: ({ id }) => {
      hasNode ||= id === nodeId;
    },
    option: ({ id }, _, node) => {
      if (id === optionId) nodeOfOption = node.id;
    },
  });
  if (optionId === null) return hasNode ? { nodeId, optionId } : null;
  return nodeOfOption === null || (nodeId !== null && nodeId !== nodeOfOption)
    ? null
    : { nodeId: nodeOfOption, optionId };
}

/** Finds a comment to be changed or deleted by a caller who may comment, and with `asAuthor` by its author only (403). */
async function demandComment(
  call: CommentCall & Pick<UpdateCall, "params">,
  { asAuthor }: { readonly asAuthor: boolean },
): Promise<ShownComment> {
  const { params, actor, db } = call;
  const { id: reviewId } = await demandOpenReview(call);
  const comment = (await findComment(db, reviewId, params.commentId)) ?? fail("not_found");
  if (!asAuthor) return comment;
  if (comment.authorId !== actor.userId) fail("forbidden");
  return comment.body === null ? fail("not_found") : comment;
}

/** Changes the text of a comment, or settles or reopens its thread. Refuses (400) to settle a reply by itself, and (409) texts beyond the owner's quota. */
export async function changeComment({ quotas }: Pick<Services, "quotas">, call: UpdateCall): Promise<void> {
  const { estimation, actor, body, db, now } = call;
  const comment = await demandComment(call, { asAuthor: body.body !== undefined });
  if (body.resolved !== undefined && comment.parentId !== null) {
    const message = "can be set for the first comment of a thread only";
    failWith([{ path: "/resolved", in: "body", code: "not_allowed", message }]);
  }
  const text = body.body !== undefined && body.body !== comment.body ? { body: body.body, editedAt: now } : {};
  const isResolved = comment.resolvedById !== null;
  const { resolved = isResolved } = body;
  const thread = resolved === isResolved ? {} : { resolvedById: resolved ? actor.userId : null };
  const changes = { ...text, ...thread };
  if (Object.keys(changes).length > 0) await updateComment(db, comment.id, changes);
  const moreBytes = bytesOfTexts(body.body ?? comment.body) - bytesOfTexts(comment.body);
  await accountTexts(db, quotas, estimation, moreBytes);
}

/** Deletes a comment of the caller. */
export async function deleteComment(
  { quotas }: Pick<Services, "quotas">,
  call: CommentCall & Pick<UpdateCall, "params">,
): Promise<ShownComment> {
  const comment = await demandComment(call, { asAuthor: true });
  await removeComment(call.db, comment);
  await accountTexts(call.db, quotas, call.estimation, -bytesOfTexts(comment.body));
  return comment;
}

function refuseUnknown(path: string, message: string): never {
  return failWith([{ path, in: "body", code: "unknown_reference", message }]);
}
