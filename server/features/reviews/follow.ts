import { reviewStateOf } from "../../../domain/reviews.ts";
import type { Queryable } from "../../db/database.ts";
import { setReviewState } from "../estimations/index.ts";
import { summarize } from "./store.ts";

/** Stores what follows for a locked estimation from its reviews, after one of them changed. */
export async function followReviews(tx: Queryable, estimationId: string): Promise<void> {
  const { statuses, reviewedHash } = await summarize(tx, estimationId);
  await setReviewState(tx, estimationId, { reviewState: reviewStateOf(statuses), reviewedHash });
}
