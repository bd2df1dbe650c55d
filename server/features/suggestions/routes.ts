import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { limits } from "../../../contract/limits.ts";
import { satisfies } from "../../../contract/scopes.ts";
import type { suggestions } from "../../../contract/suggestions.ts";
import type { Tree } from "../../../contract/tree.ts";
import { accuracyOf } from "../../../domain/suggestion/accuracy.ts";
import { type Question, type Suggested, suggest } from "../../../domain/suggestion/suggest.ts";
import { workOf } from "../../../domain/suggestion/work.ts";
import { figuresOf } from "../../../domain/tree/distribution.ts";
import { totalOf } from "../../../domain/tree/roll-up.ts";
import { canonicalJson } from "../../../domain/versions/canonical.ts";
import type { Queryable } from "../../db/database.ts";
import { fail } from "../../http/failure.ts";
import type { Actor, Handlers } from "../../http/handler.ts";
import { treeBytesHere } from "../../http/in-thread.ts";
import type { Services } from "../../services.ts";
import { loadTree, type ReadableEstimation } from "../estimations/index.ts";
import { titlesOf } from "../tasks/index.ts";
import { createEvidenceCache, type KnownEvidence } from "./evidence-cache.ts";
import { presentSuggestion } from "./present.ts";
import { listJudged, saveFeedback } from "./store.ts";

/** Increased whenever the same input gives another suggestion than before. */
const SUGGESTION_VERSION = 1;

/** A suggestion with the name of what it was made from. */
interface Made {
  readonly question: Question;
  readonly suggested: Suggested;
  readonly known: Pick<KnownEvidence, "isCut"> & { readonly size: number };
  readonly inputHash: string;
}

/** Suggesting hours, verdicts about that, and comparing it with what the work took. */
export function suggestionRoutes(_services: Services): Handlers<typeof suggestions, ReadableEstimation> {
  const cache = createEvidenceCache();

  const make = (db: Queryable, { id, correlation }: ReadableEstimation, tree: Tree, actor: Actor): Promise<Made> =>
    cache.use(db, actor.userId, id, async (known) => {
      const question = { work: workOf(tree), figures: figuresOf(totalOf(tree), correlation), correlation };
      const suggested = await inSteps(suggest(question, known.evidence));
      const input = canonicalJson([SUGGESTION_VERSION, question, known.hash, known.isCut]);
      const inputHash = createHash("sha256").update(input).digest("hex");
      return { question, suggested, known: { isCut: known.isCut, size: known.evidence.size }, inputHash };
    });

  return {
    async getSuggestion({ db, estimation, actor }) {
      const { tree } = estimation;
      const made = await make(db, estimation, tree, actor);
      const mayReadTasks = actor.credential === "session" || satisfies(actor.scopes, "tasks:read");
      const ids = made.suggested.analogs.map(({ taskId }) => taskId);
      const titles = mayReadTasks ? await titlesOf(db, ids) : new Map<string, string>();
      return { data: { suggestion: presentSuggestion(made, titles) } };
    },

    async giveSuggestionFeedback({ db, estimation, actor, body, now }) {
      const { inputHash, verdict, hours = null } = body;
      const made = await make(db, estimation, await loadTree(db, estimation.id, treeBytesHere), actor);
      if (made.inputHash !== inputHash) fail("suggestion_moved");
      const suggested = made.suggested.hours ?? fail("nothing_suggested");
      const given = { inputHash, verdict, hours, createdAt: now };
      await saveFeedback(db, { ...given, ...suggested, estimationId: estimation.id, userId: actor.userId });
      return { data: { feedback: { inputHash, verdict, hours, suggested, createdAt: now.toISOString() } } };
    },

    async getSuggestionAccuracy({ db, actor }) {
      return { data: { accuracy: accuracyOf(await listJudged(db, actor.userId, limits.suggestionsCompared)) } };
    },
  };
}

/** Runs work step by step, and lets others work in between. */
async function inSteps<R>(steps: Generator<void, R>): Promise<R> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await nextTurn();
  }
}
