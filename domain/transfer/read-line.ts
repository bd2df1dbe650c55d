import { pointsFrom } from "../tree/hours/range-points.ts";
import type { Option } from "../tree/shape.ts";
import { conventionOf, type DecimalSign, numberUnder } from "./hours/conventions.ts";
import { type HoursFault, hoursFaults } from "./hours/faults.ts";
import { takeBracketed, withColon } from "./hours/looks-like-hours.ts";
import { type HoursReading, readHours } from "./hours/read-hours.ts";
import { isEscaped, readText, trimmed } from "./outline-text.ts";

/** What an option's line may contain after its title. */
export type OptionWords = Partial<Pick<Option, "hours" | "override" | "quantity" | "unit" | "role">>;

/** How numbers are written where a line comes from. */
export interface Numbers {
  readonly hours: (text: string) => HoursReading;
  /** Returns any other number; null for none. */
  readonly number: (text: string) => number | null;
}

export interface Line {
  /** Still escaped. */
  readonly title: string;
  readonly words: OptionWords | null;
  /** The numbers that its hours were written with: one, two or three; none without hours. */
  readonly numbers: readonly number[];
  /** Set where what stands behind its last colon begins like hours, but cannot be read: it must not be taken for a title. */
  readonly unread: Unread | null;
  /** Says what could be hours or a role, and is taken for a part of the title. */
  readonly note: string | null;
}

export interface Unread {
  readonly fault: HoursFault | "role" | "twice";
  /** Lines that it can mean instead, but for the hours. */
  readonly readings: readonly { readonly before: string; readonly hours: readonly number[]; readonly behind: string }[];
}

/** How numbers are written in a text with this decimal sign. */
export const numbersOf = (decimal: DecimalSign): Numbers => ({
  hours: (text) => readHours(text, decimal),
  number: (text) => numberWith(decimal, text),
});

/** Three digits behind the sign are thousands to many, of quantities as of hours: no number has two readings. */
export const numberWith = (decimal: DecimalSign, text: string): number | null =>
  /[.,]\d{3,}$/.test(text) ? null : numberUnder(conventionOf(decimal), text);

/** What parts a title from what follows it. */
const SEPARATOR = /:(?=[ \t\u00a0\u2009\u202f])|：/gu;
/** What begins like hours or a quantity. */
const LIKE_NUMBER = /^\s*(?:=|[x×] ?\d|[~≈]? ?[\d½⅓⅔¼¾⅕⅙⅛⅜⅝⅞]|[.,]\d|pt?\d)/iu;
/** More than the longest role, unit and hours need, also where each of their characters is escaped. */
const LONGEST = 500;

/**
 * Reads a title with what follows it, such as `Card: 4-16-34 x3(screen) @backend` or `Card (4h)`: what stands behind the last
 * colon where it can be read. No number behind a colon is lost: it is read, `unread`, or named in `note`.
 */
export function readLine(written: string, numbers: Numbers): Line {
  const places = separators(written);
  const tab = written.indexOf("\t");
  let unread: Unread | null = null;
  for (const [tried, at] of [...places.toReversed(), ...(tab > 0 ? [tab] : [])].entries()) {
    const title = trimmed(written.slice(0, at));
    const read = readWords(written.slice(at + 1), numbers);
    if (!("fault" in read)) {
      const hasHours = read.words.hours !== undefined || read.words.override !== undefined;
      return { title, ...read, unread: null, note: hasHours ? null : noteOf(title) };
    }
    if (tried > 0 || !LIKE_NUMBER.test(written.slice(at + 1))) continue;
    const { fault, before, behind, readings } = read;
    unread = { fault, readings: readings.map((hours) => ({ before: `${title}: ${before}`, hours, behind })) };
  }
  const bracketed = unread ? null : takeBracketed(written, numbers.hours);
  if (bracketed) {
    const { title, hours } = bracketed;
    return { title, words: { hours: pointsFrom(hours) }, numbers: hours, unread, note: null };
  }
  return { title: written, words: null, numbers: [], unread, note: unread ? null : noteOf(written) };
}

