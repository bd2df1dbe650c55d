import type { Figures } from "./distribution.ts";

/**
 * Returns the nearest hundredth, halves up. The factor corrects decimal halves that binary cannot represent (1.005 is
 * stored as 1.00499…). The result never falls when `value` rises, so percentiles stay in order and within their bounds.
 */
export function roundHundredth(value: number): number {
  return Math.round(value * 100 * (1 + Number.EPSILON)) / 100;
}

/** Returns whether a number has at most two decimals. */
export function hasTwoDecimals(value: number): boolean {
  return roundHundredth(value) === value;
}

/** Returns figures as the API shows them: hours to two decimals, each rounded independently. */
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
