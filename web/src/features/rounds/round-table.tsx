import { Link } from "@tanstack/react-router";
import type { Round } from "../../../../contract/values/round.ts";
import table from "../../ui/lists/table.module.css";
import { TableHead } from "../../ui/lists/table-head.tsx";
import { Ago } from "../../ui/numbers/ago.tsx";
import styles from "./round-page.module.css";
import { roundTexts } from "./texts.ts";

const t = roundTexts.list;

interface TableProps {
  readonly rounds: readonly Round[];
  /** Whether all are of the estimation whose page it is. */
  readonly isOfOne?: boolean;
}

/** Rounds, each with the way to it. */
export const RoundTable = ({ rounds, isOfOne = false }: TableProps) => (
  <table className={table.table}>
    <TableHead
      columns={[
        ...(isOfOne ? [] : [t.columns.title]),
        t.columns.round,
        t.columns.status,
        t.columns.answered,
        t.columns.deadline,
        t.columns.since,
      ]}
    />
    <tbody>
      {rounds.map((round) => {
        const { id: roundId, estimationId: id, status, deadline } = round;
        const name = roundTexts.name(round.number, round.title);
        const link = (text: string) => (
          <Link to="/estimations/$id/rounds/$roundId" params={{ id, roundId }}>
            {text}
          </Link>
        );
        return (
          <tr key={roundId}>
            {!isOfOne && <td className={table.main}>{link(round.estimationTitle)}</td>}
            <td data-label={t.columns.round} className={isOfOne ? table.main : ""}>
              {isOfOne ? link(name) : name}
            </td>
            <td data-label={t.columns.status}>
              <span className={styles[status]}>{roundTexts.statuses[status]}</span>
            </td>
            <td data-label={t.columns.answered}>{t.answered(round.answered, round.participants.length)}</td>
            <td data-label={t.columns.deadline}>{status === "open" && deadline && <Ago at={deadline} />}</td>
            <td data-label={t.columns.since}>
              <Ago at={round.closedAt ?? round.revealedAt ?? round.openedAt} />
            </td>
          </tr>
        );
      })}
    </tbody>
  </table>
);
