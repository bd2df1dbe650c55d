import type { reviews } from "../../../contract/endpoints/reviews.ts";
import { differingOptions } from "../../../domain/reviews.ts";
import { idsOf, type Tree } from "../../../domain/tree/shape.ts";
import type { Queryable } from "../../db/database.ts";
import { fail, failWith } from "../../http/failure.ts";
import type { Call } from "../../http/handler.ts";
import type { ReadableEstimation } from "../estimations/index.ts";
import { findVersionWithSnapshot } from "../versions/index.ts";
import { findReview, type ReviewRow } from "./store.ts";
import { addViewed, listViewed, removeViewed } from "./viewed-store.ts";

/**
 * Marks options as viewed by the reviewer, or takes their marks, and returns all that are marked then. Refuses (403) anybody else, (409) a review that was withdrawn, or
 * is about another version than the named one, and (400) options that are not in that version.
 */
export async function markViewed(call: Call<typeof reviews.markViewed, ReadableEstimation>) {
  const { estimation, actor, params, body, db } = call;
  const review = (await findReview(db, estimation.id, params.reviewId)) ?? fail("not_found");
  if (review.reviewerId !== actor.userId) fail("forbidden");
  if (review.status === "withdrawn") fail("review_withdrawn");
  const { versionId } = review;
  if (body.versionId !== undefined && body.versionId !== versionId) fail("review_moved", { details: { versionId } });
  const { options } = idsOf((await treeOf(db, review)).nodes);
  const unknown = body.optionIds.flatMap((id, index) => (options.has(id) ? [] : [index]));
  if (unknown.length > 0) {
    const message = "must be the id of an option of the version that the review is about";
    failWith(
      unknown.map(
        (index) => ({ path: `/optionIds/${index}`, in: "body", code: "unknown_reference", message }) as const,
      ),
    );
  }
  await (body.viewed ? addViewed : removeViewed)(db, review.id, body.optionIds);
  return { optionIds: await listViewed(db, review.id), viewed: true, versionId };
}

/** Takes the marks of the options that differ in `next`, the content that a review is about from now on. */
export async function dropOutdated(db: Queryable, review: ReviewRow, next: Tree): Promise<void> {
  const marked = await listViewed(db, review.id);
  if (marked.length === 0) return;
  await removeViewed(db, review.id, differingOptions(marked, await treeOf(db, review), next));
}

/** Returns the tree of the version that a review is about. */
export async function treeOf(
  db: Queryable,
  { estimationId, versionId }: Pick<ReviewRow, "estimationId" | "versionId">,
) {
  const version = await findVersionWithSnapshot(db, estimationId, versionId);
  if (!version) throw new Error(`the version ${versionId} of a review is gone`);
  return version.snapshot.tree;
}
