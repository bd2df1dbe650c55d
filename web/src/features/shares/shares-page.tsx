import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import type { Estimation } from "../../../../contract/endpoints/estimations.ts";
import type { Share } from "../../../../contract/endpoints/shares.ts";
import type { First } from "../../app/first.ts";
import { FailedPage } from "../../ui/failed-page.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { MoreRows } from "../../ui/lists/more-rows.tsx";
import { SkeletonRows } from "../../ui/lists/skeleton-rows.tsx";
import { LoadFailure } from "../../ui/load-failure.tsx";
import { Message } from "../../ui/message.tsx";
import { useTitle } from "../../ui/use-title.ts";
import { ClientLinks } from "../client-links/client-links.tsx";
import { linksQuery } from "../client-links/queries.ts";
import { estimationQuery } from "../estimations/queries.ts";
import { mayEdit } from "../estimations/rights.ts";
import { EstimationHead } from "../states/estimation-head.tsx";
import { InviteForm } from "./invite-form.tsx";
import { sharesQuery } from "./queries.ts";
import { ShareTable } from "./share-table.tsx";
import styles from "./shares.module.css";
import { TeamForm } from "./team-form.tsx";
import { shareTexts } from "./texts.ts";

const t = shareTexts.shares;

export const first: First = ({ params: { id } }) => [estimationQuery(id), sharesQuery(id), linksQuery(id)];

/** Shows the owner who may see the estimation, and the owner and editors its links for clients. */
export function SharesPage() {
  const { id } = useParams({ from: "/frame/signed-in/estimations/$id/shares" });
  const { data: estimation, error, refetch } = useQuery(estimationQuery(id));
  useTitle(estimation && t.title(estimation.title));
  if (estimation === undefined) {
    return error ? <FailedPage error={error} onRetry={() => void refetch()} /> : <SkeletonRows rows={6} />;
  }
  return (
    <>
      <EstimationHead estimation={estimation} />
      {estimation.access === "owner" ? (
        <Shares key={id} estimation={estimation} />
      ) : (
        <Message title={t.forbiddenTitle} text={estimation.viaTeam ? t.viaTeam(estimation.viaTeam.name) : t.forbidden}>
          <LinkButton to="/shared">{t.toShared}</LinkButton>
        </Message>
      )}
      {mayEdit(estimation) && <ClientLinks key={`links of ${id}`} estimationId={id} />}
    </>
  );
}

function Shares({ estimation }: { readonly estimation: Estimation }) {
  const list = useInfiniteQuery(sharesQuery(estimation.id));
  const [corrected, setCorrected] = useState<Share | null>(null);
  const shares = list.data?.pages.flatMap((page) => page.shares) ?? [];
  return (
    <div className={styles.page}>
      <InviteForm key={corrected?.id} estimationId={estimation.id} corrected={corrected} />
      {list.isSuccess && <TeamForm estimationId={estimation.id} shares={shares} />}
      <LoadFailure query={list} />
      {list.isPending && <SkeletonRows rows={4} />}
      {list.isSuccess && <ShareTable estimation={estimation} shares={shares} onCorrect={setCorrected} />}
      {list.hasNextPage && <MoreRows counted={shareTexts.counted(shares.length)} list={list} />}
    </div>
  );
}
