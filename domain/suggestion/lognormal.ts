import { noHours, varianceOf } from "../tree/hours/distribution.ts";

/** A lognormal distribution of hours, by its mean and standard deviation. */
export interface Lognormal {
  readonly mean: number;
  readonly deviation: number;
}

export interface SuggestedHours {
  readonly p10: number;
  readonly p50: number;
  readonly p80: number;
  readonly p90: number;
}

/** Quantiles of the standard normal, as in the roll-up. */
const Z80 = 0.8416;
const Z90 = 1.2816;
/** The widest spread (standard deviation of the logarithm) that is believed: the P90 is 26 times the P10 … */
const SPREAD_MOST = 1.28;
/** … and the least: finished tasks that all took the same do not make the next one certain. */
const SPREAD_LEAST = 0.1;
/**
 * Actual by estimated hours where nothing is known about the team: P10 0.45, P90 2.0. Their geometric mean is the median,
 * their distance 2 × 1.2816 standard deviations of the logarithm.
 */
const BAND = { median: Math.sqrt(0.45 * 2), spread: Math.log(2 / 0.45) / (2 * Z90) };

/** Returns the lognormal of a median and the standard deviation of the logarithm. */
export function fromMedian(median: number, spread: number): Lognormal {
  const mean = median * Math.exp((spread * spread) / 2);
  return { mean, deviation: mean * Math.sqrt(Math.expm1(spread * spread)) };
}

/** The standard deviation of the logarithm. */
export const spreadOf = ({ mean, deviation }: Lognormal): number => Math.sqrt(Math.log1p((deviation / mean) ** 2));

/** The median in hours. */
export const medianOf = (hours: Lognormal): number => hours.mean * Math.exp(-(spreadOf(hours) ** 2) / 2);

/** Returns the lognormal with the median and with the distance of P10 and P90 of a distribution of values above 0. */
export function lognormalOf(quantile: (probability: number) => number): Lognormal {
  const spread = Math.log(quantile(0.9) / quantile(0.1)) / (2 * Z90);
  return fromMedian(quantile(0.5), Math.min(Math.max(spread, SPREAD_LEAST), SPREAD_MOST));
}

/** Returns what is to be expected if only an estimate is known: the estimate times the generic band. */
export function widened(estimate: Lognormal): Lognormal {
  return fromMedian(medianOf(estimate) * BAND.median, Math.hypot(spreadOf(estimate), BAND.spread));
}

/** Adds lognormals up, as the roll-up adds options up: by their moments, with the correlation ρ of any two. */
export function totalOf(parts: readonly Lognormal[], correlation: number): Lognormal {
  const sums = { ...noHours(), mean: 0 };
  for (const { mean, deviation } of parts) {
    sums.mean += mean;
    sums.deviations += deviation;
    sums.variances += deviation * deviation;
  }
  return { mean: sums.mean, deviation: Math.sqrt(varianceOf(sums, correlation)) };
}

/** Returns the quantiles in hours, to two decimals, by the closed form of the roll-up. */
export function quantilesOf(hours: Lognormal): SuggestedHours {
  const [spread, median] = [spreadOf(hours), medianOf(hours)];
  const at = (z: number) => Math.round(median * Math.exp(z * spread) * 100) / 100;
  return { p10: at(-Z90), p50: at(0), p80: at(Z80), p90: at(Z90) };
}
