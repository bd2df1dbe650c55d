import type { Suggestion } from "../../../../../contract/endpoints/suggestions.ts";
import type { ThreePoint } from "../../../../../domain/tree/shape.ts";

type Hours = NonNullable<Suggestion["hours"]>;

/** z of the 90th percentile of the normal distribution. */
const Z90 = 1.2816;

/** The distribution function of the standard normal, by Abramowitz and Stegun 26.2.17. */
function normalBelow(z: number): number {
  if (z < 0) return 1 - normalBelow(-z);
  const t = 1 / (1 + 0.2316419 * z);
  const factors = [1.330274429, -1.821255978, 1.781477937, -0.356563782, 0.31938153];
  const sum = factors.reduce((all, factor) => (all + factor) * t, 0);
  return 1 - (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * sum;
}

/**
 * Returns the mean and the variance of what was suggested: lognormal on both sides of the P50, each side as wide as its
 * percentile says. Most of the hours may be missing below it, or above.
 */
function momentsOf({ p10, p50, p90 }: Hours) {
  const below = Math.log(p50 / Math.max(p10, 0.01)) / Z90;
  const above = Math.log(p90 / p50) / Z90;
  const moment = (power: number): number => {
    const side = (spread: number, sign: number) =>
      Math.exp((power * spread) ** 2 / 2) * normalBelow(sign * power * spread);
    return p50 ** power * (side(below, -1) + side(above, 1));
  };
  const mean = moment(1);
  return { mean, variance: moment(2) - mean * mean };
}

/**
 * Returns low, likely and high hours that say the same as suggested percentiles: those whose curve (beta-PERT) has the
 * mean m and the deviation σ of what was suggested. From m = (o + 4l + p) / 6 and σ² = (m − o)(p − m) / 7, with the
 * low hours o in the same ratio to the P10 as the P10 to the P50, follow p = m + 7σ² / (m − o) and l = (6m − o − p) / 4.
 */
export function pointsFor(suggested: Hours): ThreePoint {
  const { p10, p50, p90 } = suggested;
  if (p90 <= p10) return { optimistic: round(p50), likely: round(p50), pessimistic: round(p50) };
  const { mean, variance } = momentsOf(suggested);
  const optimistic = Math.min((p10 * p10) / p50, mean);
  const pessimistic = mean + (7 * variance) / (mean - optimistic);
  const likely = (6 * mean - optimistic - pessimistic) / 4;
  if (likely >= optimistic) return inOrder(optimistic, likely, pessimistic);
  // Too skewed for such a curve: the likeliest is the least, p = 6m − 5o, and the deviation is as large as it can be.
  return inOrder(optimistic, optimistic, 6 * mean - 5 * optimistic);
}

const inOrder = (optimistic: number, likely: number, pessimistic: number): ThreePoint => {
  const [low, middle, high] = [round(optimistic), round(likely), round(pessimistic)];
  return { optimistic: low, likely: Math.max(low, middle), pessimistic: Math.max(low, middle, high) };
};

/** As people write hours: twentieths up to 1, quarters up to 10, halves up to 40, then whole ones; never none. */
function round(hours: number): number {
  const step = hours < 1 ? 0.05 : hours < 10 ? 0.25 : hours < 40 ? 0.5 : 1;
  return Math.round(Math.max(1, Math.round(hours / step)) * step * 100) / 100;
}
