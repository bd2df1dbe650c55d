import { useNavigate, useSearch } from "@tanstack/react-router";
import type { Waterfall } from "../../../../domain/compare/waterfall.ts";
import { Choice } from "../../ui/choice.tsx";
import table from "../../ui/lists/table.module.css";
import { Delta } from "../../ui/numbers/delta.tsx";
import page from "../trees/marked/marked-page.module.css";
import { axisStart, barsOf, nameOf, type Which, writtenHours } from "./bars.ts";
import styles from "./compare.module.css";
import { compareTexts } from "./texts.ts";

const t = compareTexts.waterfall;

const ROW = 24;
const LABEL = 150;
const BAR = 220;
const VALUE = 62;

/** From the hours before to the hours after, a bar for each question that changes them; also as a table. */
export function WaterfallChart({ waterfall }: { readonly waterfall: Waterfall }) {
  const which: Which = useSearch({ strict: false, select: ({ hours }) => hours }) === "expected" ? "expected" : "p80";
  const navigate = useNavigate();
  const setWhich = (next: Which): void =>
    void navigate({
      to: ".",
      search: (search) => ({ ...search, hours: next === "p80" ? undefined : next }),
      hash: true,
      replace: true,
      resetScroll: false,
      hashScrollIntoView: false,
    });
  const bars = barsOf(waterfall, which);
  const [expected, p80] = [writtenHours(waterfall, "expected"), writtenHours(waterfall, "p80")];
  const least = axisStart(bars);
  const most = Math.max(least + 1, ...bars.flatMap(({ start, end }) => [start, end]));
  const x = (hours: number) => LABEL + ((Math.max(hours, least) - least) / (most - least)) * BAR;
  return (
    <section aria-label={t.title} className={styles.waterfall}>
      <h2>{t.title}</h2>
      <Choice label={t.of} options={t.which} value={which} onChange={setWhich} />
      <svg viewBox={`0 0 ${LABEL + BAR + VALUE} ${bars.length * ROW}`} aria-hidden="true" className={styles.chart}>
        {bars.map(({ key, title, start, end, written, kind }, row) => {
          const [left, right] = [x(Math.min(start, end)), x(Math.max(start, end))];
          const y = row * ROW;
          return (
            <g key={key} className={styles[kind]}>
              <title>{title}</title>
              <text x={0} y={y + 16} className={styles.label}>
                {title.length > 24 ? `${title.slice(0, 23)}…` : title}
              </text>
              <rect x={left} y={y + 4} width={Math.max(1, right - left)} height={ROW - 8} rx={2} />
              {kind === "total" && least > 0 && (
                <path d={`M${left + 5} ${y + ROW - 2}l6 ${4 - ROW}`} className={styles.cut} />
              )}
              {row > 0 && (
                <path d={`M${x(kind === "total" ? end : start)} ${y - 4}V${y + 4}`} className={styles.link} />
              )}
              <text x={right + 6} y={y + 16} className={styles.value}>
                {kind === "total" ? t.hours(written) : t.step(written)}
              </text>
            </g>
          );
        })}
      </svg>
      {least > 0 && <p className="muted">{t.cut(least)}</p>}
      {which === "p80" && <p className="muted">{t.note}</p>}
      <details className={page.more}>
        <summary>{t.asTable}</summary>
        <table className={table.table}>
          <thead>
            <tr>
              <th scope="col">{t.columns.what}</th>
              <th scope="col" className="number">
                {t.columns.expected}
              </th>
              <th scope="col" className="number">
                {t.columns.p80}
              </th>
            </tr>
          </thead>
          <tbody>
            <TotalRow title={t.before} expected={expected.before} p80={p80.before} />
            {waterfall.steps.map((step) => (
              <tr key={step.nodeId ?? "correlation"}>
                <td className={table.main}>{nameOf(step)}</td>
                <td className="number" data-label={t.columns.expected}>
                  <Delta hours={expected.steps.get(step) ?? 0} />
                </td>
                <td className="number" data-label={t.columns.p80}>
                  <Delta hours={p80.steps.get(step) ?? 0} />
                </td>
              </tr>
            ))}
            <TotalRow title={t.after} expected={expected.after} p80={p80.after} />
          </tbody>
        </table>
      </details>
    </section>
  );
}

interface TotalProps {
  readonly title: string;
  readonly expected: number;
  readonly p80: number;
}

const TotalRow = ({ title, expected, p80 }: TotalProps) => (
  <tr>
    <td className={table.main}>{title}</td>
    <td className="number" data-label={t.columns.expected}>
      {t.hours(expected)}
    </td>
    <td className="number" data-label={t.columns.p80}>
      {t.hours(p80)}
    </td>
  </tr>
);
