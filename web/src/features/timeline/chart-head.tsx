import { memo, type Ref } from "react";
import type { Milestone } from "../../../../contract/endpoints/milestones.ts";
import { formatDay } from "../../ui/numbers/format.ts";
import styles from "./chart.module.css";
import { DateMark } from "./date-mark.tsx";
import { Distribution } from "./distribution.tsx";
import { HolidayMarks } from "./holiday-marks.tsx";
import type { Layout } from "./layout.ts";
import { dateOfDay } from "./scale.ts";
import { timelineTexts as t } from "./texts.ts";

interface HeadProps {
  readonly ref: Ref<HTMLDivElement>;
  readonly layout: Layout;
  readonly holidays: readonly string[];
  /** What they are called, by date, as far as it is known. */
  readonly holidayNames: ReadonlyMap<string, string> | null;
  readonly onMoveStart: ((date: string) => void) | null;
  readonly onMoveMilestone: ((milestone: Milestone, date: string) => void) | null;
}

/** The heads of the columns, and the days above the bars with the milestones. Scrolls sideways with the bars. */
export const ChartHead = memo(({ ref, layout, holidays, holidayNames, onMoveStart, onMoveMilestone }: HeadProps) => {
  const { axis, xOfDay, width, startDay, dayPx, marks } = layout;
  return (
    <div className={styles.head}>
      <div className={styles.columns} aria-hidden="true">
        <span>{t.columns.title}</span>
        <span>{t.columns.role}</span>
        <span>{t.columns.start}</span>
        <span>{t.columns.end}</span>
      </div>
      <div ref={ref} className={styles.axis}>
        <div className={styles.ticks} style={{ width }}>
          <svg width={width} height={64} aria-hidden="true">
            {axis.large.map(({ day, label }) => (
              <g key={day}>
                <path d={`M${xOfDay(day)} 0V20`} />
                <text x={Math.max(4, xOfDay(day) + 5)} y={14} className={styles.large}>
                  {label}
                </text>
              </g>
            ))}
            {axis.small.map(({ day, label }) => (
              <g key={day}>
                <path d={`M${xOfDay(day)} 20V38`} />
                <text x={xOfDay(day) + 4} y={33}>
                  {label}
                </text>
              </g>
            ))}
            {marks.map(({ milestone: { id }, range }) =>
              range ? (
                <path
                  key={id}
                  className={styles.range}
                  d={`M${range.left} 52H${Math.max(range.left + 2, range.right)}`}
                />
              ) : null,
            )}
          </svg>
          {holidayNames && layout.zoom === "weeks" && (
            <HolidayMarks layout={layout} holidays={holidays} names={holidayNames} />
          )}
          <DateMark
            kind="start"
            day={startDay}
            xOfDay={xOfDay}
            dayPx={dayPx}
            nameOf={(day) => t.startAt(formatDay(dateOfDay(day)))}
            onMove={onMoveStart && ((day) => onMoveStart(dateOfDay(day)))}
          />
          {marks.map(({ milestone, day }) => (
            <DateMark
              key={milestone.id}
              kind="milestone"
              day={day}
              // It is due at the end of the day.
              xOfDay={(at) => xOfDay(at + 1)}
              dayPx={dayPx}
              nameOf={(at) =>
                t.markOf(milestone.title, formatDay(dateOfDay(at)), milestone.forecast?.probability ?? null)
              }
              onMove={onMoveMilestone && ((to) => onMoveMilestone(milestone, dateOfDay(to)))}
            >
              <Distribution milestone={milestone} />
            </DateMark>
          ))}
        </div>
      </div>
    </div>
  );
});
