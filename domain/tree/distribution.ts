import type { ThreePoint } from "./shape.ts";

/** Hours of a sum of weighted options: the sums of their bounds, and the distribution of the total. */
export interface Figures {
  optimistic: number;
  likely: number;
  pessimistic: number;
  expected: number;
  standardDeviation: number;
  p50: number;
  p80: number;
  p90: number;
  p95: number;
}

/** The sums from which `Figures` are computed; sums can be added, percentiles cannot. */
export interface Sums {
  optimistic: number;
  likely: number;
  pessimistic: number;
  /** Σσ and Σσ² of the options' beta-PERT distributions. */
  deviations: number;
  variances: number;
}

export function noHours(): Sums {
  return { optimistic: 0, likely: 0, pessimistic: 0, deviations: 0, variances: 0 };
}

export function addSums(into: Sums, sums: Sums): void {
  into.optimistic += sums.optimistic;
  into.likely += sums.likely;
  into.pessimistic += sums.pessimistic;
  into.deviations += sums.deviations;
  into.variances += sums.variances;
}

/** Quantiles of the standard normal at 50, 80, 90 and 95 %, to four decimals, as in the documented formula. */
export const quantiles = [
  ["p50", 0],
  ["p80", 0.8416],
  ["p90", 1.2816],
  ["p95", 1.6449],
] as const;
const [, [, z80], [, z90], [, z95]] = quantiles;

/** Mean, in hours, of the beta-PERT distribution of three points: (o + 4l + p)/6. */
export function meanOf({ optimistic, likely, pessimistic }: ThreePoint): number {
  return (optimistic + 4 * likely + pessimistic) / 6;
}

/**
 * Standard deviation, in hours, of that distribution: √((m − o)(p − m)/7), m its mean. The customary (p − o)/6 is some
 * 8 % smaller: with it, the stated P80 held in only 77.8 % of cases.
 */
function deviationOf(points: ThreePoint): number {
  const mean = meanOf(points);
  // The mean of three equal points may exceed them by a rounding error.
  return Math.sqrt(Math.max((mean - points.optimistic) * (points.pessimistic - mean), 0) / 7);
}

/** Adds an option's points, `weight` times, and returns their weighted standard deviation, in hours. */
export function addPoints(sums: Sums, points: ThreePoint, weight: number): number {
  const deviation = weight * deviationOf(points);
  sums.optimistic += weight * points.optimistic;
  sums.likely += weight * points.likely;
  sums.pessimistic += weight * points.pessimistic;
  sums.deviations += deviation;
  sums.variances += deviation * deviation;
  return deviation;
}

/** Returns S² = (1 − ρ)Σσ² + ρ(Σσ)²: the variance of a sum whose parts all have the pairwise correlation ρ. */
export function varianceOf(sums: Sums, correlation: number): number {
  return (1 - correlation) * sums.variances + correlation * sums.deviations * sums.deviations;
}

/**
 * The closed form: means of the options added up to M, S² as in `varianceOf`, and the percentiles of the lognormal with that mean and variance (Fenton and Wilkinson's moment matching), clamped to what the
 * bounds allow: k = ln(1 + S²/M²), Pq = exp(ln M − k/2 + z_q·√k).
 */
export function figuresOf(sums: Sums, correlation: number): Figures {
  const { optimistic, likely, pessimistic } = sums;
  const variance = varianceOf(sums, correlation);
  const expected = (optimistic + 4 * likely + pessimistic) / 6;
  const clamp = (hours: number): number => Math.min(Math.max(hours, optimistic), pessimistic);
  const k = expected === 0 ? 0 : Math.log1p(variance / (expected * expected));
  const root = Math.sqrt(k);
  const median = expected * Math.exp(-k / 2);
  return {
    optimistic,
    likely,
    pessimistic,
    expected: clamp(expected),
    standardDeviation: Math.sqrt(variance),
    p50: clamp(median),
    p80: clamp(median * Math.exp(z80 * root)),
    p90: clamp(median * Math.exp(z90 * root)),
    p95: clamp(median * Math.exp(z95 * root)),
  };
}
