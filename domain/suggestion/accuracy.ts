import type { SuggestionAccuracy, SuggestionVerdict } from "../../contract/endpoints/suggestions.ts";

/** A verdict about the suggestion for an estimation, in hours, and the totals of the estimation's tasks. */
export interface Judged {
  readonly verdict: SuggestionVerdict;
  readonly p10: number;
  readonly p50: number;
  readonly p90: number;
  /** Open tasks with hours, and how many of them are finished; null: there are no tasks. */
  readonly working: number | null;
  readonly workingFinished: number | null;
  readonly actualHours: number | null;
  readonly lastDoneAt: Date | null;
}

/** A suggestion whose estimation is done. */
interface Scored {
  /** Actual hours divided by the suggested P50. */
  readonly ratio: number;
  readonly isHit: boolean;
  readonly month: string;
}

const isScored = (score: Scored | null): score is Scored => score !== null;

function scoreOf({ p10, p50, p90, working, workingFinished, actualHours, lastDoneAt }: Judged): Scored | null {
  if (!working || working !== workingFinished || !actualHours || !lastDoneAt || p50 === 0) return null;
  const isHit = p10 <= actualHours && actualHours <= p90;
  return { ratio: actualHours / p50, isHit, month: lastDoneAt.toISOString().slice(0, 7) };
}

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;

/** Returns a quantile of values in rising order, interpolated (type 7 of Hyndman and Fan). */
function quantile(sorted: readonly number[], probability: number): number {
  const at = (sorted.length - 1) * probability;
  const [low, high] = [sorted[Math.floor(at)] ?? 0, sorted[Math.ceil(at)] ?? 0];
  return rounded(low + (high - low) * (at - Math.floor(at)));
}

function summarize(scores: readonly Scored[]) {
  if (scores.length === 0) return { n: 0, bias: null, spread: null, hitRate: null };
  const ratios = scores.map(({ ratio }) => ratio).sort((a, b) => a - b);
  return {
    n: scores.length,
    bias: quantile(ratios, 0.5),
    spread: { p10: quantile(ratios, 0.1), p90: quantile(ratios, 0.9) },
    hitRate: rounded(scores.filter(({ isHit }) => isHit).length / scores.length),
  };
}

/** Compares suggestions with the hours that the work took, in all and by the month in which it was done. */
export function accuracyOf(judged: readonly Judged[]): SuggestionAccuracy {
  const scores = judged.map(scoreOf).filter(isScored);
  const months = Map.groupBy(scores, ({ month }) => month);
  const countOf = (verdict: SuggestionVerdict) => judged.filter((one) => one.verdict === verdict).length;
  return {
    ...summarize(scores),
    accepted: countOf("accepted"),
    rejected: countOf("rejected"),
    months: [...months]
      .sort(([a], [b]) => (a < b ? 1 : -1))
      .map(([month, ofMonth]) => ({ month, ...summarize(ofMonth) })),
  };
}
