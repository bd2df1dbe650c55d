import type { ReactNode } from "react";
import type { ThreePoint } from "../../../../contract/values/tree.ts";
import { rangeOf } from "../../../../domain/rounds/agreement.ts";
import table from "../../ui/lists/table.module.css";
import { formatExactHours } from "../../ui/numbers/format.ts";
import { pointsText } from "../trees/marked/value-text.ts";
import styles from "./ranges-table.module.css";
import { placeOn, type Scale, scaleOf } from "./scale.ts";
import { roundTexts } from "./texts.ts";

const t = roundTexts.reveal;

/** A range with whose it is. */
export interface RangeRow {
  readonly key: string;
  readonly who: ReactNode;
  readonly points: ThreePoint;
  readonly note: string | null;
  /** What all say together, and what was there before, stand apart from what people said. */
  readonly kind: "person" | "outlier" | "sum" | "before";
  /** What can be done with it, or was. */
  readonly action: ReactNode;
}

interface TableProps {
  /** What the ranges are of. */
  readonly label: string;
  readonly rows: readonly RangeRow[];
  /** Whether there are columns for why, and for what can be done. */
  readonly hasNotes: boolean;
  readonly hasActions: boolean;
}

/** Ranges under each other on one scale. */
export function RangesTable({ label, rows, hasNotes, hasActions }: TableProps) {
  const scale = scaleOf(rows.flatMap(({ points }) => [points.optimistic, points.pessimistic]));
  return (
    <table className={`${table.table} ${styles.ranges}`} aria-label={label}>
      <thead>
        <tr>
          <th scope="col">{t.columns.who}</th>
          <th scope="col" className={styles.scale}>
            <span className="unseen">{t.columns.scale}</span>
            <Axis scale={scale} />
          </th>
          <th scope="col" className={`number ${styles.points}`}>
            {t.columns.range}
          </th>
          {hasNotes && <th scope="col">{t.columns.why}</th>}
          {hasActions && (
            <th scope="col" className={styles.adopt}>
              <span className="unseen">{t.columns.adopt}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, who, points, note, kind, action }) => (
          <tr key={key} className={styles[kind]}>
            <td className={table.main}>{who}</td>
            <td className={styles.scale}>
              <Bar points={points} scale={scale} />
            </td>
            <td className={`number ${styles.points}`}>{pointsText(points)}</td>
            {hasNotes && <td className={styles.note}>{note}</td>}
            {hasActions && <td className={table.actions}>{action}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const percent = (share: number): string => `${100 * share}%`;

const Axis = ({ scale }: { readonly scale: Scale }) => (
  <span className={styles.axis} aria-hidden="true">
    {scale.ticks.map((hours) => (
      <span key={hours} style={{ left: percent(placeOn(scale, hours)) }}>
        {formatExactHours(hours)}
      </span>
    ))}
  </span>
);

/** A range: a line from its low to its high hours, a box where 8 of 10 cases are, a dot at the likely hours. */
function Bar({ points, scale }: { readonly points: ThreePoint; readonly scale: Scale }) {
  const { optimistic, likely, pessimistic } = points;
  const most = rangeOf(points);
  const from = (low: number, high: number) => ({
    left: percent(placeOn(scale, low)),
    width: percent(placeOn(scale, high) - placeOn(scale, low)),
  });
  return (
    <span className={styles.track} aria-hidden="true">
      {scale.ticks.map((hours) => (
        <span key={hours} className={styles.tick} style={{ left: percent(placeOn(scale, hours)) }} />
      ))}
      <span className={styles.line} style={from(optimistic, pessimistic)} />
      <span className={styles.box} style={from(most.low, most.high)} />
      <span className={styles.dot} style={{ left: percent(placeOn(scale, likely)) }} />
    </span>
  );
}
