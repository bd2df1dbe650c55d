import { memo, type PointerEvent, useState } from "react";
import { type Figures, shareBelow, spreadOf } from "../../../../../domain/tree/hours/distribution.ts";
import { formatHours, formatPercent } from "../../../ui/numbers/format.ts";
import { treeTexts } from "../texts.ts";
import styles from "./curve.module.css";

const WIDTH = 250;
const HEIGHT = 64;
/** Below the curve, for the hours. */
const AXIS = 24;
const MARKS = [
  ["p50", "end", -3],
  ["p80", "middle", 0],
  ["p95", "start", 3],
] as const;
const STEPS = 60;

/** How likely each total is: the density of the beta distribution that the percentiles beside it come from. */
export const Curve = memo(({ hours }: { readonly hours: Figures }) => {
  const [pointed, setPointed] = useState<number | null>(null);
  const { expected, standardDeviation, p50, p80, p95 } = hours;
  const spread = spreadOf(hours);
  if ("mean" in spread) return null;
  const { low, high, alpha, beta } = spread;
  const logDensity = (x: number) => {
    const part = Math.min(Math.max((x - low) / (high - low), 1e-9), 1 - 1e-9);
    return (alpha - 1) * Math.log(part) + (beta - 1) * Math.log1p(-part);
  };
  const left = Math.max(expected - 3 * standardDeviation, low);
  const right = Math.min(Math.max(expected + 3.4 * standardDeviation, p95 * 1.05), high);
  const highest = logDensity(low + ((high - low) * (alpha - 1)) / (alpha + beta - 2));
  const placeX = (x: number) => ((x - left) / (right - left)) * WIDTH;
  const placeY = (x: number) => HEIGHT - 2 - Math.exp(logDensity(x) - highest) * (HEIGHT - 8);
  const outline = (from: number, to: number) =>
    Array.from({ length: STEPS + 1 }, (_, step) => from + ((to - from) * step) / STEPS)
      .map((x) => `${placeX(x).toFixed(1)} ${placeY(x).toFixed(1)}`)
      .join("L");
  const area = (from: number, to: number) =>
    `M${placeX(from).toFixed(1)} ${HEIGHT - 2}L${outline(from, to)}L${placeX(to).toFixed(1)} ${HEIGHT - 2}Z`;
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
            {treeTexts.estimation.below(formatHours(at), formatPercent(shareBelow(spread, at)))}
          </text>
        </>
      )}
    </svg>
  );
});
