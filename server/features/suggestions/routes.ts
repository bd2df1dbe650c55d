import type { Suggestion, suggestions } from "../../../contract/endpoints/suggestions.ts";
import { satisfies } from "../../../contract/scopes.ts";
import { accuracyOf } from "../../../domain/suggestion/accuracy.ts";
import { presentFigures, roundHundredth } from "../../../domain/tree/hours/round.ts";
import { fail } from "../../http/failure.ts";
import type { Handlers } from "../../http/handler.ts";
import type { Services } from "../../services/index.ts";
import { loadTree, type ReadableEstimation } from "../estimations/index.ts";
import { titlesOf } from "../tasks/index.ts";
import { nameOfSources } from "./build-evidence.ts";
import { createEvidenceCache } from "./evidence-cache.ts";
import type { Made } from "./make.ts";
import { makeSuggestion } from "./make.ts";
import type { AskModel } from "./model/ask.ts";
import { createConsultant } from "./model/consult.ts";
import { createShownSuggestions } from "./shown.ts";
import { listJudged, saveFeedback } from "./store.ts";

const METHODS = {
  1: "generic_band",
  2: "finished_tasks",
  3: "finished_tasks_and_estimates",
  4: "finished_tasks_and_language_model",
} as const;

/** Turns a suggestion into what the API shows. Analogs get the titles that the caller may read. */
function presentSuggestion(
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

/** Estimations whose suggestions are compared with actual hours, the newest. */
const COMPARED = 1_000;

/** Suggested hours, verdicts about them, and their comparison with actual hours. */
export function suggestionRoutes(
  services: Services,
  ask: AskModel | null,
): Handlers<typeof suggestions, ReadableEstimation> {
  const cache = createEvidenceCache(services);
  const consultant = createConsultant(services, ask);
  const shown = createShownSuggestions();

  return {
    async getSuggestion({ db, estimation, actor }) {
      const { id, tree, revision } = estimation;
      const { userId } = actor;
      const local = await makeSuggestion(cache, estimation, tree, userId);
      const made = await consultant.consult(local, { estimationId: id, userId });
      shown.add({ userId, estimationId: id, revision, sources: local.sources }, [made]);
      const mayReadTasks = actor.credential === "session" || satisfies(actor.scopes, "tasks:read");
      const ids = made.suggested.analogs.map(({ taskId }) => taskId);
      // The language model may have taken a while: the caller may have lost access to some of them.
      const titles = mayReadTasks ? await titlesOf(db, userId, ids) : new Map<string, string>();
      return { data: { suggestion: presentSuggestion(made, titles) } };
    },

    async giveSuggestionFeedback({ db, estimation, actor, body, now }) {
      const { inputHash, verdict, hours = null } = body;
      const { id, revision } = estimation;
      const { userId } = actor;
      const basis = { userId, estimationId: id, revision, sources: await nameOfSources(db, userId, id) };
      let hoursShown = shown.find(basis)?.get(inputHash);
      if (hoursShown === undefined) {
        const local = await makeSuggestion(cache, estimation, await loadTree(db, id), userId);
        const possible = await consultant.possible(local, { estimationId: id, userId });
        shown.add({ ...basis, sources: local.sources }, possible);
        const made = possible.find((one) => one.inputHash === inputHash) ?? fail("suggestion_moved");
        hoursShown = made.suggested.hours;
      }
      const suggested = hoursShown ?? fail("nothing_suggested");
      return async (call) => {
        await saveFeedback(call.db, {
          inputHash,
          verdict,
          hours,
          createdAt: now,
          ...suggested,
          estimationId: id,
          userId,
        });
        return { data: { feedback: { inputHash, verdict, hours, suggested, createdAt: now.toISOString() } } };
      };
    },

    async getSuggestionAccuracy({ db, actor }) {
      return { data: { accuracy: accuracyOf(await listJudged(db, actor.userId, COMPARED)) } };
    },
  };
}
