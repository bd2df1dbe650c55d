import { alike, type Convention, everywhere, numberUnder } from "../../../../domain/transfer/hours/conventions.ts";
import type { NumberStyle } from "./number-style.ts";

/** What a field says, and whether it was pasted: then it may be written as elsewhere. */
export interface Typed {
  readonly text: string;
  readonly isPasted?: boolean;
}

/**
 * What was understood; or the readings that there are, each as a text that has only this one: none if it cannot be read,
 * several if the reader has to say which is meant. `why` says what to write instead.
 */
export type Read<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly readings: readonly string[]; readonly why?: string };

/**
 * Reads a number as the page writes it; null for nothing. A number that cannot be one of the page's is read as other
 * locales write it, if that has one reading: "1,5" in English, "1.5" in German.
 */
export function readNumber(typed: Typed, style: NumberStyle): Read<number | null> {
  const text = clean(typed);
  if (text === "") return { ok: true, value: null };
  const numbers = (conventions: readonly Convention[]) =>
    conventions.map((each) => numberUnder(each, text)).filter((value) => value !== null);
  const own = numbers(ownConventions(style));
  const all = typed.isPasted ? [...own, ...numbers(everywhere)] : own.length > 0 ? own : numbers(everywhere);
  const [first, ...others] = new Set(all);
  if (first !== undefined && others.length === 0) return { ok: true, value: first };
  return { ok: false, readings: [...new Set(all)].map(style.write) };
}

const clean = ({ text }: Typed) => alike(text.trim());

/** As the page writes numbers; a typed space can stand for any that separates groups. */
export const ownConventions = ({ decimal, group, hasPairs }: NumberStyle): readonly Convention[] => [
  { decimal, group: group && alike(group), hasPairs },
  { decimal, group: " ", hasPairs },
];
