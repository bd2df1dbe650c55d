import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import type { Estimation } from "../../../../contract/endpoints/estimations.ts";
import { useSession } from "../../api/session.ts";
import type { First } from "../../app/first.ts";
import { FailedPage } from "../../ui/failed-page.tsx";
import { MoreRows } from "../../ui/lists/more-rows.tsx";
import { SkeletonRows } from "../../ui/lists/skeleton-rows.tsx";
import { LoadFailure } from "../../ui/load-failure.tsx";
import { useTitle } from "../../ui/use-title.ts";
import { estimationQuery } from "../estimations/queries.ts";
import { EstimationHead } from "../states/estimation-head.tsx";
import { ActivityTable } from "./activity-table.tsx";
import { newestOf, newsSince } from "./days.ts";
import { keepLooked, lastLooked } from "./looked.ts";
import { activityQuery } from "./queries.ts";
import { activityTexts as t } from "./texts.ts";

export const first: First = ({ params: { id } }) => [estimationQuery(id), activityQuery(id)];

/** Who did what with an estimation, newest first. */
export function ActivityPage() {
  const { id } = useParams({ from: "/frame/signed-in/estimations/$id/activity" });
  const { data: estimation, error, refetch } = useQuery(estimationQuery(id));
  const userId = useSession()?.userId ?? "";
  useTitle(estimation && t.title(estimation.title));
  if (estimation === undefined) {
    return error ? <FailedPage error={error} onRetry={() => void refetch()} /> : <SkeletonRows rows={8} />;
  }
  return (
    <>
      <EstimationHead estimation={estimation} />
      <Activity key={`${userId} ${id}`} estimation={estimation} userId={userId} />
    </>
  );
}

interface ActivityProps {
  readonly estimation: Estimation;
  readonly userId: string;
}

function Activity({ estimation: { id }, userId }: ActivityProps) {
  const list = useInfiniteQuery(activityQuery(id));
  // What was new when the page was opened stays marked until it is left.
  const [looked] = useState(() => lastLooked(userId, id));
  const entries = list.data?.pages.flatMap((page) => page.activity) ?? [];
  const newest = newestOf(entries);
  const { number, at } = newest ?? {};
  useEffect(() => {
    if (number !== undefined && at !== undefined) keepLooked(userId, id, { number, at });
  }, [userId, id, number, at]);
  return (
    <>
      <LoadFailure query={list} />
      {list.isPending && <SkeletonRows rows={8} />}
      {entries.length > 0 && (
        <>
          <ActivityTable estimationId={id} entries={entries} news={newsSince(looked, entries, userId)} />
          <MoreRows counted={t.counted(entries.length)} list={list} />
        </>
      )}
    </>
  );
}
