/** The result of comparing two samples of durations. */
export interface Comparison {
  /** Probability that a duration of the first is longer than one of the second, ties half; 0.5: none tells them apart. */
  readonly longer: number;
  /** The same in standard errors from 0.5, by the normal approximation of the Mann-Whitney test. */
  readonly z: number;
}

/** Mann-Whitney: compares ranks, so that a few stragglers weigh no more than they should. */
export function compareSamples(first: readonly number[], second: readonly number[]): Comparison {
  let wins = 0;
  for (const a of first) for (const b of second) wins += a > b ? 1 : a === b ? 0.5 : 0;
  const pairs = first.length * second.length;
  const deviation = Math.sqrt((pairs * (first.length + second.length + 1)) / 12);
  return { longer: wins / pairs, z: (wins - pairs / 2) / deviation };
}
