import { memo } from "react";
import type { Figures } from "../../../../domain/tree/distribution.ts";
import styles from "./curve.module.css";

const WIDTH = 250;
const HEIGHT = 64;
const STEPS = 60;

/**
 * How likely each total is: the lognormal density with the mean and the variance of the hours, the same from which their
 * percentiles come. The figures beside it say what it shows.
 */
export const Curve = memo(({ hours: { expected, standardDeviation, p50, p80, p95 } }: { readonly hours: Figures }) => {
  if (expected <= 0 || standardDeviation <= 0) return null;
  const k = Math.log(1 + (standardDeviation / expected) ** 2);
  const middle = Math.log(expected) - k / 2;
  const density = (x: number) => Math.exp(-((Math.log(x) - middle) ** 2) / (2 * k)) / x;
  const left = Math.max(expected - 3 * standardDeviation, expected / 1_000);
  const right = Math.max(expected + 3.4 * standardDeviation, p95 * 1.05);
  const highest = density(Math.exp(middle - k));
  const placeX = (x: number) => ((x - left) / (right - left)) * WIDTH;
  const placeY = (x: number) => HEIGHT - 2 - (density(x) / highest) * (HEIGHT - 8);
  const outline = (from: number, to: number) =>
    Array.from({ length: STEPS + 1 }, (_, step) => from + ((to - from) * step) / STEPS)
      .map((x) => `${placeX(x).toFixed(1)} ${placeY(x).toFixed(1)}`)
      .join("L");
  const area = (from: number, to: number) =>
    `M${placeX(from).toFixed(1)} ${HEIGHT - 2}L${outline(from, to)}L${placeX(to).toFixed(1)} ${HEIGHT - 2}Z`;
  return (
    <svg className={styles.curve} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <path className={styles.likely} d={area(left, p80)} />
      <path className={styles.line} d={`M${outline(left, right)}`} />
      <path className={styles.median} d={`M${placeX(p50)} ${placeY(p50)}V${HEIGHT - 2}`} />
      <path className={styles.mark} d={`M${placeX(p80)} 2V${HEIGHT - 2}`} />
      <text className={styles.label} x={placeX(p50) - 4} y={HEIGHT - 8} textAnchor="end">
        P50
      </text>
      <text className={styles.label} x={placeX(p80) + 4} y={11}>
        P80
      </text>
      <path className={styles.ground} d={`M0 ${HEIGHT - 1.5}H${WIDTH}`} />
    </svg>
  );
});
