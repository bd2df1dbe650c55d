import { Link } from "@tanstack/react-router";
import { Fragment } from "react";
import type { ActivityEntry } from "../../../../contract/endpoints/activity.ts";
import table from "../../ui/lists/table.module.css";
import { Ago } from "../../ui/numbers/ago.tsx";
import { Delta } from "../../ui/numbers/delta.tsx";
import { formatAgo, formatDay } from "../../ui/numbers/format.ts";
import { Person } from "../../ui/person.tsx";
import styles from "./activity.module.css";
import { byDay, type News } from "./days.ts";
import { activityTexts as t } from "./texts.ts";

const { columns } = t;

interface ActivityTableProps {
  readonly estimationId: string;
  readonly entries: readonly ActivityEntry[];
  readonly news: News;
}

/** The entries by day, with a line between what is new to the reader and the rest. */
export function ActivityTable({ estimationId, entries, news }: ActivityTableProps) {
  // The newest one below the line: the number that was seen last may be there no more.
  const lineAbove = news.line === null ? undefined : entries.find(({ number }) => number <= (news.line ?? 0));
  return (
    <table className={table.table}>
      <thead>
        <tr>
          {Object.entries(columns).map(([name, column]) => (
            <th key={name} scope="col" className={name === "hours" ? "number" : undefined}>
              {column}
            </th>
          ))}
        </tr>
      </thead>
      {byDay(entries, formatDay).map((day) => (
        <tbody key={day.name}>
          <tr className={styles.day}>
            <th scope="rowgroup" colSpan={5}>
              {dayName(day.name)}
            </th>
          </tr>
          {day.entries.map((entry) => (
            <Fragment key={entry.number}>
              {entry === lineAbove && (
                <tr className={styles.line}>
                  <td colSpan={5}>
                    <span aria-hidden="true">↑ </span>
                    {t.since}
                  </td>
                </tr>
              )}
              <Entry estimationId={estimationId} entry={entry} isContinued={news.continued.has(entry.number)} />
            </Fragment>
          ))}
        </tbody>
      ))}
    </table>
  );
}

/** Returns the name of a day: a date, but of the last two in words. */
function dayName(date: string): string {
  const now = new Date();
  if (date === formatDay(now.toISOString())) return t.today;
  now.setDate(now.getDate() - 1);
  return date === formatDay(now.toISOString()) ? t.yesterday : date;
}

interface EntryProps {
  readonly estimationId: string;
  readonly entry: ActivityEntry;
  readonly isContinued: boolean;
}

function Entry({ estimationId, entry, isContinued }: EntryProps) {
  const { kind, person, edits, hoursDelta, startedAt, endedAt, subject } = entry;
  // An entry stands where it began: with the time of its last edit, what others did meanwhile would seem out of order.
  const last = formatAgo(endedAt);
  const isLater = last !== formatAgo(startedAt);
  const notes = [
    edits > 1 && t.times(edits),
    isLater && t.last(last),
    t.invited(subject),
    isContinued && t.continued,
  ].filter(Boolean);
  return (
    <tr className={styles.entry}>
      <td>
        <Person name={person.name} />
      </td>
      <td className={table.main}>
        {t.did[kind]}
        {notes.length > 0 && <span className={styles.note}> · {notes.join(" · ")}</span>}
      </td>
      <td className="number" data-label={columns.hours}>
        {hoursDelta !== null && <Delta hours={hoursDelta} />}
      </td>
      <td className={table.short}>
        <Ago at={startedAt} isStop={!hasLink(entry)} />
      </td>
      <td>
        <EntryLink id={estimationId} entry={entry} />
      </td>
    </tr>
  );
}

interface EntryLinkProps {
  readonly id: string;
  readonly entry: ActivityEntry;
}

const hasLink = ({ before, subject: { versionId, reviewId, roundId, threadId, exportId } }: ActivityEntry): boolean =>
  Boolean(before || versionId || reviewId || roundId || threadId || exportId);

/** Leads to what an entry is about: first to the comparison of the versions from before and after it, where there are some. */
function EntryLink({ id, entry: { before, after, subject } }: EntryLinkProps) {
  const { versionId, reviewId, roundId, threadId, exportId } = subject;
  const from = before ?? versionId;
  if (from) {
    // What nobody has made a version of since is what is there now.
    const to = before === null ? undefined : (after ?? undefined);
    return (
      <Link to="/estimations/$id/compare" params={{ id }} search={{ from, to }}>
        {to === undefined ? t.compare : t.compareBoth}
      </Link>
    );
  }
  if (reviewId) {
    return (
      <Link to="/estimations/$id/reviews/$reviewId" params={{ id, reviewId }}>
        {t.review}
      </Link>
    );
  }
  if (roundId) {
    return (
      <Link to="/estimations/$id/rounds/$roundId" params={{ id, roundId }}>
        {t.round}
      </Link>
    );
  }
  if (threadId) {
    return (
      <Link to="/estimations/$id/versions" params={{ id }} search={{ thread: threadId }}>
        {t.thread}
      </Link>
    );
  }
  if (!exportId) return null;
  return (
    <Link to="/estimations/$id/tasks" params={{ id }}>
      {t.tasks}
    </Link>
  );
}
