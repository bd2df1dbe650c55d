/** An interval that covers the true value in 95 of 100 samples. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** The 97.5 % quantile of the standard normal distribution: 2.5 % on either side of an interval of 95 %. */
const Z = 1.959964;
const TAIL = 0.025;

/**
 * Returns the 95 % interval of a proportion of which `hits` of `n` trials were seen, n ≥ 1: that of Wilson (1927),
 * (p + z²/2n ± z√(p(1 − p)/n + z²/4n²)) / (1 + z²/n). Unlike p ± z√(p(1 − p)/n) it holds for few trials and for
 * proportions near 0 and 1 (Brown, Cai, DasGupta 2001). The trials count as independent.
 */
export function wilson(hits: number, n: number): Interval {
  const share = hits / n;
  const square = (Z * Z) / n;
  const middle = share + square / 2;
  const half = Z * Math.sqrt((share * (1 - share)) / n + square / (4 * n));
  // Rounding errors would leave 1e-17 where it is 0.
  const low = hits === 0 ? 0 : (middle - half) / (1 + square);
  const high = hits === n ? 1 : (middle + half) / (1 + square);
  return { low, high };
}

/** Returns the median of values in rising order, of which there is at least one. */
export function medianOf(sorted: readonly number[]): number {
  const half = sorted.length / 2;
  return ((sorted[Math.ceil(half) - 1] as number) + (sorted[Math.floor(half)] as number)) / 2;
}

/**
 * Returns the 95 % interval of the median of the distribution that these values, in rising order, are from: from the r-th
 * smallest to the r-th largest, with the largest r for which a binomial variable of n trials and probability ½ is below r in at
 * most 2.5 % (Conover, Practical Nonparametric Statistics, 3.2; David and Nagaraja, Order Statistics, 7.1). It holds for any
 * distribution. Null for fewer than six values, of which no interval covers as much.
 */
export function medianInterval(sorted: readonly number[]): Interval | null {
  const n = sorted.length;
  let rank = 0;
  // P(X = k), by its logarithm: 2 to the power of −n is below the smallest double for n above 1,074.
  let logProbability = -n * Math.LN2;
  let below = Math.exp(logProbability);
  while (below <= TAIL) {
    rank += 1;
    logProbability += Math.log((n - rank + 1) / rank);
    below += Math.exp(logProbability);
  }
  return rank === 0 ? null : { low: sorted[rank - 1] as number, high: sorted[n - rank] as number };
}
