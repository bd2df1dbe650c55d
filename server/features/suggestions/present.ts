import type { Suggestion } from "../../../contract/suggestions.ts";
import { presentFigures, roundHundredth } from "../../../domain/tree/round.ts";
import type { Made } from "./make.ts";

const METHODS = {
  1: "generic_band",
  2: "finished_tasks",
  3: "finished_tasks_and_estimates",
  4: "finished_tasks_and_language_model",
} as const;

/** Turns a suggestion into what the API shows. Analogs get the titles that the caller may read. */
export function presentSuggestion(
  { question, suggested, known, inputHash }: Made,
  titles: ReadonlyMap<string, string>,
): Suggestion {
  const { p50, p80, p90 } = presentFigures(question.figures);
  const { hours, reason, rung, analogs, perOption, warnings } = suggested;
  return {
    hours,
    reason,
    current: { p50, p80, p90 },
    ratio: hours === null || p50 === 0 ? null : roundHundredth(hours.p50 / p50),
    rung,
    method: METHODS[rung],
    evidence: {
      n: known.size,
      analogs: analogs.map(({ taskId, similarity, estimatedHours, actualHours }) => ({
        ...{ taskId, title: titles.get(taskId) ?? null, similarity, estimatedHours, actualHours },
      })),
    },
    perOption: [...perOption],
    warnings: known.isCut ? [...warnings, "newest_evidence_only"] : [...warnings],
    inputHash,
  };
}
