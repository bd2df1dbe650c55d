import { roundHundredth } from "../tree/hours/round.ts";
import type { Option, ThreePoint } from "../tree/shape.ts";
import { isEscaped, readText, trimmed, writeLine, writeQuoted, writeText } from "./outline-text.ts";

/** What an option's line may contain after its title. */
export type OptionWords = Partial<Pick<Option, "hours" | "override" | "quantity" | "unit" | "role">>;

/** Hours of a day and of a week of work. */
export const HOURS_OF = { h: 1, d: 8, w: 40 } as const;

const NUMBER = String.raw`\d+(?:\.\d+)?`;
/** Hours have at most two decimals; days and weeks are multiplied first. */
const HOURS = String.raw`(?:${NUMBER}[dw]|\d+(?:\.\d{1,2})?h?)`;
const WORD = new RegExp(
  `(?<override>=?)(?<hours>${HOURS}(?:(?:[-–/]| +)${HOURS}){0,2})(?= |$)` +
    String.raw`|[x×](?<quantity>${NUMBER})(?:\((?<unit>(?:[^()\\]|\\.)*)\))?(?= |$)` +
    String.raw`|@(?:"(?<quoted>(?:[^"\\]|\\.)*)"|(?<role>[^ "]+))(?= |$)`,
  "suy",
);

/**
 * `4-16-34 =3-4-5 x9(screen) @role`: hours (also as `4/16/34` and `4 16 34`), override, quantity with unit, role; each at most once. Null for anything
 * else.
 */
function readWords(written: string): OptionWords | null {
  const words: OptionWords = {};
  for (let at = 0; at < written.length; ) {
    if (written.charAt(at) === " ") {
      at += 1;
      continue;
    }
    WORD.lastIndex = at;
    const found = WORD.exec(written);
    if (!found) return null;
    const { override, hours, quantity, unit, quoted, role } = found.groups ?? {};
    const word: OptionWords = {};
    if (hours !== undefined) word[override === "=" ? "override" : "hours"] = readHours(hours);
    if (quantity !== undefined) word.quantity = Number(quantity);
    if (unit !== undefined) word.unit = readText(unit);
    if (quoted !== undefined || role !== undefined) word.role = readText(quoted ?? role ?? "");
    if (Object.keys(word).some((name) => name in words)) return null;
    Object.assign(words, word);
    at = WORD.lastIndex;
  }
  return Object.keys(words).length > 0 ? words : null;
}

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

/** One number stands for all three points; of two, the likely hours are the mean. */
function readHours(written: string): ThreePoint {
  const hours = written.split(/[-–/]| +/).map((part) => {
    const unit = part.replace(/[\d.]/g, "");
    return roundHundredth(
      Number(part.slice(0, part.length - unit.length)) * (HOURS_OF[unit as keyof typeof HOURS_OF] ?? 1),
    );
  });
  const [optimistic = 0, second = optimistic, third] = hours;
  const likely = third === undefined ? roundHundredth((optimistic + second) / 2) : second;
  return { optimistic, likely, pessimistic: third ?? second };
}

function writeHours({ optimistic, likely, pessimistic }: ThreePoint): string {
  return optimistic === pessimistic ? String(likely) : `${optimistic}-${likely}-${pessimistic}`;
}

interface Split {
  /** Still escaped. */
  readonly title: string;
  readonly words: OptionWords | null;
  /** Where the colon is whose rest begins like hours or a quantity, but cannot be read; null if there is none. */
  readonly unread: number | null;
}

/** Returns the title and the part after its last colon, if that part can be read. */
export function splitWords(written: string): Split {
  let last: number | null = null;
  for (let at = written.lastIndexOf(": "); at > 0; at = written.lastIndexOf(": ", at - 1)) {
    if (isEscaped(written, at)) continue;
    const words = readWords(written.slice(at + 2));
    if (words) return { title: written.slice(0, at), words, unread: null };
    last ??= at;
  }
  const isUnread = last !== null && /^ *(?:=|[x×]?\d)/.test(written.slice(last + 2));
  return { title: written, words: null, unread: isUnread ? last : null };
}

/** What a question's line may contain in brackets after its title. */
export interface Choice {
  kind: "single" | "multi" | "group" | null;
  required: boolean;
  min: number | null;
  max: number | null;
}

const KINDS = { "choose one": "single", "choose any": "multi", all: "group" } as const;

/** Reads `(choose one, required, min 1, max 2)` at the end of a line; null if the line ends differently. */
export function splitChoice(written: string): { title: string; choice: Choice } | null {
  const from = written.lastIndexOf("(");
  if (from < 0 || !written.endsWith(")") || isEscaped(written, from)) return null;
  const choice: Choice = { kind: null, required: false, min: null, max: null };
  for (const word of written
    .slice(from + 1, -1)
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
 * Colons after which something begins like hours, a quantity or a role. Each is escaped, also where the rest could not be
 * read as such: to find that out would mean to read the rest of the title for each colon.
 */
const COLON_BEFORE_WORDS = /: (?= *(?:=|[x×]?\d|@))/g;

/** Returns a title escaped so that no part of it is read as a box, a choice or hours. */
export function writeTitle(title: string): string {
  const written = writeLine(title).replace(COLON_BEFORE_WORDS, "\\$&");
  return splitChoice(written) ? written.replace(/\(([^()]*)\)$/, "\\($1)") : written;
}
