import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Tree } from "../../../contract/values/tree.ts";
import { type Question, type Suggested, suggest } from "../../../domain/suggestion/suggest.ts";
import { workOf } from "../../../domain/suggestion/work.ts";
import { figuresOf } from "../../../domain/tree/hours/distribution.ts";
import { totalOf } from "../../../domain/tree/hours/roll-up.ts";
import { canonicalJson } from "../../../domain/versions/canonical.ts";
import { fail } from "../../http/failure.ts";
import { monotonicMs } from "../../platform/clock.ts";
import { spend } from "../../platform/compute.ts";
import { Overloaded } from "../../platform/turns.ts";
import type { ReadableEstimation } from "../estimations/index.ts";
import type { StoredFinishedTask } from "../tasks/index.ts";
import type { EvidenceCache } from "./evidence-cache.ts";

/** Increased whenever the same input gives another suggestion than before. */
const SUGGESTION_VERSION = 3;

/** A suggestion with the hash of its input. */
export interface Made {
  readonly question: Question;
  readonly suggested: Suggested;
  readonly known: { readonly isCut: boolean; readonly size: number };
  readonly inputHash: string;
  /** Returns whether a task is still as it was when the suggestion was made. */
  isKnown(task: StoredFinishedTask): boolean;
}

/**
 * Makes the suggestion for an estimation from the finished tasks that a user may read, in steps between which other
 * work runs. Fails with `service_unavailable` if too many are waiting.
 */
export async function makeSuggestion(
  cache: EvidenceCache,
  { id, correlation }: Pick<ReadableEstimation, "id" | "correlation">,
  tree: Tree,
  userId: string,
): Promise<Made> {
  const made = cache.use(userId, id, async (known) => {
    const question = { work: workOf(tree), figures: figuresOf(totalOf(tree), correlation), correlation };
    const suggested = await inSteps(suggest(question, known.evidence));
    const input = canonicalJson([SUGGESTION_VERSION, question, known.hash, known.isCut]);
    const inputHash = createHash("sha256").update(input).digest("hex");
    const { isCut, evidence, holds } = known;
    return { question, suggested, known: { isCut, size: evidence.size }, inputHash, isKnown: holds };
  });
  return made.catch((error: unknown) => {
    if (error instanceof Overloaded) fail("service_unavailable");
    throw error;
  });
}

/** Runs work step by step, charges the caller for it, and lets other work run in between. */
async function inSteps<R>(steps: Generator<void, R>): Promise<R> {
  for (;;) {
    const begin = monotonicMs();
    const { done, value } = steps.next();
    spend(begin);
    if (done) return value;
    await nextTurn();
  }
}
