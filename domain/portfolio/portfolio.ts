import type { Portfolio } from "../../contract/endpoints/portfolio.ts";
import { apportion } from "../tree/hours/apportion.ts";
import { type Moments, percentilesOf, shareBelow, spreadOf, varianceOf } from "../tree/hours/distribution.ts";
import { roundHundredth } from "../tree/hours/round.ts";

/** What is known of an estimation without its tree, in hours. */
export interface Part {
  readonly id: string;
  readonly title: string;
  readonly moments: Moments;
  readonly p80: number;
  readonly hourlyRate: number | null;
  readonly currency: string | null;
}

/** People who do nothing else. */
export interface Capacity {
  readonly people: number;
  /** Hours that each works from Monday to Friday. */
  readonly hoursPerWeek: number;
  /** Days from 1 January 1970, both worked. */
  readonly from: number;
  readonly until: number;
}

/** Shares are shown in millionths. */
const SHARES = 1e6;

/**
 * Returns the hours of several estimations together. Their sum has the sums of their bounds and means, and, with the pairwise
 * correlation ρ, 0 to 1, the variance S² = (1 − ρ)ΣS² + ρ(ΣS)²; its distribution is that of `spreadOf`. Each has the part
 * ((1 − ρ)S² + ρS·ΣS)/S² of the variance.
 */
export function portfolioOf(parts: readonly Part[], correlation: number, capacity: Capacity | null): Portfolio {
  const moments = momentsOfAll(
    parts.map((part) => part.moments),
    correlation,
  );
  return {
    count: parts.length,
    correlation,
    hours: presented(moments),
    sumOfP80: roundHundredth(parts.reduce((sum, { p80 }) => sum + p80, 0)),
    costs: costsOf(parts, correlation),
    drivers: driversOf(parts, correlation),
    capacity: capacity && within(moments, capacity),
  };
}

function momentsOfAll(all: readonly Moments[], correlation: number): Moments {
  const sumOf = (value: (one: Moments) => number) => all.reduce((sum, one) => sum + value(one), 0);
  const deviations = sumOf(({ standardDeviation }) => standardDeviation);
  const variances = sumOf(({ standardDeviation }) => standardDeviation ** 2);
  return {
    optimistic: sumOf(({ optimistic }) => optimistic),
    pessimistic: sumOf(({ pessimistic }) => pessimistic),
    expected: sumOf(({ expected }) => expected),
    standardDeviation: Math.sqrt(varianceOf({ deviations, variances }, correlation)),
  };
}

function presented(moments: Moments): Portfolio["hours"] {
  const { p50, p80, p90, p95 } = percentilesOf(moments);
  return {
    expected: roundHundredth(moments.expected),
    p50: roundHundredth(p50),
    p80: roundHundredth(p80),
    p90: roundHundredth(p90),
    p95: roundHundredth(p95),
  };
}

/**
 * Costs are hours times the rate of each. With different rates, percentiles of hours say nothing about those of costs; with one,
 * costs are the hours that are shown times the rate, so that a reader can check them.
 */
function costsOf(parts: readonly Part[], correlation: number): Portfolio["costs"] {
  const priced = parts.filter(({ hourlyRate }) => hourlyRate !== null);
  return [...Map.groupBy(priced, ({ currency }) => currency)]
    .map(([currency, all]) => ({
      currency,
      count: all.length,
      ...costOf(all, correlation),
    }))
    .sort((one, other) => other.count - one.count || ((one.currency ?? "") < (other.currency ?? "") ? -1 : 1));
}

function costOf(priced: readonly Part[], correlation: number): Portfolio["hours"] {
  const [rate = 0, ...others] = new Set(priced.map(({ hourlyRate }) => hourlyRate ?? 0));
  const moments = priced.map(({ moments: own, hourlyRate }) => (others.length > 0 ? times(own, hourlyRate ?? 0) : own));
  const { expected, p50, p80, p90, p95 } = presented(momentsOfAll(moments, correlation));
  const cost = (value: number) => (others.length > 0 ? value : roundHundredth(value * rate));
  return { expected: cost(expected), p50: cost(p50), p80: cost(p80), p90: cost(p90), p95: cost(p95) };
}

const times = ({ optimistic, pessimistic, expected, standardDeviation }: Moments, rate: number): Moments => ({
  optimistic: optimistic * rate,
  pessimistic: pessimistic * rate,
  expected: expected * rate,
  standardDeviation: standardDeviation * rate,
});

/** Each estimation with its share, the largest first; shares sum to 1, or are all 0 if nothing is uncertain. */
function driversOf(parts: readonly Part[], correlation: number): Portfolio["drivers"] {
  const deviations = parts.reduce((sum, { moments }) => sum + moments.standardDeviation, 0);
  const variances = parts.map(
    ({ moments: { standardDeviation: own } }) => (1 - correlation) * own ** 2 + correlation * own * deviations,
  );
  const all = variances.reduce((sum, one) => sum + one, 0);
  const units = apportion(
    variances.map((one) => (all > 0 ? (one / all) * SHARES : 0)),
    all > 0 ? SHARES : 0,
  );
  return parts
    .map(({ id, title, moments, p80 }, at) => ({
      estimationId: id,
      title,
      hours: { expected: moments.expected, p80 },
      share: (units[at] ?? 0) / SHARES,
    }))
    .sort((one, other) => other.share - one.share);
}

function within(moments: Moments, { people, hoursPerWeek, from, until }: Capacity): Portfolio["capacity"] {
  const hours = roundHundredth((people * hoursPerWeek * weekdaysFrom(from, until)) / 5);
  const spread = spreadOf(moments);
  // Sums of exact hours have rounding errors, which are not shown.
  const shown = "mean" in spread ? { mean: roundHundredth(spread.mean) } : spread;
  return { hours, probability: roundHundredth(shareBelow(shown, hours)) };
}

/** Returns how many days from Monday to Friday there are from one day to another, both included. */
function weekdaysFrom(from: number, until: number): number {
  // 5 January 1970 was a Monday.
  const before = (day: number) => {
    const days = day - 4;
    return Math.floor(days / 7) * 5 + Math.min(days - Math.floor(days / 7) * 7, 5);
  };
  return before(until + 1) - before(from);
}
