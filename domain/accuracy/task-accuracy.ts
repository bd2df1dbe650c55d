import type { TaskAccuracy } from "../../contract/endpoints/accuracy.ts";
import { limits } from "../../contract/limits.ts";
import type { ThreePoint } from "../../contract/values/tree.ts";
import { betaQuantiles } from "../tree/hours/beta.ts";
import { addPoints, meanOf, momentsOf, noHours, shareBelow, spreadOf } from "../tree/hours/distribution.ts";
import { roleKey, writtenRole } from "../tree/roles.ts";
import { medianInterval, medianOf, wilson } from "./intervals.ts";

/** A finished task: done, with estimated and actual hours above 0. */
export interface FinishedWork {
  readonly role: string | null;
  readonly hours: number;
  /** What was generated: `hours` differ where a user set others. */
  readonly baseHours: number | null;
  /** What `baseHours` were generated from; null where nothing is known. */
  readonly points: ThreePoint | null;
  readonly actualHours: number;
  readonly doneAt: Date;
}

/** Stated probabilities at which is counted how many tasks took no longer. */
const PROBABILITIES = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
/** Tasks with a range from which on something is said about the ranges: an interval of fewer says next to nothing. */
const LEAST = limits.accuracyTasksMin;

/** What the range of a task said about its actual hours. */
interface Place {
  /** How likely the range held it to take no longer than it did, 0 to 1: the probability integral transform. */
  readonly below: number;
  /** How far from P50 it was, in widths from P50 to P90, or to P10 where it took less: at most 1 is between P10 and P90. */
  readonly distance: number;
}

/**
 * Returns where the actual hours of a task are in its range: the beta-PERT distribution of its points, which grows or shrinks
 * with hours that a user set. Null for a task without a range.
 */
export function placeOf({ hours, baseHours, points, actualHours }: FinishedWork): Place | null {
  if (points === null) return null;
  const factor = hours === baseHours ? 1 : hours / meanOf(points);
  const sums = noHours();
  addPoints(sums, points, factor);
  const spread = spreadOf(momentsOf(sums, 0));
  if ("mean" in spread) return null;
  const { low, high, alpha, beta } = spread;
  const quantiles = betaQuantiles([0.1, 0.5, 0.9], alpha, beta).map((part) => low + (high - low) * part);
  const [p10, p50, p90] = quantiles as [number, number, number];
  const distance = actualHours < p50 ? (p50 - actualHours) / (p50 - p10) : (actualHours - p50) / (p90 - p50);
  return { below: shareBelow(spread, actualHours), distance };
}

const isPlace = (place: Place | null): place is Place => place !== null;

/**
 * Returns by how much ranges have to be made wider, about their P50, so that 80 of 100 further tasks are within P10 to P90:
 * the ⌈0.8(n + 1)⌉-th smallest distance. That is split-conformal prediction, with the distance as its score (Vovk, Gammerman,
 * Shafer 2005; Romano, Patterson, Candès 2019), and holds for any distribution if further tasks are like these. Needs at least
 * four distances.
 */
export function widening(distances: readonly number[]): number {
  const sorted = distances.toSorted((a, b) => a - b);
  // In tenths: 0.8 × 10 would be more than 8.
  return sorted[Math.ceil((8 * (sorted.length + 1)) / 10) - 1] as number;
}

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;

function rangesOf(places: readonly Place[]): TaskAccuracy["ranges"] {
  const n = places.length;
  if (n < LEAST) return { n, held: null, low: null, high: null, widenBy: null };
  const held = places.filter(({ distance }) => distance <= 1).length;
  const { low, high } = wilson(held, n);
  const widenBy = rounded(widening(places.map(({ distance }) => distance)));
  return { n, held, low: rounded(low), high: rounded(high), widenBy };
}

function reliabilityOf(places: readonly Place[]): TaskAccuracy["reliability"] {
  const n = places.length;
  if (n < LEAST) return [];
  return PROBABILITIES.map((stated) => {
    const within = places.filter(({ below }) => below <= stated).length;
    const { low, high } = wilson(within, n);
    return { stated, observed: rounded(within / n), low: rounded(low), high: rounded(high) };
  });
}

function ratioOf(tasks: readonly FinishedWork[]): TaskAccuracy["ratio"] {
  const n = tasks.length;
  if (n === 0) return { n, median: null, low: null, high: null };
  const ratios = tasks.map(({ actualHours, hours }) => actualHours / hours).sort((a, b) => a - b);
  const interval = medianInterval(ratios);
  const [low, high] = interval ? [rounded(interval.low), rounded(interval.high)] : [null, null];
  return { n, median: rounded(medianOf(ratios)), low, high };
}

const monthOf = ({ doneAt }: FinishedWork): string => doneAt.toISOString().slice(0, 7);
const roleOf = ({ role }: FinishedWork): string => roleKey(role);

/**
 * Compares the estimates of finished tasks with the hours that they took, in all, by month and by role. Both their ranges, as a
 * reliability diagram does (Gneiting, Balabdaoui, Raftery 2007: what was held 30 % likely should come about in 30 %), and
 * their hours. All intervals are those of 95 %, and count tasks as independent.
 */
export function accuracyOfTasks(tasks: readonly FinishedWork[], isCut: boolean): TaskAccuracy {
  const known = tasks.map((task) => ({ ...task, place: placeOf(task) }));
  const placesOf = (some: typeof known) => some.map(({ place }) => place).filter(isPlace);
  const months = [...Map.groupBy(known, monthOf)].sort(([a], [b]) => (a < b ? 1 : -1));
  const roles = [...Map.groupBy(known, roleOf)].sort(
    ([a, ofA], [b, ofB]) => ofB.length - ofA.length || (a < b ? -1 : 1),
  );
  return {
    ratio: ratioOf(known),
    ranges: rangesOf(placesOf(known)),
    reliability: reliabilityOf(placesOf(known)),
    months: months.slice(0, limits.accuracyMonths).map(([month, of]) => ({ month, ...ratioOf(of) })),
    roles: roles.slice(0, limits.accuracyRoles).map(([, of]) => ({
      role: writtenRole(of[0]?.role),
      ratio: ratioOf(of),
      ranges: rangesOf(placesOf(of)),
    })),
    isCut,
  };
}
