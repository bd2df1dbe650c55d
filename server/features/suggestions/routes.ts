import type { Suggestion, suggestions } from "../../../contract/endpoints/suggestions.ts";
import { satisfies } from "../../../contract/scopes.ts";
import type { Fault } from "../../../contract/values/faults.ts";
import { calibrationOf, calibrationOfAll } from "../../../domain/rounds/calibration.ts";
import { accuracyOf } from "../../../domain/suggestion/accuracy.ts";
import { presentFigures, roundHundredth } from "../../../domain/tree/hours/round.ts";
import { failWith } from "../../http/failure.ts";
import type { Handlers } from "../../http/handler.ts";
import type { Services } from "../../services/index.ts";
import type { ReadableEstimation } from "../estimations/index.ts";
import { readAllJudged, readOwnJudged } from "../rounds/index.ts";
import { titlesOf } from "../tasks/index.ts";
import { createEvidenceCache } from "./evidence-cache.ts";
import type { Made } from "./make.ts";
import { makeSuggestion } from "./make.ts";
import type { AskModel } from "./model/ask.ts";
import { createConsultant } from "./model/consult.ts";
import { createReceipts } from "./receipts.ts";
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

const notAReceipt: Fault = {
  path: "/receipt",
  in: "body",
  code: "unknown_reference",
  message: "must be the receipt that you got with a suggestion for this estimation",
};

/** Suggested hours, verdicts about them, and their comparison with actual hours. */
export function suggestionRoutes(
  services: Services,
  ask: AskModel | null,
): Handlers<typeof suggestions, ReadableEstimation> {
  const cache = createEvidenceCache(services);
  const consultant = createConsultant(services, ask);
  const receipts = createReceipts(services.linkKeys.suggestion);

  return {
    async getSuggestion({ db, estimation, actor }) {
      const { id, tree } = estimation;
      const { userId } = actor;
      const local = await makeSuggestion(cache, estimation, tree, userId);
      const made = await consultant.consult(local, { estimationId: id, userId });
      const mayReadTasks = actor.credential === "session" || satisfies(actor.scopes, "tasks:read");
      const ids = made.suggested.analogs.map(({ taskId }) => taskId);
      // The language model may have taken a while: the caller may have lost access to some of them.
      const titles = mayReadTasks ? await titlesOf(db, userId, ids) : new Map<string, string>();
      const { hours } = made.suggested;
      const receipt = hours && receipts.make({ estimationId: id, userId, inputHash: made.inputHash, hours });
      return { data: { suggestion: presentSuggestion(made, titles), receipt } };
    },

    async giveSuggestionFeedback({ db, estimation, actor, body, now }) {
      const { verdict, hours = null } = body;
      const { id: estimationId } = estimation;
      const { userId } = actor;
      const read = receipts.read(body.receipt, { estimationId, userId });
      if (read === null) return failWith([notAReceipt]);
      const { inputHash, hours: suggested } = read;
      const row = { estimationId, userId, inputHash, verdict, hours, createdAt: now };
      await saveFeedback(db, { ...row, ...suggested });
      return { data: { feedback: { inputHash, verdict, hours, suggested, createdAt: now.toISOString() } } };
    },

    async getSuggestionAccuracy({ db, actor, query }) {
      const { userId } = actor;
      const accuracy = accuracyOf(await listJudged(db, userId, COMPARED));
      if (query.by === "me") return { data: { accuracy, calibration: calibrationOf(await readOwnJudged(db, userId)) } };
      if (query.by === "people")
        return { data: { accuracy, calibration: calibrationOfAll(await readAllJudged(db, userId)) } };
      return { data: { accuracy } };
    },
  };
}
