import type { TaskAccuracy } from "../../../../contract/endpoints/accuracy.ts";
import table from "../../ui/lists/table.module.css";
import { TableHead } from "../../ui/lists/table-head.tsx";
import { dayFormat, formatCount } from "../../ui/numbers/format.ts";
import styles from "./charts.module.css";
import { accuracyTexts, formatFactor } from "./texts.ts";

const t = accuracyTexts.months;
const HEIGHT = 260;
/** Around the drawing, for the scales. */
const [LEFT, BELOW, ABOVE] = [40, 40, 8];
/** Of one month; fewer months are as wide as the least. */
const [STEP, LEAST] = [36, 10];
const TICKS = [0.125, 0.25, 0.5, 1, 2, 4, 8];

const monthName = dayFormat({ month: "short", year: "numeric" });
const shortName = dayFormat({ month: "narrow" });
const yearName = dayFormat({ year: "numeric" });
const dayOf = (month: string) => Date.parse(`${month}-01T00:00:00Z`);
const indexOf = (month: string) => Number(month.slice(0, 4)) * 12 + Number(month.slice(5));

type Month = TaskAccuracy["months"][number];
interface Drawn extends Month {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}
const isDrawn = (month: Month): month is Drawn => month.low !== null;

/** The median of actual by estimated hours in each month, with its interval. Months of few tasks are only in the table. */
export function Months({ months }: { readonly months: TaskAccuracy["months"] }) {
  const drawn = months.filter(isDrawn);
  const few = months.length - drawn.length;
  return (
    <section className={styles.part}>
      <h2>{t.title}</h2>
      {drawn.length === 0 ? (
        <p className="muted">{t.none}</p>
      ) : (
        <>
          <p className="muted">
            {t.how} {few > 0 && t.few(few)}
          </p>
          <Diagram months={drawn} />
        </>
      )}
      <details className={styles.details}>
        <summary>{accuracyTexts.asTable}</summary>
        <table className={table.table} aria-label={t.title}>
          <TableHead columns={t.columns} />
          <tbody>
            {months.map(({ month, n, median, low, high }) => (
              <tr key={month}>
                <td className={table.main}>{monthName(dayOf(month))}</td>
                <td data-label={t.columns[1]}>{formatCount(n)}</td>
                <td data-label={t.columns[2]}>{low === null || median === null ? "–" : formatFactor(median)}</td>
                <td data-label={t.columns[3]}>
                  {low === null || high === null
                    ? accuracyTexts.unknown
                    : accuracyTexts.between(formatFactor(low), formatFactor(high))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  );
}

function Diagram({ months }: { readonly months: readonly Drawn[] }) {
  const indexes = months.map(({ month }) => indexOf(month));
  const [first, last] = [Math.min(...indexes), Math.max(...indexes)];
  const count = Math.max(last - first + 1, LEAST);
  const width = count * STEP;
  // A factor of 2 is as far above 1 as a half is below, so the scale is one of logarithms.
  const most = Math.max(2, ...months.map(({ low, high }) => Math.max(high, 1 / Math.max(low, 0.125)))) * 1.1;
  const reach = Math.log(Math.min(most, 9));
  const x = (month: string) => LEFT + (indexOf(month) - first + 0.5) * STEP;
  const y = (ratio: number) => {
    const part = Math.min(Math.max(Math.log(ratio) / reach, -1), 1);
    return ABOVE + ((1 - part) / 2) * HEIGHT;
  };
  return (
    <svg
      className={styles.wide}
      viewBox={`0 0 ${LEFT + width + 8} ${ABOVE + HEIGHT + BELOW}`}
      aria-hidden="true"
      data-chart="months"
    >
      {TICKS.filter((ratio) => Math.abs(Math.log(ratio)) <= reach).map((ratio) => (
        <g key={ratio}>
          <path className={ratio === 1 ? styles.right : styles.grid} d={`M${LEFT} ${y(ratio)}H${LEFT + width}`} />
          <text className={styles.label} x={LEFT - 6} y={y(ratio) + 4} textAnchor="end">
            {formatFactor(ratio)}
          </text>
        </g>
      ))}
      <path className={styles.line} d={`M${months.map(({ month, median }) => `${x(month)} ${y(median)}`).join("L")}`} />
      {months.map(({ month, median, low, high }, at) => (
        <g key={month}>
          <path className={styles.bar} d={`M${x(month)} ${y(low)}V${y(high)}`} />
          <circle className={styles.point} cx={x(month)} cy={y(median)} r={4} />
          <text className={styles.label} x={x(month)} y={ABOVE + HEIGHT + 16} textAnchor="middle">
            {shortName(dayOf(month))}
          </text>
          {(month.endsWith("-01") || at === months.length - 1) && (
            <text className={styles.label} x={x(month)} y={ABOVE + HEIGHT + 32} textAnchor="middle">
              {yearName(dayOf(month))}
            </text>
          )}
        </g>
      ))}
    </svg>
  );
}
