/**
 * The constants of the forecast, the same for every team. They were chosen on the earlier four fifths of public projects;
 * `docs/decisions/hours-suggestion.md` tells how. Distances in time are numbers of finished tasks.
 */
export const configuration = {
  /** Of the most similar pieces, so many take part, … */
  similar: 45,
  /** … and so many of the latest. */
  recent: 13,
  /** Weight of the words that two pieces share: the cosine of their vectors. */
  words: 1.3,
  /** Weight of texts of a similar length, and of how different lengths are (the logarithms of the numbers of words). */
  length: 0.18,
  titleLengthScale: 0.35,
  descriptionLengthScale: 1.4,
  /** By how much more two similar pieces say about each other if they are near in time, and how near that is. */
  nearness: 0.35,
  nearnessReach: 80,
  /** What pieces near in time have in common whatever they are about: for the length of a batch, and of a phase. */
  batch: 0.11,
  batchReach: 8,
  phase: 0.12,
  phaseReach: 600,
  /** What all pieces have in common. */
  common: 1,
  /** How much of an outcome is chance. */
  noise: 1.05,
  /** How fast similar and near pieces lose their meaning where the latest outcomes are not known; 1: as many unknown as known ones take it to 1/e. */
  staleness: 1,
  /** The latest pieces by which the width of intervals is set, and how many more are assumed to confirm the forecast. */
  calibration: 100,
  calibrationPrior: 10,
  /** Weight of the same role, and of a similar size (the logarithm of the estimated hours). */
  role: 0.15,
  size: 0.3,
  sizeScale: 0.7,
} as const;

export type Configuration = { readonly [K in keyof typeof configuration]: number };
