import type { ReviewState } from "../contract/endpoints/estimations.ts";
import type { ReviewStatus, ReviewVerdict, StandingStatus } from "../contract/endpoints/reviews.ts";
import type { AccessLevel } from "../contract/rights.ts";
import { type Option, type Tree, walk } from "./tree/shape.ts";
import { isAlike } from "./versions/alike.ts";

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

/** What the reviewer's review before a request was about. */
interface Former {
  readonly versionId: string;
  readonly judgedVersionId: string | null;
  readonly baseVersionId: string | null;
}

/**
 * Returns the version to compare the requested one with, whatever the verdict on that will be: the one that the reviewer
 * judged last before it was requested; null for none. Asking again about the same version keeps its base.
 */
export const baseFor = ({ versionId: former, judgedVersionId, baseVersionId }: Former, versionId: string) =>
  former === versionId ? baseVersionId : judgedVersionId;

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

/**
 * Returns those of `ids` whose option differs between two trees: it says something else, stands below another question, or is not
 * in both. What is below an option is not part of it.
 */
export function differingOptions(ids: readonly string[], before: Tree, after: Tree): string[] {
  const [old, now] = [optionsOf(before), optionsOf(after)];
  return ids.filter((id) => !old.has(id) || !isAlike(old.get(id), now.get(id)));
}

function optionsOf({ nodes }: Tree): ReadonlyMap<string, object> {
  const options = new Map<string, Omit<Option, "nodes"> & { readonly questionId: string }>();
  walk(nodes, {
    option: ({ nodes: _, ...option }, _path, { id: questionId }) => options.set(option.id, { ...option, questionId }),
  });
  return options;
}
