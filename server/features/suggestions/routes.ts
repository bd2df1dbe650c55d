import { satisfies } from "../../../contract/scopes.ts";
import type { suggestions } from "../../../contract/suggestions.ts";
import { accuracyOf } from "../../../domain/suggestion/accuracy.ts";
import { fail } from "../../http/failure.ts";
import type { Handlers } from "../../http/handler.ts";
import type { Services } from "../../services.ts";
import { loadTree, type ReadableEstimation } from "../estimations/index.ts";
import { titlesOf } from "../tasks/index.ts";
import { nameOfSources } from "./build-evidence.ts";
import { createEvidenceCache } from "./evidence-cache.ts";
import { makeSuggestion } from "./make.ts";
import type { AskModel } from "./model/ask.ts";
import { createConsultant } from "./model/consult.ts";
import { presentSuggestion } from "./present.ts";
import { createShownSuggestions } from "./shown.ts";
import { listJudged, saveFeedback } from "./store.ts";

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
