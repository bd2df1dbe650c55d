import type { Figures } from "../tree/hours/distribution.ts";
import type { Analog, Evidence } from "./evidence.ts";
import { addUp, type Hours, levelsOf, quantilesAt } from "./levels.ts";
import { quantilesOf, type SuggestedHours, widened } from "./lognormal.ts";
import type { Work } from "./work.ts";

/**
 * What the suggestion is based on: 1 the tree alone, 2 finished tasks, 3 finished tasks and the ranges of the tree, 4
 * the same and a language model.
 */
export type Rung = 1 | 2 | 3 | 4;

/** Why nothing is suggested. */
export type Abstention = "nothing_counted" | "nothing_known";

export type SuggestionWarning =
  | "little_history"
  | "options_without_hours"
  | "largest_options_only"
  | "language_model_busy"
  | "language_model_failed";

/** What is suggested for one option. */
export interface OptionSuggestion {
  readonly optionId: string;
  readonly rung: Rung;
  /** Null: nothing is known about it. */
  readonly hours: SuggestedHours | null;
  /** The expected hours of the tree; null: it has none. */
  readonly current: number | null;
}

/** An option that was looked at by itself: its distribution, and its P1 and P99 in hours. */
export interface Part {
  readonly work: Work;
  readonly hours: Hours;
  readonly least: number;
  readonly most: number;
}

/** The input of a suggestion from finished tasks; not part of the response. */
export interface Basis {
  /** In the order of `perOption`. */
  readonly parts: readonly Part[];
  /** The options that were judged together. */
  readonly others: readonly Hours[];
  /** Every similar finished task that was found, the most similar first. */
  readonly analogs: readonly Analog[];
}

/** What is suggested for an estimation. */
export interface Suggested {
  readonly rung: Rung;
  readonly hours: SuggestedHours | null;
  readonly reason: Abstention | null;
  readonly perOption: readonly OptionSuggestion[];
  readonly analogs: readonly Analog[];
  readonly warnings: readonly SuggestionWarning[];
  /** Null: it is not based on finished tasks. */
  readonly basis: Basis | null;
}

/** From this number on, finished tasks are used instead of the generic band. */
export const EVIDENCE_LEAST = 10;
/** Options that are looked at one by one, the largest; the others are judged together, by what all tasks have in common. */
export const OPTIONS_MOST = 200;
/** Analogs of a response. */
const ANALOGS_MOST = 5;
/** Below this cosine two texts have no more than common words in common. */
const SIMILAR_LEAST = 0.05;

/** Where the hours come from: the counted options, and the roll-up of the tree. */
export interface Question {
  readonly work: readonly Work[];
  readonly figures: Figures;
  /** The estimation's correlation ρ, 0 to 1. */
  readonly correlation: number;
}

/**
 * Suggests hours, on the highest rung that the evidence allows. A generator, so that its caller can let other work run
 * in between: it yields after each option and returns the result. The same question and evidence give the same result
 * to the last bit.
 */
export function* suggest(question: Question, evidence: Evidence): Generator<void, Suggested> {
  const { work, figures } = question;
  const withoutHours = work.filter(({ hours }) => hours === null).length;
  const warnings: SuggestionWarning[] = withoutHours > 0 ? ["options_without_hours"] : [];
  if (work.length === 0) return abstain("nothing_counted", []);
  if (evidence.size >= EVIDENCE_LEAST) return yield* fromEvidence(question, evidence, warnings);
  if (figures.expected === 0) return abstain("nothing_known", ["little_history", ...warnings]);
  const perOption = work.map(({ optionId, hours }) => ({
    ...{ optionId, rung: 1 as const, current: shown(hours) },
    hours: hours === null ? null : quantilesOf(widened({ mean: hours, deviation: 0 })),
  }));
  const total = widened({ mean: figures.expected, deviation: figures.standardDeviation });
  return {
    ...{ rung: 1, hours: quantilesOf(total), reason: null, analogs: [] },
    ...{ perOption: perOption.slice(0, OPTIONS_MOST), warnings: ["little_history", ...warnings], basis: null },
  };
}

const abstain = (reason: Abstention, warnings: readonly SuggestionWarning[]): Suggested => ({
  ...{ rung: 1, hours: null, reason, perOption: [], analogs: [], warnings, basis: null },
});

const shown = (hours: number | null): number | null => (hours === null ? null : Math.round(hours * 100) / 100);

/** Stands for the options that are not looked at one by one: it resembles nothing. */
const rest = (hours: number | null): Work => ({ optionId: "", title: "", description: "", role: null, hours });

function* fromEvidence(
  { work, correlation }: Question,
  evidence: Evidence,
  warnings: readonly SuggestionWarning[],
): Generator<void, Suggested> {
  const largest = [...work.keys()]
    .sort((a, b) => (work[b]?.hours ?? 0) - (work[a]?.hours ?? 0) || a - b)
    .slice(0, OPTIONS_MOST);
  const isLargest = new Set(largest);
  const perOption: OptionSuggestion[] = [];
  const parts: Part[] = [];
  const analogs = new Map<string, Analog>();
  for (const [at, item] of work.entries()) {
    if (!isLargest.has(at)) continue;
    yield* evidence.prepare(item);
    const expected = evidence.expect(item);
    const { optionId, hours } = item;
    const part = { levels: levelsOf(expected.quantile), times: hours ?? 1 };
    const [least, most] = [0.01, 0.99].map((probability) => part.times * expected.quantile(probability));
    parts.push({ work: item, hours: part, least: least as number, most: most as number });
    perOption.push({ optionId, rung: hours === null ? 2 : 3, hours: quantilesAt(part), current: shown(hours) });
    for (const analog of expected.analogs) {
      const known = analogs.get(analog.taskId);
      if (!known || known.similarity < analog.similarity) analogs.set(analog.taskId, analog);
    }
    yield;
  }
  const others = work.filter((_, at) => !isLargest.has(at));
  // The ratio of an option that resembles nothing is the same whatever its hours.
  const commonOf = (hours: number | null) => levelsOf(evidence.expect(rest(hours)).quantile);
  const ratio = others.some(({ hours }) => hours !== null) ? commonOf(1) : null;
  const unknown = others.some(({ hours }) => hours === null) ? commonOf(null) : null;
  const together = others.flatMap(({ hours }) => {
    const levels = hours === null ? unknown : ratio;
    return levels ? [{ levels, times: hours ?? 1 }] : [];
  });
  const total = yield* addUp([...parts.map((part) => part.hours), ...together], correlation);
  const similar = [...analogs.values()]
    .filter(({ similarity }) => similarity >= SIMILAR_LEAST)
    .sort((a, b) => b.similarity - a.similarity || (a.taskId < b.taskId ? -1 : 1));
  return {
    rung: work.some(({ hours }) => hours !== null) ? 3 : 2,
    hours: quantilesAt(total),
    reason: null,
    perOption,
    analogs: similar
      .slice(0, ANALOGS_MOST)
      .map((analog) => ({ ...analog, similarity: Math.round(Math.min(analog.similarity, 1) * 1_000) / 1_000 })),
    warnings: others.length > 0 ? [...warnings, "largest_options_only"] : warnings,
    basis: { parts, others: together, analogs: similar },
  };
}
