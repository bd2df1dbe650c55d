import type { TaskAccuracy } from "../../../../contract/endpoints/accuracy.ts";
import table from "../../ui/lists/table.module.css";
import { TableHead } from "../../ui/lists/table-head.tsx";
import { formatPercent } from "../../ui/numbers/format.ts";
import styles from "./charts.module.css";
import { accuracyTexts } from "./texts.ts";

const t = accuracyTexts.reliability;
const SIZE = 260;
/** Around the square, for the scales. */
const [LEFT, BELOW, ABOVE] = [48, 40, 8];
const TICKS = [0, 0.25, 0.5, 0.75, 1];

/** The reliability diagram of the ranges: the share of tasks that were done in time, by how likely that was said to be. */
export function Reliability({ points }: { readonly points: TaskAccuracy["reliability"] }) {
  return (
    <section className={styles.part}>
      <h2>{t.title}</h2>
      {points.length === 0 ? (
        <p className="muted">{t.none}</p>
      ) : (
        <>
          <p className="muted">{t.how}</p>
          <Diagram points={points} />
          <details className={styles.details}>
            <summary>{accuracyTexts.asTable}</summary>
            <table className={table.table} aria-label={t.title}>
              <TableHead columns={t.columns} />
              <tbody>
                {points.map(({ stated, observed, low, high }) => (
                  <tr key={stated}>
                    <td className={table.main}>{formatPercent(stated)}</td>
                    <td data-label={t.columns[1]}>{formatPercent(observed)}</td>
                    <td data-label={t.columns[2]}>{accuracyTexts.between(formatPercent(low), formatPercent(high))}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </details>
        </>
      )}
    </section>
  );
}

function Diagram({ points }: { readonly points: TaskAccuracy["reliability"] }) {
  const x = (share: number) => LEFT + share * SIZE;
  const y = (share: number) => ABOVE + (1 - share) * SIZE;
  return (
    <svg
      className={styles.square}
      viewBox={`0 0 ${LEFT + SIZE + 16} ${ABOVE + SIZE + BELOW}`}
      aria-hidden="true"
      data-chart="reliability"
    >
      {TICKS.map((share) => (
        <g key={share}>
          <path className={styles.grid} d={`M${x(0)} ${y(share)}H${x(1)}M${x(share)} ${y(0)}V${y(1)}`} />
          <text className={styles.label} x={x(0) - 6} y={y(share) + 4} textAnchor="end">
            {formatPercent(share)}
          </text>
          <text className={styles.label} x={x(share)} y={y(0) + 16} textAnchor="middle">
            {formatPercent(share)}
          </text>
        </g>
      ))}
      <text className={styles.label} x={x(0.5)} y={y(0) + 34} textAnchor="middle">
        {t.x}
      </text>
      <text className={styles.label} transform={`translate(11 ${y(0.5)}) rotate(-90)`} textAnchor="middle">
        {t.y}
      </text>
      <path className={styles.right} d={`M${x(0)} ${y(0)}L${x(1)} ${y(1)}`} />
      <path
        className={styles.line}
        d={`M${points.map(({ stated, observed }) => `${x(stated)} ${y(observed)}`).join("L")}`}
      />
      {points.map(({ stated, observed, low, high }) => (
        <g key={stated}>
          <path className={styles.bar} d={`M${x(stated)} ${y(low)}V${y(high)}`} />
          <circle className={styles.point} cx={x(stated)} cy={y(observed)} r={4} />
        </g>
      ))}
    </svg>
  );
}
