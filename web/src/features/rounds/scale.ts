import { roundHundredth } from "../../../../domain/tree/hours/round.ts";

/** What all ranges of one option are drawn on, in hours. */
export interface Scale {
  readonly low: number;
  readonly high: number;
  /** Round numbers from `low` to `high`, both included. */
  readonly ticks: readonly number[];
}

/** At most so many parts, so that their hours find room on a phone. */
const PARTS = 4;
/** Hours have no more decimals. */
const LEAST = 0.01;

/** Returns the smallest of 1, 2, 5, 10, 20 … that is not below `least`; the same below 1. */
function roundUp(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((digit) => digit * power).find((step) => step >= least * (1 - 1e-9)) ?? 10 * power;
}

/** Returns a scale with room for all of `hours`: from 0, or from a round number where all of them are far from it. */
export function scaleOf(hours: readonly number[]): Scale {
  const highest = Math.max(0, ...hours);
  const lowest = Math.min(highest, ...hours);
  const from = lowest < highest / 2 ? 0 : lowest;
  const step = roundUp(highest > from ? Math.max((highest - from) / PARTS, LEAST) : Math.max(highest, 1));
  const first = Math.floor(from / step + 1e-9);
  const last = Math.max(first + 1, Math.ceil(highest / step - 1e-9));
  const ticks = Array.from({ length: last - first + 1 }, (_, at) => roundHundredth((first + at) * step));
  return { low: ticks[0] ?? 0, high: ticks.at(-1) ?? 1, ticks };
}

/** Returns where on a scale some hours are, from 0 to 1. */
export const placeOn = ({ low, high }: Scale, hours: number): number => (hours - low) / (high - low);