const separators = (written: string): number[] =>
  [...written.matchAll(SEPARATOR)].map(({ index }) => index).filter((at) => at > 0 && !isEscaped(written, at));

/** Names a number or a role in a title without hours. */
function noteOf(written: string): string | null {
  const [first] = separators(written);
  const rest = first === undefined ? "" : written.slice(first + 1);
  if (/^\s*@/.test(rest)) return `write a role of several words in quotation marks: @"back end"`;
  if (/\p{Nd}/u.test(rest)) return "has a number after its colon that is part of the title: hours stand alone there";
  const line = withColon(written);
  return line === null ? null : `looks like hours, and has none: write “${line}” for these`;
}

type Words = { readonly words: OptionWords; readonly numbers: readonly number[] };
type NoWords = {
  readonly fault: Unread["fault"];
  readonly readings: readonly (readonly number[])[];
  readonly before: string;
  readonly behind: string;
};

const QUANTITY = /[x×] ?([\d.,]+)(?:\(((?:[^()\\]|\\.){0,100})\))?(?=\s|$)/iuy;
const ROLE = /@(?:"((?:[^"\\]|\\.){0,200})"|([^\s"]+))(?=\s|$)/uy;
const NEXT = /\s(?=@|[x×] ?[\d.]|=)/giu;

/** Reads `4-16-34 =3-4-5 x9(screen) @role`: hours, override, quantity with unit, role; each at most once, in any order. */
function readWords(written: string, { hours, number }: Numbers): Words | NoWords {
  const words: OptionWords = {};
  let numbers: readonly number[] = [];
  const none = (fault: Unread["fault"], at = 0, end = at): NoWords => ({
    ...{ fault, readings: [] },
    ...{ before: written.slice(0, at).trimStart(), behind: written.slice(end) },
  });
  if (written.length > LONGEST) return none("unreadable");
  for (let at = 0; at < written.length; ) {
    const matched = (pattern: RegExp) => {
      pattern.lastIndex = at;
      return pattern.exec(written);
    };
    if (/\s/.test(written.charAt(at))) {
      at += 1;
      continue;
    }
    const word: OptionWords = {};
    const quantity = matched(QUANTITY);
    const role = matched(ROLE);
    if (quantity) {
      const count = number(quantity[1] ?? "");
      if (count === null) return none("unreadable", at);
      word.quantity = count;
      if (quantity[2] !== undefined) word.unit = readText(quantity[2]);
    } else if (role) word.role = readText(role[1] ?? role[2] ?? "");
    else {
      const isOverride = written.charAt(at) === "=";
      const from = isOverride ? at + 1 : at;
      NEXT.lastIndex = from;
      const end = NEXT.exec(written)?.index ?? written.length;
      const read = hours(written.slice(from, end));
      if (!read.ok && "role" in words) return none("role", at);
      if (!read.ok) return { ...none(read.fault, from, end), readings: read.readings };
      word[isOverride ? "override" : "hours"] = pointsFrom(read.hours);
      if (!isOverride) numbers = read.hours;
      at = end;
    }
    if (Object.keys(word).some((name) => name in words)) return none("twice", at);
    Object.assign(words, word);
    at = quantity || role ? at + (quantity ?? role ?? [""])[0].length : at;
  }
  return Object.keys(words).length > 0 ? { words, numbers } : none("unreadable");
}

const TITLE = "if that belongs to the title, write \\: instead of :";

/** Returns what is wrong with a line, and what to write. */
export function unreadText({ fault }: Unread): string {
  if (fault === "unreadable" || fault === "unit")
    return `has no hours, quantity or role that can be read after its last colon; ${TITLE}`;
  if (fault === "role") return `has a role of several words: write it in quotation marks, as in @"back end"`;
  return fault === "twice" ? `has the same twice after its colon; ${TITLE}` : `${hoursFaults[fault]}; ${TITLE}`;
}
