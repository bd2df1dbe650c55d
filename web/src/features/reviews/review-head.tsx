import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import type { Estimation } from "../../../../contract/endpoints/estimations.ts";
import type { Review } from "../../../../contract/endpoints/reviews.ts";
import { api } from "../../api/client.ts";
import { failureText, isRefusal } from "../../api/failure.ts";
import { Confirm } from "../../ui/confirm.tsx";
import { Notice, NoticeButton } from "../../ui/notice.tsx";
import { Ago } from "../../ui/numbers/ago.tsx";
import { reloadReview } from "./queries.ts";
import styles from "./review-page.module.css";
import { reviewTexts } from "./texts.ts";

const t = reviewTexts.review;

interface HeadProps {
  readonly review: Review;
  readonly estimation: Estimation;
  readonly userId: string;
}

/** Who asked whom about which version, what was decided, and how the review goes on or ends. */
export function ReviewHead({ review, estimation, userId }: HeadProps) {
  const { id: reviewId, estimationId: id, requester, reviewer, status, version, note, requestedAt, decidedAt } = review;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [isEnding, setEnding] = useState(false);
  const isReviewer = reviewer.id === userId;
  const isOwner = estimation.access === "owner";
  const end = useMutation({
    mutationFn: () =>
      isReviewer ? api.declineReview({ params: { id, reviewId } }) : api.withdrawReview({ params: { id, reviewId } }),
    onSuccess: async () => {
      setEnding(false);
      // Who declined cannot see it any more.
      if (isReviewer) await navigate({ to: "/reviews" });
      await reloadReview(queries, id, reviewId);
    },
  });
  const again = useMutation({
    mutationFn: () =>
      api.requestReview({
        params: { id },
        headers: { "if-match": `"${estimation.revision}"` },
        body: { reviewerId: reviewer.id },
      }),
    onSettled: () => reloadReview(queries, id, reviewId),
  });
  const isStanding = status !== "withdrawn";
  /** Since when it has its status; null where it waits. */
  const since = review.withdrawnAt ?? decidedAt;
  // A status that is a verdict says it already.
  const judged = status === "pending" || !isStanding ? review.judgedVersion : null;
  return (
    <header className={styles.head}>
      <div className={styles.line1}>
        <h2>{t.of(version.number)}</h2>
        <strong className={styles[status]}>{t.statuses[status]}</strong>
        {since && (
          <span className="muted">
            <Ago at={since} isStop />
          </span>
        )}
        {isStanding && (isOwner || isReviewer) && (
          <span className={styles.ends}>
            <Button variant="default" size="compact-sm" onClick={() => setEnding(true)}>
              {isReviewer ? t.decline : t.withdraw}
            </Button>
          </span>
        )}
      </div>
      <p className="muted">
        {isReviewer
          ? t.askedYou(requester.name)
          : requester.id === userId
            ? t.youAsked(reviewer.name)
            : t.asked(reviewer.name, requester.name)}
        , <Ago at={requestedAt} isStop />
      </p>
      {judged && (
        <p className="muted">
          {t.judged[judged.verdict](isReviewer ? t.you : reviewer.name, judged.number)},{" "}
          <Ago at={judged.decidedAt} isStop />
        </p>
      )}
      {note !== null && <blockquote className={styles.note}>{note}</blockquote>}
      <Moved number={version.number} isOwnReview={isReviewer} />
      {isStanding && !isReviewer && review.undeliveredAt !== null && (
        <Notice kind="warn">
          {t.undelivered(reviewer.name)} <Ago at={review.undeliveredAt} isStop />
        </Notice>
      )}
      {!isStanding && <Notice kind="info">{t.withdrawn}</Notice>}
      {isStanding && review.stale && estimation.reviewStale && (
        <Notice
          kind="warn"
          action={
            isOwner ? (
              <NoticeButton onClick={() => again.isPending || again.mutate()}>{t.again}</NoticeButton>
            ) : (
              <Link to="/estimations/$id" params={{ id }}>
                {t.current}
              </Link>
            )
          }
        >
          {isReviewer ? t.staleForReviewer : t.stale}
        </Notice>
      )}
      {again.isError && (
        <Notice kind="bad">
          {isRefusal(again.error, "revision_mismatch") ? t.changedAgain : failureText(again.error)}
        </Notice>
      )}
      {again.isSuccess && !review.stale && <Notice kind="good">{t.askedAgain}</Notice>}
      {isEnding && (
        <Confirm
          title={isReviewer ? t.declineTitle : t.withdrawTitle}
          text={isReviewer ? t.declineText(requester.name) : t.withdrawText(reviewer.name)}
          action={isReviewer ? t.decline : t.withdraw}
          request={end}
          onConfirm={() => end.mutate()}
          onClose={() => setEnding(false)}
        />
      )}
    </header>
  );
}

/** Says that the owner has asked again, about another version, while the page was open. */
function Moved({ number, isOwnReview }: { readonly number: number; readonly isOwnReview: boolean }) {
  const first = useRef(number);
  const [isSeen, setSeen] = useState(true);
  useEffect(() => {
    if (number !== first.current) setSeen(false);
    first.current = number;
  }, [number]);
  return isSeen || !isOwnReview ? null : <Notice kind="info">{t.moved(number)}</Notice>;
}
