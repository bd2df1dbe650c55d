import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { lazy } from "react";
import type { ReviewRole, StandingStatus } from "../../../../contract/endpoints/reviews.ts";
import { isRefusal } from "../../api/failure.ts";
import type { First } from "../../app/first.ts";
import { MoreRows } from "../../ui/lists/more-rows.tsx";
import { SkeletonRows } from "../../ui/lists/skeleton-rows.tsx";
import { LoadFailure } from "../../ui/load-failure.tsx";
import { Part } from "../../ui/part.tsx";
import { useTitle } from "../../ui/use-title.ts";
import { pendingSharesQuery } from "../shares/queries.ts";
import { myInvitationsQuery } from "../teams/queries.ts";
import { myReviewsQuery, waitingRoundsQuery } from "./queries.ts";
import { ReviewTable } from "./review-table.tsx";
import styles from "./reviews-page.module.css";
import { reviewTexts } from "./texts.ts";

const WaitingRounds = lazy(async () => ({ default: (await import("../rounds/waiting-rounds.tsx")).WaitingRounds }));

const t = reviewTexts.list;

const WAITING = ["pending"] as const;
const DECIDED = ["changes_requested", "approved"] as const;
const ALL = [...WAITING, ...DECIDED] as const;

export const first: First = () => [
  myReviewsQuery("reviewer", WAITING),
  waitingRoundsQuery,
  myReviewsQuery("requester", ALL),
  myReviewsQuery("reviewer", DECIDED),
  pendingSharesQuery,
  myInvitationsQuery,
];

/** What waits for the reader, what they asked for, and what they decided. */
export function ReviewsPage() {
  useTitle(t.title);
  return (
    <div className={styles.page}>
      <h1>{t.title}</h1>
      <Reviews label={t.waiting} none={t.noneWaiting} as="reviewer" statuses={WAITING} invited={useInvitations()} />
      <Reviews label={t.asked} none={t.noneAsked} as="requester" statuses={ALL} />
      <Reviews label={t.decided} none={t.noneDecided} as="reviewer" statuses={DECIDED} />
    </div>
  );
}

interface ReviewsProps {
  readonly label: string;
  /** Said where there is none. */
  readonly none: string;
  readonly as: ReviewRole;
  readonly statuses: readonly StandingStatus[];
  /** Invitations and rounds that stand above the list. */
  readonly invited?: ReturnType<typeof useInvitations>;
}

function Reviews({ label, none, as: role, statuses, invited }: ReviewsProps) {
  const list = useInfiniteQuery(myReviewsQuery(role, statuses));
  const reviews = list.data?.pages.flatMap((page) => page.reviews) ?? [];
  const isEmpty = list.isSuccess && reviews.length === 0;
  const isInvited =
    invited !== undefined && (invited.invitations.length + invited.rounds.length > 0 || invited.failed !== undefined);
  const isKnown = invited === undefined || invited.isKnown || isInvited;
  return (
    <section aria-label={label} className={styles.part}>
      <h2>{label}</h2>
      {invited && <Invitations {...invited} />}
      <LoadFailure query={list} />
      {(list.isPending || (isEmpty && !isKnown)) && <SkeletonRows rows={1} />}
      {isEmpty && isKnown && !isInvited && <p className="muted">{none}</p>}
      {reviews.length > 0 && <ReviewTable reviews={reviews} person={role === "reviewer" ? "requester" : "reviewer"} />}
      {list.hasNextPage && <MoreRows counted={t.counted(reviews.length)} list={list} />}
    </section>
  );
}

/** An invitation to an estimation, or to a team. */
interface Invitation {
  readonly id: string;
  readonly name: string;
  readonly inviter: string;
  /** Null for one to an estimation. */
  readonly teamId: string | null;
}

/** Returns the invitations and rounds that wait for the reader, whether all are known, and what could not be loaded. */
function useInvitations() {
  const asked = useInfiniteQuery(waitingRoundsQuery);
  const shares = useInfiniteQuery(pendingSharesQuery);
  const teams = useQuery({
    ...myInvitationsQuery,
    retry: (count, error) => count < 2 && !isRefusal(error, "forbidden"),
  });
  // Nothing can be shared with who has no verified address.
  const failed = [shares, teams, asked].find(({ error }) => error !== null && !isRefusal(error, "forbidden"));
  const isKnown = !shares.isPending && !teams.isPending && !asked.isPending && failed === undefined;
  const rounds = asked.data?.pages.flatMap((page) => page.rounds) ?? [];
  const toEstimations = shares.data?.pages
    .flatMap((page) => page.shares)
    .map(({ id, estimationTitle: name, sharerName: inviter }) => ({ id, name, inviter, teamId: null }));
  const toTeams = teams.data?.map(({ id, teamId, teamName: name, inviterName: inviter }) => ({
    id,
    name,
    inviter,
    teamId,
  }));
  const invitations: readonly Invitation[] = [...(toEstimations ?? []), ...(toTeams ?? [])];
  return { failed, shares, invitations, asked, rounds, isKnown };
}

function Invitations({ failed, shares, invitations, asked, rounds }: ReturnType<typeof useInvitations>) {
  return (
    <>
      {failed && <LoadFailure query={failed} />}
      {invitations.length > 0 && (
        <ul aria-label={t.invitations} className={styles.invitations}>
          {invitations.map(({ id, name, inviter, teamId }) => (
            <li key={id}>
              {teamId === null ? (
                <Link to="/shared">{name}</Link>
              ) : (
                <Link to="/teams/$id/invitation" params={{ id: teamId }}>
                  {name}
                </Link>
              )}{" "}
              <span className="muted">{teamId === null ? t.invitation(inviter) : t.teamInvitation(inviter)}</span>
            </li>
          ))}
        </ul>
      )}
      {shares.hasNextPage && <MoreRows counted={t.countedInvitations(invitations.length)} list={shares} />}
      {rounds.length > 0 && (
        <Part fallback={<SkeletonRows rows={1 + rounds.length} />}>
          <WaitingRounds rounds={rounds} list={asked} />
        </Part>
      )}
    </>
  );
}
