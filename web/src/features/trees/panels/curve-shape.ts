import { type Figures, spreadOf } from "../../../../../domain/tree/hours/distribution.ts";

const STEPS = 60;

/** How a distribution of hours is drawn in a box: what is beyond `left` and `right`, in hours, is as good as impossible. */
export interface CurveShape {
  readonly left: number;
  readonly right: number;
  placeX(hours: number): number;
  placeY(hours: number): number;
  /** The top of the curve, as a path. */
  outline(from: number, to: number): string;
  /** All below it, as a path. */
  area(from: number, to: number): string;
}

/**
 * Returns the density of the beta distribution that the percentiles come from, in a box of this size; null where nothing is
 * uncertain. Hours that have to be in the box too widen it.
 */
export function curveShape(
  hours: Figures,
  width: number,
  height: number,
  alsoShown: readonly number[] = [],
): CurveShape | null {
  const { expected, standardDeviation, p95 } = hours;
  const spread = spreadOf(hours);
  if ("mean" in spread) return null;
  const { low, high, alpha, beta } = spread;
  const logDensity = (x: number) => {
    const part = Math.min(Math.max((x - low) / (high - low), 1e-9), 1 - 1e-9);
    return (alpha - 1) * Math.log(part) + (beta - 1) * Math.log1p(-part);
  };
  const [from, to] = [
    Math.max(expected - 3 * standardDeviation, low),
    Math.min(Math.max(expected + 3.4 * standardDeviation, p95 * 1.05), high),
  ];
  const [left, right] = [Math.min(from, ...alsoShown), Math.max(to, ...alsoShown)];
  const highest = logDensity(low + ((high - low) * (alpha - 1)) / (alpha + beta - 2));
  const placeX = (x: number) => ((x - left) / (right - left)) * width;
  const placeY = (x: number) => height - 2 - Math.exp(logDensity(x) - highest) * (height - 8);
  const outline = (begin: number, end: number) =>
    Array.from({ length: STEPS + 1 }, (_, step) => begin + ((end - begin) * step) / STEPS)
      .map((x) => `${placeX(x).toFixed(1)} ${placeY(x).toFixed(1)}`)
      .join("L");
  const area = (begin: number, end: number) =>
    `M${placeX(begin).toFixed(1)} ${height - 2}L${outline(begin, end)}L${placeX(end).toFixed(1)} ${height - 2}Z`;
  return { left, right, placeX, placeY, outline, area };
}
