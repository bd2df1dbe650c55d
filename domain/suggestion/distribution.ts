/**
 * A distribution on outcomes that were seen: `values` in rising order, and the probability of at most each of them. The
 * last probability is 1.
 */
export interface Distribution {
  readonly values: Float64Array;
  readonly atMost: Float64Array;
}

/** Sums of the same weights in another order differ by less. */
const SAME = 1e-9;

/** Returns the distribution of values in rising order whose weights, none of them negative, sum to 1. */
export function distributionOf(values: Float64Array, weights: Float64Array): Distribution {
  const size = values.length;
  const atMost = new Float64Array(size);
  let sum = 0;
  for (let at = 0; at < size; at += 1) {
    sum += weights[at] as number;
    atMost[at] = Math.min(sum, 1);
  }
  // Of equal values the last has the sum of all.
  for (let at = size - 2; at >= 0; at -= 1) {
    if (values[at] === values[at + 1]) atMost[at] = atMost[at + 1] as number;
  }
  atMost[size - 1] = 1;
  return { values, atMost };
}

/** Returns the least value that is not exceeded with this probability. */
export function quantileOf({ values, atMost }: Distribution, probability: number): number {
  const below = countWhere(atMost, (other) => other < probability - SAME);
  return values[Math.min(below, values.length - 1)] as number;
}

/** The smoothing: as if each outcome had been up to 16 % more or less, all of it equally likely. */
const SMOOTH = 0.16;
/** The values at which the smoothed distribution is known: from 1/200 to two millions, 1 % apart. */
const STEP = 0.01;
const GRID = Float64Array.from({ length: 2_001 }, (_, at) => 0.005 * Math.exp(STEP * at));
const HALF = SMOOTH / STEP;

/**
 * Returns the quantiles of the smoothed distribution. It is smoothed at places that do not depend on the outcomes, so that less
 * of an outcome gives no more of a quantile. Of equal outcomes half counts as less: where outcomes are round numbers, quantiles
 * would otherwise be too far out.
 */
export function smoothed({ values, atMost }: Distribution): (probability: number) => number {
  const last = GRID.length - 1;
  // Sums up to each place, so that a mean is a difference; beyond the ends the distribution is 0 and 1.
  const sums = new Float64Array(GRID.length + 1);
  let at = 0;
  for (let place = 0; place <= last; place += 1) {
    while (at < values.length && (values[at] as number) <= (GRID[place] as number)) at += 1;
    sums[place + 1] = (sums[place] as number) + upTo(atMost, at);
  }
  const smooth = GRID.map((_, place) => {
    const [from, to] = [Math.max(place - HALF, 0), Math.min(place + HALF, last)];
    const beyond = place + HALF - to;
    return ((sums[to + 1] as number) - (sums[from] as number) + beyond) / (2 * HALF + 1);
  });
  return (probability) => {
    const place = countWhere(smooth, (other) => other < probability - SAME);
    if (place === 0 || place > last) return GRID[Math.min(place, last)] as number;
    const [below, above] = [smooth[place - 1] as number, smooth[place] as number];
    const part = Math.min(Math.max((probability - below) / (above - below), 0), 1);
    // An outcome counts from the next place on, which is half a step too much on average.
    return (GRID[place - 1] as number) * Math.exp(STEP * (part - 0.5));
  };
}

const upTo = (atMost: Float64Array, count: number): number => (count === 0 ? 0 : (atMost[count - 1] as number));

/** Returns how many of the first values are `low`; after them none is. */
function countWhere(values: Float64Array, isLow: (value: number) => boolean): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isLow(values[middle] as number)) low = middle + 1;
    else high = middle;
  }
  return low;
}
