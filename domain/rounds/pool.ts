import { limits } from "../../contract/limits.ts";
import type { ThreePoint } from "../../contract/values/tree.ts";
import { medianOf } from "../accuracy/intervals.ts";
import { meanOf } from "../tree/hours/distribution.ts";
import { toHundredths } from "./median.ts";

/** What several estimates say together. */
export interface Pool {
  /** Three points, in hours. */
  readonly hours: ThreePoint;
  /** Mean of the pool, in hours. */
  readonly mean: number;
  /** Whether the points are as uncertain as the pool. */
  readonly varianceKept: boolean;
}

/** Mean, in hours, and variance of a distribution. */
export interface Moments {
  readonly mean: number;
  readonly variance: number;
}

/** By this part of its square, a variance may differ by rounding errors. */
const NEGLIGIBLE = 1e-12;
const HIGHEST = limits.optionHoursMax;

/** Returns mean and variance of the beta-PERT distribution of three points: (m − o)(p − m)/7. */
export function pertMoments(points: ThreePoint): Moments {
  const mean = meanOf(points);
  return { mean, variance: Math.max((mean - points.optimistic) * (points.pessimistic - mean), 0) / 7 };
}

/**
 * Returns mean and variance of the linear opinion pool of estimates, of which there is at least one: the mixture of their
 * distributions in equal parts (Stone 1961, Annals of Mathematical Statistics 32, 1339–1342; Clemen and Winkler 1999, Risk
 * Analysis 19, 187–203). Its variance is that within the estimates and that between their means.
 */
export function linearPool(estimates: readonly ThreePoint[]): Moments {
  const all = estimates.map(pertMoments);
  const average = (of: (one: Moments) => number) => all.reduce((sum, one) => sum + of(one), 0) / all.length;
  const mean = average((one) => one.mean);
  return { mean, variance: average((one) => one.variance + (one.mean - mean) ** 2) };
}

/**
 * Returns the three points of the linear opinion pool, in hundredths of an hour: with its mean, to the hundredth, and its
 * variance, where points from 0 to `limits.optionHoursMax` have it; else the widest with its mean.
 */
export function poolOf(estimates: readonly ThreePoint[]): Pool {
  const { points, mean, varianceKept } = exactPool(estimates);
  const [optimistic, pessimistic] = [toHundredths(points.optimistic), toHundredths(points.pessimistic)];
  // The bounds first, then what gives the mean with them: an error of half a hundredth of it is a third of that in the mean.
  const likely = toHundredths((6 * mean - optimistic - pessimistic) / 4);
  const hours = { optimistic, likely: Math.min(Math.max(likely, optimistic), pessimistic), pessimistic };
  return { hours, mean: toHundredths(mean), varianceKept };
}

/**
 * The same before rounding. Of beta-PERT distributions with one mean m and one variance v, one is left free: with `below` = m − o
 * and `above` = p − m, `below · above` = 7v, and o ≤ l ≤ p says that neither is more than five times the other. o ≥ 0 then
 * needs 7v/5 ≤ m²: σ up to 0.845 m. Chosen are the bounds that are nearest to the medians of the bounds of all estimates, by the
 * sum of both distances. One more estimate that equals the pool moves each median towards the pool's bound, so that its distance
 * shrinks by as much as that of any other can: it changes nothing, which the nearest in a straight line do not keep.
 */
export function exactPool(estimates: readonly ThreePoint[]): Omit<Pool, "hours"> & { readonly points: ThreePoint } {
  const { mean, variance } = linearPool(estimates);
  const product = 7 * variance;
  const made = (below: number, above: number, varianceKept: boolean) => ({
    points: {
      optimistic: Math.max(mean - below, 0),
      likely: Math.max(mean + (below - above) / 4, 0),
      pessimistic: mean + above,
    },
    ...{ mean, varianceKept },
  });
  if (product <= NEGLIGIBLE * mean * mean) return made(0, 0, true);
  const least = Math.max(Math.sqrt(product / 5), product / (HIGHEST - mean));
  const most = Math.min(Math.sqrt(5 * product), mean);
  // A rounding error of the widest points that there are is not a variance that was lost.
  if (least > most * (1 + NEGLIGIBLE)) {
    const above = Math.min(5 * mean, HIGHEST - mean);
    return made(Math.min(mean, 5 * above), above, false);
  }
  const below = nearestBelow(estimates, { mean, product, least: Math.min(least, most), most });
  return made(below, product / below, true);
}

interface Curve {
  readonly mean: number;
  /** Of the distances of the mean to both bounds. */
  readonly product: number;
  /** The distances to the lower bound that are possible. */
  readonly least: number;
  readonly most: number;
}

/**
 * Returns the distance of the mean to the lower bound for which the bounds are nearest to the medians of those of the estimates.
 * With x for it, both distances together are |m − x − low| + |m + 7v/x − high|, whose minimum is where one of them is 0, at √(7v)
 * between, or at an end.
 */
function nearestBelow(estimates: readonly ThreePoint[], { mean, product, least, most }: Curve): number {
  const median = (of: (points: ThreePoint) => number) => medianOf(estimates.map(of).toSorted((a, b) => a - b));
  const [low, high] = [median((points) => points.optimistic), median((points) => points.pessimistic)];
  const distance = (below: number) => Math.abs(mean - below - low) + Math.abs(mean + product / below - high);
  const candidates = [least, mean - low, high > mean ? product / (high - mean) : most, Math.sqrt(product), most]
    .map((below) => Math.min(Math.max(below, least), most))
    .sort((a, b) => a - b);
  // Of several that are as near, but for rounding errors, the first.
  const nearest = Math.min(...candidates.map(distance)) + NEGLIGIBLE * mean;
  return candidates.find((below) => distance(below) <= nearest) ?? least;
}
