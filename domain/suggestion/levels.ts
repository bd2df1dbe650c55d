import { NORMAL, SCALE } from "../timeline/tables.gen.ts";
import type { SuggestedHours } from "./lognormal.ts";

/** Equally likely hours, in rising order, as multiples of `times`: a distribution of any shape. */
export interface Hours {
  readonly levels: Float64Array;
  readonly times: number;
}

/** Standard normal numbers at the probabilities 1/1024 to 1023/1024. */
const normal = (() => {
  const lower = NORMAL.split(" ").map((number) => Number(number) / SCALE);
  const upper = lower.toReversed().slice(1);
  return Float64Array.from([...lower, ...upper.map((z) => -z)]).slice(1, -1);
})();
const LEVELS = normal.length;

/** The widest spread (standard deviation of the logarithm) of either side that is believed: the P90 is 26 times the P10. */
const SPREAD_MOST = 1.28;
const most = normal.map((z) => Math.exp(SPREAD_MOST * z));

/** The place of the level that stands for a probability. */
const placeOf = (probability: number): number => Math.round(probability * (LEVELS + 1)) - 1;

/** Returns the hours with these quantiles, which are above 0, neither side further from the median than is believed. */
export function levelsOf(quantile: (probability: number) => number): Float64Array {
  const median = quantile(0.5);
  return most.map((bound, at) => {
    const level = quantile((at + 1) / (LEVELS + 1));
    return bound < 1 ? Math.max(level, median * bound) : Math.min(level, median * bound);
  });
}

/** Returns the hours at a probability, in full precision. */
export const levelAt = ({ levels, times }: Hours, probability: number): number =>
  times * (levels[placeOf(probability)] as number);

/** Returns the quantiles, to two decimals. */
export function quantilesAt(hours: Hours): SuggestedHours {
  const at = (probability: number) => Math.round(levelAt(hours, probability) * 100) / 100;
  return { p10: at(0.1), p50: at(0.5), p80: at(0.8), p90: at(0.9) };
}

/** Pieces that are added up independently of each other; further ones share the numbers of these. */
const COLUMNS = 200;
/** So much more than a score that a score and a place fit into the same number, the score in front. */
const PLACES = 2 ** 10;
const SCORE_STEPS = 2 ** 32;

/** Returns the places of all levels in an order that only depends on the number of the column. */
function shuffled(column: number): Uint16Array {
  const places = Uint16Array.from({ length: LEVELS }, (_, at) => at);
  let state = Math.imul(column + 2, 0x632be5ab);
  for (let left = LEVELS; left > 1; left -= 1) {
    // The generator splitmix32 (Guy Steele, Doug Lea, Christine Flood 2014).
    state = (state + 0x9e3779b9) | 0;
    let word = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    word = Math.imul(word ^ (word >>> 15), 0x735a2d97);
    const other = Math.floor((((word ^ (word >>> 15)) >>> 0) / 2 ** 32) * left);
    const kept = places[left - 1] as number;
    places[left - 1] = places[other] as number;
    places[other] = kept;
  }
  return places;
}

/**
 * Returns for each draw the level of a piece: each level once, so that the piece keeps its distribution, in an order with the
 * given correlation to the common one (a Gaussian copula, whose scores are ranked).
 */
function drawsOf(column: number, common: Uint16Array, correlation: number): Uint16Array {
  const own = shuffled(column);
  const [shared, alone] = [Math.sqrt(correlation), Math.sqrt(1 - correlation)];
  const keys = Float64Array.from(own, (level, draw) => {
    const score = shared * (normal[common[draw] as number] as number) + alone * (normal[level] as number);
    return Math.round(score * SCORE_STEPS) * PLACES + draw;
  }).sort();
  const draws = new Uint16Array(LEVELS);
  for (const [level, key] of keys.entries()) draws[((key % PLACES) + PLACES) % PLACES] = level;
  return draws;
}

/**
 * Adds up the hours of pieces with the correlation ρ of any two, one at each step: for each draw the levels of all pieces, each
 * level of a piece once (Latin hypercube). So the mean is the sum of the means, the variance that of the pieces, and the sum is
 * as lopsided as they are; and as the draws do not depend on the hours, less hours of a piece give no more of the sum.
 */
export function* addUp(pieces: readonly Hours[], correlation: number): Generator<void, Hours> {
  const sums = new Float64Array(LEVELS);
  const common = shuffled(-1);
  for (let column = 0; column < Math.min(pieces.length, COLUMNS); column += 1) {
    const draws = drawsOf(column, common, correlation);
    for (let at = column; at < pieces.length; at += COLUMNS) {
      const { levels, times } = pieces[at] as Hours;
      for (let draw = 0; draw < LEVELS; draw += 1)
        (sums[draw] as number) += times * (levels[draws[draw] as number] as number);
    }
    yield;
  }
  return { levels: sums.sort(), times: 1 };
}
