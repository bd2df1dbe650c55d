import { Link } from "@tanstack/react-router";
import type { Review } from "../../../../contract/endpoints/reviews.ts";
import table from "../../ui/lists/table.module.css";
import { TableHead } from "../../ui/lists/table-head.tsx";
import { Ago } from "../../ui/numbers/ago.tsx";
import { formatCount } from "../../ui/numbers/format.ts";
import { Person } from "../../ui/person.tsx";
import styles from "./review-page.module.css";
import { reviewTexts } from "./texts.ts";

const t = reviewTexts.list;

interface TableProps {
  readonly reviews: readonly Review[];
  /** Whose name stands beside each: the first of them is the link where the estimation is known. */
  readonly person: "reviewer" | "requester";
  /** Whether all are of the estimation whose page it is. */
  readonly isOfOne?: boolean;
}

/** Reviews, each with the way to it. */
export const ReviewTable = ({ reviews, person, isOfOne = false }: TableProps) => (
  <table className={table.table}>
    <TableHead
      columns={[
        ...(isOfOne ? [] : [t.columns.title]),
        t.columns[person],
        t.columns.version,
        t.columns.status,
        t.columns.since,
      ]}
    />
    <tbody>
      {reviews.map((review) => {
        const { id: reviewId, estimationId: id, estimationTitle, status, stale, version, requestedAt } = review;
        const link = (text: string) => (
          <Link to="/estimations/$id/reviews/$reviewId" params={{ id, reviewId }}>
            {text}
          </Link>
        );
        return (
          <tr key={reviewId}>
            {!isOfOne && <td className={table.main}>{link(estimationTitle)}</td>}
            <td data-label={t.columns[person]} className={isOfOne ? table.main : ""}>
              <Person name={review[person].name}>{isOfOne ? link(review[person].name) : undefined}</Person>
            </td>
            <td data-label={t.columns.version}>{formatCount(version.number)}</td>
            <td data-label={t.columns.status}>
              <span className={styles[status]}>{reviewTexts.review.statuses[status]}</span>
              {stale && `, ${t.stale}`}
            </td>
            <td data-label={t.columns.since}>
              <Ago at={review.withdrawnAt ?? review.decidedAt ?? requestedAt} />
            </td>
          </tr>
        );
      })}
    </tbody>
  </table>
);
