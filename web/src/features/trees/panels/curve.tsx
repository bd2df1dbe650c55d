import { memo, type PointerEvent, useState } from "react";
import { type Figures, shareBelow, spreadOf } from "../../../../../domain/tree/hours/distribution.ts";
import { formatHours, formatPercent } from "../../../ui/numbers/format.ts";
import { treeTexts } from "../texts.ts";
import styles from "./curve.module.css";
import { curveShape } from "./curve-shape.ts";

const WIDTH = 250;
const HEIGHT = 64;
/** Below the curve, for the hours. */
const AXIS = 24;
const MARKS = [
  ["p50", "end", -3],
  ["p80", "middle", 0],
  ["p95", "start", 3],
] as const;

/** How likely each total is: the density of the beta distribution that the percentiles beside it come from. */
export const Curve = memo(({ hours }: { readonly hours: Figures }) => {
  const [pointed, setPointed] = useState<number | null>(null);
  const { p50, p80 } = hours;
  const shape = curveShape(hours, WIDTH, HEIGHT);
  if (shape === null) return null;
  const { left, right, placeX, placeY, outline, area } = shape;
  const follow = ({ currentTarget, clientX }: PointerEvent<SVGSVGElement>) => {
    const { left: from, width } = currentTarget.getBoundingClientRect();
    setPointed(left + ((clientX - from) / width) * (right - left));
  };
  const at = pointed === null ? null : Math.min(Math.max(pointed, left), right);
  return (
    <svg
      className={styles.curve}
      viewBox={`0 0 ${WIDTH} ${HEIGHT + AXIS}`}
      aria-hidden="true"
      onPointerMove={follow}
      onPointerLeave={() => setPointed(null)}
    >
      <rect className={styles.all} width={WIDTH} height={HEIGHT} />
      <path className={styles.likely} d={area(left, p80)} />
      <path className={styles.line} d={`M${outline(left, right)}`} />
      <path className={styles.median} d={`M${placeX(p50)} ${placeY(p50)}V${HEIGHT - 2}`} />
      <path className={styles.mark} d={`M${placeX(p80)} ${placeY(p80)}V${HEIGHT - 2}`} />
      <path className={styles.ground} d={`M0 ${HEIGHT - 1.5}H${WIDTH}`} />
      {MARKS.map(([name, anchor, by]) => (
        <g key={name}>
          <path className={styles.tick} d={`M${placeX(hours[name])} ${HEIGHT - 2}v4`} />
          <text className={styles.label} x={placeX(hours[name]) + by} y={HEIGHT + 11} textAnchor={anchor}>
            {name.toUpperCase()}
          </text>
          <text className={styles.hours} x={placeX(hours[name]) + by} y={HEIGHT + 22} textAnchor={anchor}>
            {formatHours(hours[name])}
          </text>
        </g>
      ))}
      {at !== null && (
        <>
          <path className={styles.pointed} d={`M${placeX(at)} 2V${HEIGHT - 2}`} />
          <text
            className={styles.said}
            x={placeX(at) + (placeX(at) > WIDTH / 2 ? -4 : 4)}
            y={11}
            textAnchor={placeX(at) > WIDTH / 2 ? "end" : "start"}
          >
            {treeTexts.estimation.below(formatHours(at), formatPercent(shareBelow(spreadOf(hours), at)))}
          </text>
        </>
      )}
    </svg>
  );
});
