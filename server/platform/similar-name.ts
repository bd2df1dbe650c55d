import { typingErrors } from "./typing-errors.ts";

/**
 * Returns the name in `known` that was probably meant by `name`: one that differs by one letter, in long names by two,
 * in any case. Undefined if none is that similar; names of fewer than six letters resemble too many others.
 */
export function similarName(name: string, known: readonly string[]): string | undefined {
  const wanted = name.toUpperCase();
  return known
    .filter((one) => one.length >= 6 || one.toUpperCase() === wanted)
    .map((one) => ({ one, errors: typingErrors(wanted, one.toUpperCase()) }))
    .filter(({ one, errors }) => errors <= (one.length < 12 ? 1 : 2))
    .sort((a, b) => a.errors - b.errors)[0]?.one;
}
