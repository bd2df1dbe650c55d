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
/**
 * Actual by estimated hours where nothing is known about the team: P10 0.45, P90 2.0. Their geometric mean is the median,
 * their distance 2 × 1.2816 standard deviations of the logarithm.
 */
const BAND = { median: Math.sqrt(0.45 * 2), spread: Math.log(2 / 0.45) / (2 * Z90) };

/** Returns the lognormal of a median and the standard deviation of the logarithm. */
function fromMedian(median: number, spread: number): Lognormal {
  const mean = median * Math.exp((spread * spread) / 2);
  return { mean, deviation: mean * Math.sqrt(Math.expm1(spread * spread)) };
}

/** The standard deviation of the logarithm. */
const spreadOf = ({ mean, deviation }: Lognormal): number => Math.sqrt(Math.log1p((deviation / mean) ** 2));

/** The median in hours. */
const medianOf = (hours: Lognormal): number => hours.mean * Math.exp(-(spreadOf(hours) ** 2) / 2);

/** Returns what is to be expected if only an estimate is known: the estimate times the generic band. */
export function widened(estimate: Lognormal): Lognormal {
  return fromMedian(medianOf(estimate) * BAND.median, Math.hypot(spreadOf(estimate), BAND.spread));
}

/** Returns the quantiles in hours, to two decimals, by the closed form of the roll-up. */
export function quantilesOf(hours: Lognormal): SuggestedHours {
  const [spread, median] = [spreadOf(hours), medianOf(hours)];
  const at = (z: number) => Math.round(median * Math.exp(z * spread) * 100) / 100;
  return { p10: at(-Z90), p50: at(0), p80: at(Z80), p90: at(Z90) };
}
