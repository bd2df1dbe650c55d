import { type KeyboardEvent, memo, useRef, useState } from "react";
import { formatDay } from "../../ui/numbers/format.ts";
import styles from "./chart.module.css";
import type { Layout } from "./layout.ts";
import { dayOfDate } from "./scale.ts";
import { timelineTexts as t } from "./texts.ts";

interface MarksProps {
  readonly layout: Layout;
  readonly holidays: readonly string[];
  readonly names: ReadonlyMap<string, string>;
}

/**
 * What the days are called on which nobody works, as hints above their columns. One stop of the keyboard; arrow keys go from
 * day to day.
 */
export const HolidayMarks = memo(({ layout: { first, width, xOfDay, dayPx }, holidays, names }: MarksProps) => {
  const list = useRef<HTMLUListElement>(null);
  const [current, setCurrent] = useState(0);
  const marks = holidays.flatMap((date) => {
    const [name, day] = [names.get(date), dayOfDate(date)];
    return name === undefined || day < first || xOfDay(day) >= width ? [] : [{ date, day, name }];
  });
  if (marks.length === 0) return null;
  const stop = Math.min(current, marks.length - 1);
  const press = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    (list.current?.children[stop + step] as HTMLElement | undefined)?.focus();
  };
  return (
    <ul ref={list} className={styles.holidays} aria-label={t.holidays}>
      {marks.map(({ date, day, name }, at) => (
        <li
          key={date}
          style={{ left: xOfDay(day), width: dayPx }}
          data-hint={t.holiday(formatDay(date), name)}
          {...{ tabIndex: at === stop ? 0 : -1, onKeyDown: press }}
          onFocus={() => setCurrent(at)}
        >
          <span className="unseen">{t.holiday(formatDay(date), name)}</span>
        </li>
      ))}
    </ul>
  );
});
