import type { ReviewState } from "../contract/endpoints/estimations.ts";
import type { ReviewStatus, ReviewVerdict, StandingStatus } from "../contract/endpoints/reviews.ts";
import type { AccessLevel } from "../contract/rights.ts";

/** The statuses that count for an estimation, the one that prevails first. */
const PREVAILING = ["changes_requested", "pending", "approved"] as const satisfies readonly StandingStatus[];

/** Returns the review state of an estimation from the statuses of its reviews, without withdrawn ones. */
export const reviewStateOf = (statuses: readonly StandingStatus[]): ReviewState =>
  PREVAILING.find((status) => statuses.includes(status)) ?? "none";

/** What a request or a verdict needs to know about a review. */
export interface ReviewFacts {
  readonly status: ReviewStatus;
  readonly versionId: string;
}

/** The reviewer's review that a request for a review finds. */
interface Standing {
  readonly status: ReviewStatus;
  /** Whether it is about the current content. */
  readonly isCurrent: boolean;
  readonly note: string | null;
}

/**
 * Returns whether asking a reviewer again changes anything: because the review is about other content, was decided, or gets
 * another note. Without a `note` the review keeps its own.
 */
export const asksAnew = ({ status, isCurrent, note: former }: Standing, note: string | null = former): boolean =>
  status !== "pending" || !isCurrent || note !== former;

/** A verdict on a review. */
interface Decision {
  readonly verdict: ReviewVerdict;
  /** The version that is judged; undefined: whatever the review is about. */
  readonly versionId: string | undefined;
  readonly hasComment: boolean;
}

/**
 * Returns the effect of a verdict. `withdrawn` and `moved` refuse it: the review has ended, or is about another version
 * than the named one. `same`: the review already has this verdict, and there is no comment.
 */
export function judge(
  { status, versionId: pinned }: ReviewFacts,
  { verdict, versionId = pinned, hasComment }: Decision,
): "decided" | "same" | "moved" | "withdrawn" {
  if (status === "withdrawn") return "withdrawn";
  if (versionId !== pinned) return "moved";
  return status === verdict && !hasComment ? "same" : "decided";
}

/** Returns whether a reader may end a review: the owner, or the reviewer, who then leaves the estimation. */
export const mayWithdraw = (level: AccessLevel, isReviewer: boolean): boolean => isReviewer || level === "owner";

/** Returns whether a reader may comment on the reviews of an estimation. */
export const mayComment = (level: AccessLevel, isReviewer: boolean): boolean =>
  isReviewer || level === "owner" || level === "editor";
