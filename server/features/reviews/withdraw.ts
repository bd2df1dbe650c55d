import type { Queryable } from "../../db/database.ts";
import { setReader } from "../estimations/index.ts";
import { followReviews } from "./follow.ts";
import { findStanding, type ReviewRow, updateReview } from "./store.ts";

/** Ends a review of a locked estimation and the access that it gave; access by a share stays. */
export async function withdraw(
  tx: Queryable,
  { id, estimationId, reviewerId }: Pick<ReviewRow, "id" | "estimationId" | "reviewerId">,
  now: Date,
): Promise<void> {
  await updateReview(tx, id, { status: "withdrawn", withdrawnAt: now });
  await setReader(tx, { estimationId, userId: reviewerId }, { reviews: false });
  await followReviews(tx, estimationId);
}

/** Ends the review of a user who becomes the owner: nobody reviews an estimation of their own. */
export async function endReviewOfOwner(tx: Queryable, estimationId: string, ownerId: string, now: Date): Promise<void> {
  const standing = await findStanding(tx, estimationId, ownerId);
  if (standing) await withdraw(tx, standing, now);
}
