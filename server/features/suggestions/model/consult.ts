import { createHash } from "node:crypto";
import { blend } from "../../../../domain/suggestion/blend.ts";
import { type AskedModel, analogsAsked, askAbout } from "../../../../domain/suggestion/model-question.ts";
import { createScrubber } from "../../../../domain/suggestion/scrub.ts";
import type { Suggested, SuggestionWarning } from "../../../../domain/suggestion/suggest.ts";
import { canonicalJson } from "../../../../domain/versions/canonical.ts";
import { currentDeadline } from "../../../platform/deadline.ts";
import type { Services } from "../../../services/index.ts";
import { readFinished } from "../../tasks/index.ts";
import type { Made } from "../make.ts";
import { type AskModel, PROMPT_VERSION } from "./ask.ts";
import { endQuestion, findResponse, namesToHide, reserveQuestion } from "./response-store.ts";

/** Questions of a process to the language model at the same time, of all users. */
export const QUESTIONS_AT_ONCE = 16;

/** Whose suggestion it is. */
export interface Asker {
  readonly estimationId: string;
  readonly userId: string;
}

export interface Consultant {
  /** Returns the suggestion combined with the language model's response, or unchanged with a warning. */
  consult(made: Made, asker: Asker): Promise<Made>;
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** The suggestion with another outcome of asking the model; the hash names that outcome too. */
const changed = (made: Made, suggested: Suggested, outcome: unknown): Made => ({
  ...{ ...made, suggested },
  inputHash: sha256(canonicalJson([made.inputHash, outcome])),
});

const warned = (made: Made, warning: SuggestionWarning): Made =>
  changed(made, { ...made.suggested, warnings: [...made.suggested.warnings, warning] }, warning);

/**
 * Asks the configured language model about suggestions that are based on finished tasks. `ask` is null where no model is configured,
 * which must not wait for a network: they only use stored responses. No transaction or lock is held while waiting.
 */
export function createConsultant({ config, clock, pool, log }: Services, ask: AskModel | null): Consultant {
  const { languageModel } = config;
  let running = 0;

  const keyOf = ({ inputHash }: Made) =>
    sha256(
      canonicalJson([inputHash, PROMPT_VERSION, languageModel?.protocol, languageModel?.url, languageModel?.model]),
    );

  /** The texts are read again; a task that has changed meanwhile is left out. */
  const questionOf = async (
    { suggested, isKnown }: Made,
    { estimationId, userId }: Asker,
  ): Promise<AskedModel | null> => {
    const { basis } = suggested;
    if (basis === null) return null;
    const analogs = analogsAsked(basis);
    const ids = analogs.map(({ taskId }) => taskId);
    const tasks = (await readFinished(pool, userId, ids)).filter(isKnown);
    const byId = new Map(tasks.map((task) => [task.id, task]));
    const scrub = createScrubber(await namesToHide(pool, estimationId, ids));
    return askAbout(
      basis,
      ids.flatMap((id) => byId.get(id) ?? []),
      scrub,
    );
  };

  const withResponse = (made: Made, asked: AskedModel, hours: readonly number[]): Made | null =>
    hours.length === asked.question.items.length
      ? changed(made, blend(made.suggested, asked, hours, made.question.correlation), hours)
      : null;

  return {
    async consult(made, asker) {
      if (languageModel === null || ask === null || made.suggested.basis === null) return made;
      const key = keyOf(made);
      const known = await findResponse(pool, key);
      const asked = await questionOf(made, asker);
      if (asked === null) return made;
      if (known) return withResponse(made, asked, known) ?? warned(made, "language_model_failed");
      if (running >= QUESTIONS_AT_ONCE) return warned(made, "language_model_busy");
      running += 1;
      // The model may take long, and nothing large is computed any more.
      currentDeadline()?.leave?.();
      try {
        const reserved = await reserveQuestion(pool, key, asker, clock.now());
        if (reserved === null) return warned(made, "language_model_busy");
        const hours = await ask(asked.question).catch((error: unknown) => {
          log.warn({ reason: reasonOf(error) }, "the language model gave no usable response");
          return null;
        });
        await endQuestion(pool, reserved, hours, clock.now());
        return (hours && withResponse(made, asked, hours)) ?? warned(made, "language_model_failed");
      } finally {
        running -= 1;
      }
    },
  };
}

/** What may be logged about a failure: never a message, which could quote the request or the response. */
function reasonOf(error: unknown): string {
  const names: string[] = [];
  for (let at = error; at instanceof Error && names.length < 4; at = at.cause) {
    const { statusCode, reason } = at as { statusCode?: unknown; reason?: unknown };
    names.push(
      [at.name, statusCode, reason].filter((part) => typeof part === "number" || typeof part === "string").join(" "),
    );
  }
  return names.join(" < ");
}
