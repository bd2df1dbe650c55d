import type { Suggestion } from "../../../../../contract/endpoints/suggestions.ts";
import type { ThreePoint } from "../../../../../domain/tree/shape.ts";

type Hours = NonNullable<Suggestion["hours"]>;

/** z of the 90th percentile of the normal distribution. */
const Z90 = 1.2816;

/**
 * Returns low, likely and high hours that say the same as suggested percentiles: those whose curve (beta-PERT) has the
 * mean m and the deviation σ of the suggested lognormal one. From m = (o + 4l + p) / 6 and σ² = (m − o)(p − m) / 7, with the
 * low hours o in the same ratio to the P10 as the P10 to the P50, follow p = m + 7σ² / (m − o) and l = (6m − o − p) / 4.
 */
export function pointsFor({ p10, p50, p90 }: Hours): ThreePoint {
  if (p90 <= p10) return { optimistic: round(p50), likely: round(p50), pessimistic: round(p50) };
  const spread = Math.log(p90 / Math.max(p10, 0.01)) / (2 * Z90);
  const mean = p50 * Math.exp((spread * spread) / 2);
  const variance = mean * mean * (Math.exp(spread * spread) - 1);
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
