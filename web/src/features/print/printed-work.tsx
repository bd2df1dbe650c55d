import { useMemo } from "react";
import { LoadFailure } from "../../ui/load-failure.tsx";
import { formatDay, formatExactHours, formatPercent } from "../../ui/numbers/format.ts";
import { rowsOf } from "../timeline/rows.ts";
import { timelineTexts } from "../timeline/texts.ts";
import styles from "./print.module.css";
import { PrintedTable } from "./printed-table.tsx";
import { printTexts as t } from "./texts.ts";
import type { Work } from "./use-work.ts";

const { columns, figures, due, later, done, dropped } = timelineTexts;
const DATES = ["planned", "p50", "p80", "p95"] as const;
const INDENT = 13;

/** The milestones with how likely each is; nothing where there are none. */
export function PrintedMilestones({ milestones }: Pick<Work, "milestones">) {
  const { data } = milestones;
  if (data === undefined) return <Missing query={milestones} />;
  if (data.length === 0) return null;
  return (
    <PrintedTable
      title={t.parts.milestones}
      columns={[t.milestone]}
      figures={[due, t.likely, ...DATES.map((name) => figures[name])]}
    >
      {data
        .toSorted((one, other) => (one.dueDate < other.dueDate ? -1 : 1))
        .map(({ id, title, dueDate, forecast }) => (
          <tr key={id}>
            <th scope="row">{title}</th>
            <td className="number">{formatDay(dueDate)}</td>
            <td className="number">{forecast && formatPercent(forecast.probability)}</td>
            {DATES.map((name) => {
              const date = forecast?.[name];
              return (
                <td key={name} className="number">
                  {forecast && (date ? formatDay(date) : later)}
                </td>
              );
            })}
          </tr>
        ))}
    </PrintedTable>
  );
}

/** The open tasks, with when each is worked on where that is scheduled; nothing where there are none. */
export function PrintedTasks({ tasks, timeline }: Pick<Work, "tasks" | "timeline">) {
  const rows = useMemo(() => rowsOf(tasks.data ?? [], timeline.data?.items ?? []), [tasks.data, timeline.data]);
  if (tasks.data === undefined) return <Missing query={tasks} />;
  if (tasks.data.length === 0) return null;
  if (timeline.data === undefined) return <Missing query={timeline} />;
  const hoursOf = new Map(tasks.data.map(({ id, hours }) => [id, hours]));
  const isScheduled = rows.some(({ start }) => start !== null);
  const hasRoles = rows.some(({ role }) => role !== null);
  return (
    <PrintedTable
      title={t.parts.tasks}
      columns={[columns.title, ...(hasRoles ? [columns.role] : [])]}
      figures={[t.hours, ...(isScheduled ? [columns.start, columns.end] : [])]}
    >
      {rows.map(({ id, title, role, depth, isGroup, isDone, isDropped, start, end }) => {
        const hours = hoursOf.get(id) ?? null;
        return (
          <tr key={id} className={isGroup ? `${styles.node} ${styles.above}` : undefined}>
            <th scope="row" style={{ paddingLeft: depth * INDENT }}>
              {title} {isDone && <small>{done}</small>}
              {isDropped && <small>{dropped}</small>}
            </th>
            {hasRoles && <td className={styles.role}>{role}</td>}
            <td className="number">{hours !== null && formatExactHours(hours)}</td>
            {isScheduled && (
              <>
                <td className="number">{start && formatDay(start)}</td>
                <td className="number">{end && formatDay(end)}</td>
              </>
            )}
          </tr>
        );
      })}
    </PrintedTable>
  );
}

/** What is printed in place of something that is not there yet, or could not be loaded. */
const Missing = ({ query }: { readonly query: Work["tasks" | "milestones" | "timeline"] }) =>
  query.isLoading ? <p className="muted">{t.loading}</p> : <LoadFailure query={query} />;
