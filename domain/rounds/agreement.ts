import { DISAGREES_BELOW } from "../../contract/values/round-statuses.ts";
import type { ThreePoint } from "../../contract/values/tree.ts";
import { addPoints, hoursAt, meanOf, momentsOf, noHours, spreadOf } from "../tree/hours/distribution.ts";

/** A range of hours. */
interface Range {
  readonly low: number;
  readonly high: number;
}

/** Returns the 80 % range of an estimate: from P10 to P90 of its beta-PERT distribution, in hours. */
export function rangeOf(points: ThreePoint): Range {
  const sums = noHours();
  addPoints(sums, points, 1);
  const [low, high] = hoursAt(spreadOf(momentsOf(sums, 0)), [0.1, 0.9]) as [number, number];
  return { low, high };
}

/**
 * Returns how far estimates of an option agree, from 0 to 1: the mean, over all pairs of people, of the overlap of their 80 %
 * ranges, which is |A ∩ B| / |A ∪ B|, the coefficient of Jaccard (1912, New Phytologist 11, 37–50) for the lengths of
 * intervals. Two ranges without length overlap fully where they are the same hour. Null for fewer than two.
 */
export function agreementOf(estimates: readonly ThreePoint[]): number | null {
  const ranges = estimates.map(rangeOf);
  let sum = 0;
  for (const [at, one] of ranges.entries()) for (const other of ranges.slice(at + 1)) sum += overlapOf(one, other);
  const pairs = (ranges.length * (ranges.length - 1)) / 2;
  return pairs === 0 ? null : Math.min(sum / pairs, 1);
}

function overlapOf(one: Range, other: Range): number {
  const all = Math.max(one.high, other.high) - Math.min(one.low, other.low);
  if (all === 0) return 1;
  return Math.max(Math.min(one.high, other.high) - Math.max(one.low, other.low), 0) / all;
}

/** Returns whether people disagree about an option so much that they should talk about it. */
export const disagrees = (agreement: number | null): boolean => agreement !== null && agreement < DISAGREES_BELOW;

/**
 * Returns for each estimate, of an option with this agreement, whether it is the lowest or the highest by its mean: of an option that people disagree about, these
 * are heard first, as in wideband Delphi (Boehm 1981, Software Engineering Economics, 22.2). None where people agree.
 */
export function outliersOf(estimates: readonly ThreePoint[], agreement: number | null): boolean[] {
  if (!disagrees(agreement)) return estimates.map(() => false);
  const means = estimates.map(meanOf);
  const [least, most] = [Math.min(...means), Math.max(...means)];
  return means.map((mean) => mean === least || mean === most);
}
