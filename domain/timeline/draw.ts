import { EDGE, HOURS, NORMAL, SCALE } from "./tables.gen.ts";

/** Hours of work with a range: from `least` to `most` working seconds, most likely at `mode` (0 to 1) of the way. */
export interface Range {
  readonly least: number;
  readonly most: number;
  readonly mode: number;
}

const read = (row: string): number[] => row.split(" ").map((value) => Number(value) / SCALE);

/** Standard normal numbers at evenly spaced probabilities from 0 to 1. */
const normal = (() => {
  const lower = read(NORMAL);
  return Float64Array.from([
    ...lower,
    ...lower
      .toReversed()
      .slice(1)
      .map((z) => -z),
  ]);
})();
const NORMAL_BITS = Math.round(Math.log2(normal.length - 1));
const NORMAL_SHIFT = 32 - NORMAL_BITS;
const NORMAL_REST = 2 ** NORMAL_SHIFT;

const hours = HOURS.map(read);
const STEPS = (hours[0] as number[]).length - 1;
const STEPS_PER_DEVIATION = STEPS / (2 * EDGE);

/** Hours of a range with this mode as a part of it, `step` steps from the left of its table. */
function partAt(mode: number, step: number): number {
  if (mode > 0.5) return 1 - partAt(1 - mode, STEPS - step);
  const place = mode * 2 * (hours.length - 1);
  const row = Math.min(Math.floor(place), hours.length - 2);
  const [left, right] = [hours[row] as number[], hours[row + 1] as number[]];
  return (left[step] as number) + (place - row) * ((right[step] as number) - (left[step] as number));
}

/** How the ranges are drawn: all pairs have the correlation ρ, and each seed has its own numbers. */
export interface Drawing {
  /** Four words of 32 bits. */
  readonly seed: readonly number[];
  readonly correlation: number;
}

/**
 * Returns a function that draws the working seconds of run `run`, whole seconds, one for each range in their order, into
 * `into` at `places`: beta-PERT hours with a Gaussian copula, x = F⁻¹(Φ(√ρ·Z + √(1 − ρ)·ε)). Z is common to a run. Both inverse functions
 * are tables, read between their knots along a line.
 *
 * Each run has a stream of its own of the generator sfc32 (Chris Doty-Humphrey, PractRand), so it does not matter in which
 * order or where runs are made. Only +, −, ×, ÷ and √ are used, whose results IEEE 754 defines to the last bit.
 */
export function createDraws(ranges: readonly Range[], places: Int32Array, { seed, correlation }: Drawing) {
  const width = STEPS + 1;
  const table = new Float64Array(ranges.length * width);
  for (const [at, { least, most, mode }] of ranges.entries()) {
    for (let step = 0; step <= STEPS; step += 1) table[at * width + step] = least + (most - least) * partAt(mode, step);
  }
  const [first = 0, second = 0, third = 0, fourth = 0] = seed;
  const common = Math.sqrt(correlation) * STEPS_PER_DEVIATION;
  const own = Math.sqrt(1 - correlation) * STEPS_PER_DEVIATION;
  const count = ranges.length;

  return (run: number, into: Float64Array): void => {
    let a = first | 0;
    let b = second | 0;
    let c = (third ^ run) | 0;
    let counter = fourth | 0;
    let word = 0;
    let middle = STEPS / 2;
    // The first rounds mix the seed; the next number is the common one, and then each range has its own.
    for (let round = -WARM_UP; round <= count; round += 1) {
      word = (((a + b) | 0) + counter) | 0;
      counter = (counter + 1) | 0;
      a = b ^ (b >>> 9);
      b = (c + (c << 3)) | 0;
      c = (((c << 21) | (c >>> 11)) + word) | 0;
      if (round < 0) continue;
      const segment = word >>> NORMAL_SHIFT;
      const below = normal[segment] as number;
      const rest = (word & (NORMAL_REST - 1)) / NORMAL_REST;
      const z = below + rest * ((normal[segment + 1] as number) - below);
      if (round === 0) {
        middle += common * z;
        continue;
      }
      const place = middle + own * z;
      const step = place | 0;
      const knot = (round - 1) * width + step;
      const from = table[knot] as number;
      into[places[round - 1] as number] = Math.floor(
        from + (place - step) * ((table[knot + 1] as number) - from) + 0.5,
      );
    }
  };
}

/** Rounds after which every bit of the seed has reached every bit of the state. */
const WARM_UP = 15;
