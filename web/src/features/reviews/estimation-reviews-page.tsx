import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { lazy } from "react";
import type { First } from "../../app/first.ts";
import { FailedPage } from "../../ui/failed-page.tsx";
import { MoreRows } from "../../ui/lists/more-rows.tsx";
import { SkeletonRows } from "../../ui/lists/skeleton-rows.tsx";
import { Message } from "../../ui/message.tsx";
import { Part } from "../../ui/part.tsx";
import { useTitle } from "../../ui/use-title.ts";
import { estimationQuery } from "../estimations/queries.ts";
import { EstimationHead } from "../states/estimation-head.tsx";
import { reviewsOfQuery } from "./queries.ts";
import { ReviewTable } from "./review-table.tsx";
import styles from "./reviews-page.module.css";
import { reviewTexts } from "./texts.ts";

const RoundsOf = lazy(async () => ({ default: (await import("../rounds/rounds-of.tsx")).RoundsOf }));

const t = reviewTexts.list;

export const first: First = ({ params: { id } }) => [estimationQuery(id), reviewsOfQuery(id)];

/** The reviews of an estimation, and the rounds in which people estimate it together. */
export function EstimationReviewsPage() {
  const { id } = useParams({ from: "/frame/signed-in/estimations/$id/reviews" });
  const estimation = useQuery(estimationQuery(id));
  const list = useInfiniteQuery(reviewsOfQuery(id));
  useTitle(estimation.data && reviewTexts.allOf(estimation.data.title));
  const failed = [estimation, list].find(({ data, error }) => data === undefined && error !== null);
  if (failed) return <FailedPage error={failed.error} onRetry={() => void failed.refetch()} />;
  if (!estimation.data) return <SkeletonRows rows={6} />;
  const reviews = list.data?.pages.flatMap((page) => page.reviews) ?? [];
  const isOwner = estimation.data.access === "owner";
  return (
    <>
      <EstimationHead estimation={estimation.data} />
      {list.isPending && <SkeletonRows rows={4} />}
      {list.isSuccess && reviews.length === 0 && (
        <Message level={2} title={t.noneOfTitle} text={isOwner ? t.noneOf : t.noneOfReader} />
      )}
      {reviews.length > 0 && (
        <section aria-label={t.of} className={styles.part}>
          <ReviewTable reviews={reviews} person="reviewer" isOfOne />
        </section>
      )}
      {list.hasNextPage && <MoreRows counted={t.counted(reviews.length)} list={list} />}
      <div className={styles.others}>
        <Part>
          <RoundsOf estimation={estimation.data} />
        </Part>
      </div>
    </>
  );
}
