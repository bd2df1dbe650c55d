import type { reviews } from "../../../contract/endpoints/reviews.ts";
import type { AccessLevel } from "../../../contract/rights.ts";
import { setReader } from "../../../server/features/estimations/reader-store.ts";
import type { TestApp } from "../../harness.ts";
import type { TreeRecords } from "./decision-trees.ts";
import type { EstimationRecords } from "./estimations.ts";
import type { Making, Samples } from "./noun.ts";

export interface ReviewRecords {
  /** One of two reviews of the estimation. */
  readonly review: string;
  /** The first of two comments on it, by the user. */
  readonly comment: string;
  /** A user who is not asked for a review yet. */
  readonly candidate: string;
  /** Another user's estimation that the user is asked to review, … */
  readonly toReview: string;
  /** … and that review. */
  readonly ownReview: string;
  /** An option of it. */
  readonly optionToReview: string;
}

/** Asks two people for reviews of the estimation, and has the user asked for one. */
export async function makeReviews(
  { app, user, call }: Making,
  { estimation }: EstimationRecords,
): Promise<ReviewRecords> {
  const path = `/api/estimations/${estimation}/reviews`;
  const ask = async () => {
    const { userId } = await app.signUp();
    const { review } = await call("POST", path, { reviewerId: userId, note: "Is the payment complete?" });
    return String(review?.id);
  };
  const [review] = [await ask(), await ask()];
  const say = async (body: string) => {
    const { comment } = await call("POST", `${path}/${review}/comments`, { body });
    return String(comment?.id);
  };
  const [comment] = [await say("Should cards be optional?"), await say("The hours for refunds look low.")];
  const { token } = await app.signUp();
  const made = await app.request("POST", "/api/estimations", { token, body: { title: "Booking of rooms" } });
  const toReview = String(made.data.estimation?.id);
  const nodes = [{ title: "Calendar", kind: "group", options: [{ title: "By day", hours: 12 }] }];
  const { data } = await app.request("PUT", `/api/estimations/${toReview}/tree`, { token, body: { nodes } });
  const optionToReview = String(data.tree?.nodes?.[0]?.options?.[0]?.id);
  const theirs = `/api/estimations/${toReview}/reviews`;
  const asked = await app.request("POST", theirs, { token, body: { reviewerEmail: user.email } });
  const { userId: candidate } = await app.signUp();
  return { review, comment, candidate, toReview, ownReview: String(asked.data.review?.id), optionToReview };
}

/** Gives people their levels for the estimation that the user reviews too: each is only forbidden to decide that review. */
export async function letRead(
  { services: { pool } }: TestApp,
  { toReview: estimationId }: ReviewRecords,
  people: readonly { readonly userId: string; readonly level: AccessLevel | null }[],
): Promise<void> {
  for (const { userId, level } of people) {
    if (level === "editor" || level === "viewer") await setReader(pool, { estimationId, userId }, { shared: level });
    if (level === "reviewer") await setReader(pool, { estimationId, userId }, { reviews: true });
  }
}

const verdict = ({ toReview, ownReview }: ReviewRecords) => ({ params: { id: toReview, reviewId: ownReview } });
const ofReview = ({ estimation, review }: EstimationRecords & ReviewRecords) => ({ id: estimation, reviewId: review });
const ofComment = (world: EstimationRecords & ReviewRecords) => ({ ...ofReview(world), commentId: world.comment });

export const reviewSamples: Samples<typeof reviews> = {
  listMyReviews: () => ({ query: { role: "reviewer" } }),
  countWaiting: () => ({}),
  listReviews: ({ estimation }) => ({ params: { id: estimation } }),
  requestReview: ({ estimation, candidate }) => ({
    params: { id: estimation },
    body: { reviewerId: candidate, note: "Please look at the options for payment." },
  }),
  getMyReview: ({ toReview }) => ({ params: { id: toReview } }),
  getReview: (world) => ({ params: ofReview(world) }),
  markViewed: (world) => ({ ...verdict(world), body: { optionIds: [world.optionToReview], viewed: true } }),
  approveReview: (world) => ({ ...verdict(world), body: { comment: "Looks complete to me." } }),
  requestChanges: (world) => ({ ...verdict(world), body: { comment: "Refunds are missing." } }),
  withdrawReview: (world) => ({ params: ofReview(world) }),
  declineReview: (world) => ({ params: verdict(world).params }),
  listOpenComments: ({ estimation }) => ({ params: { id: estimation } }),
  listComments: (world) => ({ params: ofReview(world) }),
  createComment: (world: EstimationRecords & ReviewRecords & TreeRecords) => ({
    params: ofReview(world),
    body: { body: "Does this include the tests?", optionId: world.option },
  }),
  updateComment: (world) => ({
    params: ofComment(world),
    body: { resolved: true },
  }),
  deleteComment: (world) => ({ params: ofComment(world) }),
};
