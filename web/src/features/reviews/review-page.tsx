import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { api } from "../../api/client.ts";
import { useSession } from "../../api/session.ts";
import { FailedPage } from "../../ui/failed-page.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { SkeletonRows } from "../../ui/lists/skeleton-rows.tsx";
import { Ago } from "../../ui/numbers/ago.tsx";
import { useTitle } from "../../ui/use-title.ts";
import styles from "./review-page.module.css";
import { reviewTexts } from "./texts.ts";

const t = reviewTexts.review;

/** Where mails about a review lead: what it is about, what was decided, and the way to the estimation. */
export function ReviewPage() {
  const params = useParams({ from: "/signed-in/estimations/$id/reviews/$reviewId" });
  const session = useSession();
  const query = useQuery({
    queryKey: ["review", params.reviewId],
    queryFn: async () => (await api.getReview({ params })).data.review,
  });
  const review = query.data;
  useTitle(review?.estimationTitle);
  if (review === undefined) return query.error ? <FailedPage error={query.error} /> : <SkeletonRows rows={3} />;
  const { estimationTitle, requester, reviewer, status, version, note, stale, requestedAt, decidedAt } = review;
  return (
    <article className={styles.page}>
      <p className="muted">{t.title}</p>
      <h1>{estimationTitle}</h1>
      <p>
        {reviewer.id === session?.userId ? t.askedYou(requester.name) : t.asked(reviewer.name, requester.name)}{" "}
        <span className="muted">
          <Ago at={requestedAt} />
        </span>
      </p>
      {note !== null && <blockquote className={styles.note}>{note}</blockquote>}
      <p>
        {t.version(version.number)} {stale && t.stale}
      </p>
      <p>
        <strong>{t.statuses[status]}</strong>{" "}
        {decidedAt !== null && (
          <span className="muted">
            <Ago at={decidedAt} />
          </span>
        )}
      </p>
      <LinkButton to="/estimations/$id" params={{ id: params.id }} className={styles.open}>
        {t.open}
      </LinkButton>
    </article>
  );
}
