/**
 * The constants of the forecast, the same for every team. They were chosen on the earlier four fifths of public projects;
 * `docs/decisions/hours-suggestion.md` tells how. Distances in time are numbers of finished tasks.
 */
export const configuration = {
  /** Number of the most similar pieces that take part, … */
  similar: 45,
  /** … and of the latest ones. */
  recent: 13,
  /** Weight of the words that two pieces share: the cosine of their vectors. */
  words: 1.3,
  /** Weight of texts of a similar length, and of how different lengths are (the logarithms of the numbers of words). */
  length: 0.18,
  titleLengthScale: 0.35,
  descriptionLengthScale: 1.4,
  /** How much more two similar pieces say about each other if they are close in time, and how close that is. */
  nearness: 0.35,
  nearnessReach: 80,
  /** What pieces close in time have in common whatever they are about: for the length of a batch, and of a phase. */
  batch: 0.11,
  batchReach: 8,
  phase: 0.12,
  phaseReach: 600,
  /** What all pieces have in common. */
  common: 1,
  /** How much of an outcome is chance. */
  noise: 1.05,
  /**
   * How fast similar and near pieces lose weight if the latest outcomes are not known; 1: as many unknown as known ones
   * reduce it to 1/e.
   */
  staleness: 1,
  /** By how much quantiles are nearer to the median than their probabilities say: smoothing moves them away from it. */
  width: 0.95,
  /** Weight of the same role, and of a similar size (the logarithm of the estimated hours). */
  role: 0.15,
  size: 0.3,
  sizeScale: 0.7,
} as const;

export type Configuration = { readonly [K in keyof typeof configuration]: number };
