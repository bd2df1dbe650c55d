import { infiniteQueryOptions, type QueryClient, queryOptions } from "@tanstack/react-query";
import type { Comment, Review, ReviewRole, StandingStatus } from "../../../../contract/endpoints/reviews.ts";
import type { VersionWithContent } from "../../../../contract/endpoints/versions.ts";
import { limits } from "../../../../contract/limits.ts";
import { api } from "../../api/client.ts";
import { keys } from "../../api/keys.ts";

const PAGE = 50;

/** How often a page that shows what others write looks for it. */
export const LOOK_MS = 10_000;

const pages = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextCursor }: { readonly nextCursor: string | null }) => nextCursor ?? undefined,
};

/** A review, with what its reviewer has viewed. */
export const reviewQuery = (id: string, reviewId: string) =>
  queryOptions({
    queryKey: keys.review(reviewId),
    queryFn: async () => (await api.getReview({ params: { id, reviewId } })).data,
    refetchInterval: LOOK_MS,
  });

/** Every comment on a review, oldest first. */
export const commentsQuery = (id: string, reviewId: string) =>
  queryOptions({
    queryKey: keys.commentsOn(reviewId),
    queryFn: async () => {
      const comments: Comment[] = [];
      let cursor: string | undefined;
      do {
        const query = { limit: limits.pageSizeMax, cursor };
        const { data } = await api.listComments({ params: { id, reviewId }, query });
        comments.push(...data.comments);
        cursor = data.nextCursor ?? undefined;
      } while (cursor !== undefined);
      return comments;
    },
    refetchInterval: LOOK_MS,
  });

/** A version with its content, which never changes. */
const versionQuery = (id: string, versionId: string) =>
  queryOptions({
    queryKey: keys.version(versionId),
    queryFn: async () => (await api.getVersion({ params: { id, versionId } })).data.version,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** What a review shows. */
export interface Reviewed {
  readonly version: VersionWithContent;
  /** What it is compared with; null for nothing. */
  readonly former: VersionWithContent | null;
  /** Why that could not be loaded. */
  readonly failure: Error | null;
}

/**
 * The version that a review is about, and the one that it is compared with, which is null for nothing. What the same review showed
 * before stays until both are there, so that nothing that is open on its page goes away.
 */
export const reviewedQuery = (
  { id: reviewId, estimationId: id, version: { id: versionId } }: Review,
  base: string | null,
) =>
  queryOptions({
    queryKey: keys.reviewed(reviewId, versionId, base),
    queryFn: async ({ client }): Promise<Reviewed> => {
      const [version, former] = await Promise.allSettled([
        client.fetchQuery(versionQuery(id, versionId)),
        base === null ? null : client.fetchQuery(versionQuery(id, base)),
      ]);
      if (version.status === "rejected") throw version.reason;
      return former.status === "rejected"
        ? { version: version.value, former: null, failure: former.reason }
        : { version: version.value, former: former.value, failure: null };
    },
    staleTime: ({ state }) => (state.data?.failure ? 0 : Number.POSITIVE_INFINITY),
    placeholderData: (shown, query) => (query?.queryKey[1] === reviewId ? shown : undefined),
  });

/** The reviews of an estimation, newest first. */
export const reviewsOfQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: keys.reviewsOf(id),
    queryFn: async ({ pageParam: cursor }) => (await api.listReviews({ params: { id }, query: { cursor } })).data,
    ...pages,
  });

/** The reviews that the reader was asked for, or asked for. */
export const myReviewsQuery = (role: ReviewRole, status: readonly StandingStatus[]) =>
  infiniteQueryOptions({
    queryKey: keys.myReviews(role, status),
    queryFn: async ({ pageParam: cursor }) =>
      (await api.listMyReviews({ query: { role, status: [...status], limit: PAGE, cursor } })).data,
    ...pages,
  });

/** The rounds in which the reader has options left to estimate. */
export const waitingRoundsQuery = infiniteQueryOptions({
  queryKey: keys.waitingRounds,
  queryFn: async ({ pageParam: cursor }) => (await api.listMyRounds({ query: { limit: PAGE, cursor } })).data,
  ...pages,
});

/** Loads again what a verdict, a comment or a request changes. */
export const reloadReview = (queries: QueryClient, id: string, reviewId: string): Promise<unknown> =>
  Promise.all(
    [keys.review(reviewId), keys.comments, keys.reviews, keys.estimation(id), keys.estimations].map((queryKey) =>
      queries.invalidateQueries({ queryKey }),
    ),
  );
