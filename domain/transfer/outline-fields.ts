import type { ThreePoint } from "../tree/shape.ts";
import { takeBracketed } from "./hours/looks-like-hours.ts";
import { readHours } from "./hours/read-hours.ts";
import { isEscaped, trimmed, writeLine, writeQuoted, writeText } from "./outline-text.ts";
import type { OptionWords } from "./read-line.ts";

export function writeWords({ hours, override, quantity, unit, role }: Required<OptionWords>): string {
  const words: string[] = [];
  if (hours !== null) words.push(writeHours(hours));
  if (override !== null) words.push(`=${writeHours(override)}`);
  if (quantity !== 1 || unit !== null) {
    words.push(`x${quantity}${unit === null ? "" : `(${writeText(unit).replace(/[():]/g, "\\$&")})`}`);
  }
  if (role !== null) {
    const isPlain = /^[^\s"]+$/u.test(role) && writeText(role) === role;
    words.push(isPlain ? `@${role}` : `@${writeQuoted(role).replaceAll(":", "\\:")}`);
  }
  return words.join(" ");
}

function writeHours({ optimistic, likely, pessimistic }: ThreePoint): string {
  return optimistic === pessimistic ? String(likely) : `${optimistic}-${likely}-${pessimistic}`;
}

/** What a question's line may contain in brackets after its title. */
export interface Choice {
  kind: "single" | "multi" | "group" | null;
  required: boolean;
  min: number | null;
  max: number | null;
}

const KINDS = { "choose one": "single", "choose any": "multi", all: "group" } as const;

/** Reads `(choose one, required, min 1, max 2)` at the end of a line, in any case; null if the line ends differently. */
export function splitChoice(written: string): { title: string; choice: Choice } | null {
  const from = written.lastIndexOf("(");
  if (from < 0 || !written.endsWith(")") || isEscaped(written, from)) return null;
  const choice: Choice = { kind: null, required: false, min: null, max: null };
  for (const word of written
    .slice(from + 1, -1)
    .toLowerCase()
    .split(",")
    .map(trimmed)) {
    const bound = /^(min|max) (\d{1,4})$/.exec(word);
    if (Object.hasOwn(KINDS, word)) choice.kind = KINDS[word as keyof typeof KINDS];
    else if (word === "required") choice.required = true;
    else if (bound) choice[bound[1] as "min" | "max"] = Number(bound[2]);
    else return null;
  }
  return { title: trimmed(written.slice(0, from)), choice };
}

export function writeChoice({ kind, required, min, max }: Choice): string {
  const words = Object.entries(KINDS).flatMap(([word, value]) => (value === kind ? [word] : []));
  if (required) words.push("required");
  if (min !== null) words.push(`min ${min}`);
  if (max !== null) words.push(`max ${max}`);
  return words.length > 0 ? ` (${words.join(", ")})` : "";
}

/**
 * Colons after which something could be hours, a quantity or a role. Each is escaped, also where the rest could not be
 * read as such: to find that out would mean to read the rest of the title for each colon.
 */
const COLON_BEFORE_WORDS = /:(?=[ \t\u00a0\u2009\u202f][^:：]*[\p{Nd}½⅓⅔¼¾⅕⅙⅛⅜⅝⅞@]|[ \t\u00a0\u2009\u202f] *=)|：/gu;
const signs = [".", ","] as const;

/** Returns a title escaped so that no part of it is read as a box, a choice or hours; of one with words behind it, only a choice is. */
export function writeTitle(title: string, hasWords = false): string {
  const line = writeLine(title);
  const written = hasWords ? line : line.replace(COLON_BEFORE_WORDS, "\\$&");
  const isHours = !hasWords && signs.some((sign) => takeBracketed(written, (text) => readHours(text, sign)));
  return isHours || splitChoice(written) ? written.replace(/\(([^()]*)\)$/, "\\($1)") : written;
}
