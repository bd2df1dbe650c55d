import { limits } from "../../contract/limits.ts";
import type { OwnPart } from "../../contract/values/round.ts";
import type { ThreePoint } from "../../contract/values/tree.ts";

/** What a person said about an option: an estimate, or null: skipped. */
export type Answer = (ThreePoint & { readonly note: string | null }) | null;

const SKIPPED = 0;
type Stored = readonly [optimistic: number, likely: number, pessimistic: number, note?: string] | typeof SKIPPED | null;

/**
 * All that a person said in a round, by the place of the option among those of the round: hours and note, 0 for a skipped option, null
 * or nothing for one that is left. It is stored so, because it is written whole with each request: without names it is a third as long.
 */
export type Answers = readonly Stored[];

const stored = (answer: Answer): Stored => {
  if (answer === null) return SKIPPED;
  const { optimistic, likely, pessimistic, note } = answer;
  return note === null ? [optimistic, likely, pessimistic] : [optimistic, likely, pessimistic, note];
};

/** Returns the answers to `count` options, with later ones, by their places, in the place of earlier ones. */
export const withAnswers = (before: Answers, count: number, later: ReadonlyMap<number, Answer>): Answers =>
  Array.from({ length: count }, (_, at) => {
    const answer = later.get(at);
    return answer === undefined ? (before[at] ?? null) : stored(answer);
  });

/** Returns what was said about the option at a place; undefined: nothing. */
export function answerAt(answers: Answers, at: number): Answer | undefined {
  const found = answers[at] ?? undefined;
  if (found === undefined) return undefined;
  if (found === SKIPPED) return null;
  const [optimistic, likely, pessimistic, note = null] = found;
  return { optimistic, likely, pessimistic, note };
}

/** Returns whether all notes together have at most `limits.roundNotesBytes`, in UTF-8. */
export function notesFit(answers: Answers): boolean {
  const notes = answers.map((answer) => (answer ? (answer[3] ?? "") : "")).join("");
  // No character takes more than three bytes for each unit of its length.
  return notes.length * 3 <= limits.roundNotesBytes || new TextEncoder().encode(notes).length <= limits.roundNotesBytes;
}

/** Returns how far somebody has come in a round of so many options. */
export function partOf(answers: Answers, count: number): OwnPart {
  const answered = answers.filter((answer) => answer !== null).length;
  return { answered, remaining: count - answered };
}
