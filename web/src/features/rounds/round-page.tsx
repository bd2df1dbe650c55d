import { skipToken, useQuery, useQueryClient } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useEffect } from "react";
import { isRefusal } from "../../api/failure.ts";
import { keys } from "../../api/keys.ts";
import { useSession } from "../../api/session.ts";
import type { First } from "../../app/first.ts";
import { FailedPage } from "../../ui/failed-page.tsx";
import { SkeletonRows } from "../../ui/lists/skeleton-rows.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Part } from "../../ui/part.tsx";
import { useTitle } from "../../ui/use-title.ts";
import { estimationQuery } from "../estimations/queries.ts";
import { later } from "../live/later.ts";
import { EstimationHead } from "../states/estimation-head.tsx";
import { NotSent } from "./not-sent.tsx";
import { OpenView } from "./open-view.tsx";
import { roundOptionsQuery, roundQuery, roundTreeQuery } from "./queries.ts";
import { RevealView } from "./reveal-view.tsx";
import { RoundHead } from "./round-head.tsx";
import { roundTexts } from "./texts.ts";

const LiveRound = later(async () => (await import("./live-round.tsx")).LiveRound);

export const first: First = ({ params: { id, roundId } }) => [roundQuery(id, roundId), estimationQuery(id)];

/** One round: people estimate apart, then see each other's ranges. Mails lead here. */
export function RoundPage() {
  const { id, roundId } = useParams({ from: "/frame/signed-in/estimations/$id/rounds/$roundId" });
  const userId = useSession()?.userId ?? "";
  const estimation = useQuery(estimationQuery(id));
  const query = useQuery(roundQuery(id, roundId));
  const round = query.data;
  const options = useQuery(
    round ? roundOptionsQuery(id, roundId, round.status) : { queryKey: keys.rounds(), queryFn: skipToken },
  );
  const tree = useQuery(
    round?.status === "open"
      ? roundTreeQuery(id, round.version.id)
      : { queryKey: keys.rounds("tree"), queryFn: skipToken },
  );
  useTitle(round && roundTexts.pageTitle(round.number, round.estimationTitle));
  useRoundsReread(id, round?.status);
  // Access may end while the page is open.
  const failed = [query, estimation, options].find(
    ({ data, error }) => error !== null && (data === undefined || isRefusal(error, "not_found")),
  );
  if (failed) return <FailedPage error={failed.error} onRetry={() => void failed.refetch()} />;
  if (!round || !estimation.data) return <SkeletonRows rows={10} />;
  // The number of those who have answered is live: with who is here at that moment, it would tell who they are.
  const isHidden = round.status === "open" && round.you !== null;
  const isShown = round.revealedAt !== null;
  return (
    <>
      <EstimationHead estimation={estimation.data} isHidden={isHidden} />
      <RoundHead round={round} estimation={estimation.data} userId={userId} options={options.data} />
      {options.data && round.status !== "open" && (
        <NotSent key={roundId} round={round} options={options.data} userId={userId} />
      )}
      {!options.data ? (
        <SkeletonRows rows={8} />
      ) : round.status === "open" ? (
        <OpenView key={roundId} round={round} options={options.data} tree={tree.data} />
      ) : isShown ? (
        <RevealView key={roundId} round={round} options={options.data} estimation={estimation.data} userId={userId} />
      ) : (
        <Notice kind="info">{roundTexts.closedUnseen}</Notice>
      )}
      {!isHidden && (
        <Part>
          <LiveRound id={id} roundId={roundId} />
        </Part>
      )}
    </>
  );
}

/** Has the lists of rounds read again once this one has changed its status. */
function useRoundsReread(id: string, status: string | undefined): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (status === undefined) return;
    for (const queryKey of [keys.rounds(id, "list"), keys.rounds(id, "adopted"), keys.reviews])
      void queries.invalidateQueries({ queryKey, refetchType: "active" });
  }, [queries, id, status]);
}
