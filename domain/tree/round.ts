import type { Figures } from "./distribution.ts";

/**
 * The nearest hundredth, halves up. The factor undoes what the binary form took from a decimal half (1.005 is stored as
 * 1.00499…). It never falls where `value` rises, so percentiles stay in order and within their bounds.
 */
export function roundHundredth(value: number): number {
  return Math.round(value * 100 * (1 + Number.EPSILON)) / 100;
}

/** Whether a number has at most two decimals. */
export function hasTwoDecimals(value: number): boolean {
  return roundHundredth(value) === value;
}

/** Figures as they are answered: hours to two decimals, each rounded by itself. */
export function presentFigures(figures: Figures): Figures {
  return {
    optimistic: roundHundredth(figures.optimistic),
    likely: roundHundredth(figures.likely),
    pessimistic: roundHundredth(figures.pessimistic),
    expected: roundHundredth(figures.expected),
    standardDeviation: roundHundredth(figures.standardDeviation),
    p50: roundHundredth(figures.p50),
    p80: roundHundredth(figures.p80),
    p90: roundHundredth(figures.p90),
    p95: roundHundredth(figures.p95),
  };
}
