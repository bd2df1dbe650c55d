/**
 * A distribution on outcomes that were seen: `values` in rising order, and the probability of at most each of them. The
 * last probability is 1.
 */
export interface Distribution {
  readonly values: Float64Array;
  readonly atMost: Float64Array;
}

/** Returns the distribution of values in rising order whose weights sum to 1; some may be negative. */
export function distributionOf(values: Float64Array, weights: Float64Array): Distribution {
  const size = values.length;
  const atMost = new Float64Array(size);
  let sum = 0;
  for (let at = 0; at < size; at += 1) {
    sum += weights[at] as number;
    atMost[at] = sum;
  }
  // Of equal values the last has the sum of all.
  for (let at = size - 2; at >= 0; at -= 1) {
    if (values[at] === values[at + 1]) atMost[at] = atMost[at + 1] as number;
  }
  return { values, atMost: rising(atMost) };
}

/** Makes a function rise: the mean of the least rising one above it and the greatest below it, between 0 and 1. */
function rising(values: Float64Array): Float64Array {
  const size = values.length;
  const below = new Float64Array(size);
  let least = Number.POSITIVE_INFINITY;
  for (let at = size - 1; at >= 0; at -= 1) {
    least = Math.min(least, values[at] as number);
    below[at] = least;
  }
  let most = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < size; at += 1) {
    most = Math.max(most, values[at] as number);
    values[at] = Math.min(Math.max((most + (below[at] as number)) / 2, 0), 1);
  }
  values[size - 1] = 1;
  return values;
}

/** Returns the least value that is not exceeded with this probability. */
export function quantileOf({ values, atMost }: Distribution, probability: number): number {
  const below = countWhere(atMost, (other) => other < probability);
  return values[Math.min(below, values.length - 1)] as number;
}

/** Returns the probability of at most `value`. */
export const probabilityOf = ({ values, atMost }: Distribution, value: number): number =>
  upTo(
    atMost,
    countWhere(values, (other) => other <= value),
  );

/** Returns the probability of less than `value`. */
export const probabilityBelow = ({ values, atMost }: Distribution, value: number): number =>
  upTo(
    atMost,
    countWhere(values, (other) => other < value),
  );

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
