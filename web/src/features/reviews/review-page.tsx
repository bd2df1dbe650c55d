import { skipToken, useQuery } from "@tanstack/react-query";
import { useParams, useSearch } from "@tanstack/react-router";
import type { Review } from "../../../../contract/endpoints/reviews.ts";
import { isRefusal } from "../../api/failure.ts";
import { keys } from "../../api/keys.ts";
import { useSession } from "../../api/session.ts";
import type { First } from "../../app/first.ts";
import { FailedPage } from "../../ui/failed-page.tsx";
import { SkeletonRows } from "../../ui/lists/skeleton-rows.tsx";
import { useTitle } from "../../ui/use-title.ts";
import { estimationQuery } from "../estimations/queries.ts";
import { EstimationHead } from "../states/estimation-head.tsx";
import { commentsQuery, LOOK_MS, reviewedQuery, reviewQuery } from "./queries.ts";
import { ReviewHead } from "./review-head.tsx";
import { ReviewView } from "./review-view.tsx";
import { reviewTexts } from "./texts.ts";

/** Returns the version to compare with: the one that was chosen, or that the reviewer judged before; null for none. */
const baseOf = ({ baseVersion }: Review, since: string | undefined): string | null =>
  since === "none" ? null : (since ?? baseVersion?.id ?? null);

export const first: First = ({ params: { id, reviewId } }) => [
  reviewQuery(id, reviewId),
  estimationQuery(id),
  commentsQuery(id, reviewId),
];

/** One review: the version that it is about with what changed, what was said, and the verdict. Mails lead here. */
export function ReviewPage() {
  const params = useParams({ from: "/frame/signed-in/estimations/$id/reviews/$reviewId" });
  const { since } = useSearch({ from: "/frame/signed-in/estimations/$id/reviews/$reviewId" });
  const { id, reviewId } = params;
  const userId = useSession()?.userId ?? "";
  const query = useQuery(reviewQuery(id, reviewId));
  const estimation = useQuery({ ...estimationQuery(id), refetchInterval: LOOK_MS });
  const comments = useQuery(commentsQuery(id, reviewId));
  const review = query.data?.review;
  const base = review ? baseOf(review, since) : null;
  const reviewed = useQuery(review ? reviewedQuery(review, base) : { queryKey: keys.reviewed(), queryFn: skipToken });
  useTitle(review && reviewTexts.of(review.estimationTitle));
  // Access may end while the page is open.
  const failed = [query, estimation, reviewed, comments].find(
    ({ data, error }) => error !== null && (data === undefined || isRefusal(error, "not_found")),
  );
  if (failed) return <FailedPage error={failed.error} onRetry={() => void failed.refetch()} />;
  if (!query.data || !review || !estimation.data) return <SkeletonRows rows={10} />;
  return (
    <>
      <EstimationHead estimation={estimation.data} />
      <ReviewHead review={review} estimation={estimation.data} userId={userId} />
      {reviewed.data && comments.data ? (
        <ReviewView
          key={reviewId}
          review={review}
          viewed={query.data.viewed}
          estimation={estimation.data}
          userId={userId}
          shown={reviewed.data}
          base={base}
          comments={comments.data}
        />
      ) : (
        <SkeletonRows rows={10} />
      )}
    </>
  );
}
