import { roundHundredth } from "../../../../domain/tree/hours/round.ts";
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

/** What separates decimals and groups of digits. */
type Convention = Pick<NumberStyle, "decimal" | "group" | "hasPairs">;

/** Spaces that no keyboard types by itself: between digits they separate groups, never numbers. */
const HARD_SPACE = /[\u00a0\u2009\u202f]/g;
const HARD = "\u202f";

const elsewhere: readonly Convention[] = [
  ...[".", ","].flatMap((decimal) =>
    [".", ",", " ", HARD, "’"]
      .filter((group) => group !== decimal)
      .map((group) => ({ decimal, group, hasPairs: false })),
  ),
  { decimal: ".", group: ",", hasPairs: true },
];

/** Hours of a day and of a week of work. */
const UNITS: Readonly<Record<string, number>> = { "": 1, h: 1, d: 8, w: 40 };

/**
 * Reads a number as the page writes it; null for nothing. A number that cannot be one of the page's is read as other
 * locales write it, if that has one reading: "1,5" in English, "1.5" in German.
 */
export function readNumber(typed: Typed, style: NumberStyle): Read<number | null> {
  const text = clean(typed);
  if (text === "") return { ok: true, value: null };
  const own = ownConventions(style).map((each) => numberUnder(each, text));
  const other = elsewhere.map((each) => numberUnder(each, text));
  return choose(typed, own, other, style.write);
}

/**
 * Reads one number of hours, two, or three: "4-16-34", "4/16/34", "4 16 34"; null for nothing. `most` are the most hours
 * that there can be: more is no second reading.
 */
export function readRange(typed: Typed, style: NumberStyle, most: number): Read<readonly number[] | null> {
  const text = withUnits(clean(typed));
  if (text === "") return { ok: true, value: null };
  const own = ownConventions(style).flatMap((each) => rangesUnder(each, text));
  const other = elsewhere.flatMap((each) => rangesUnder(each, text));
  const write = (hours: readonly number[]) => hours.map(style.write).join("-");
  const isPossible = (hours: readonly number[]) =>
    hours.every((each, index) => each <= most && each >= (hours[index - 1] ?? 0));
  return choose(typed, own, other, write, isPossible);
}

const alike = (text: string) => text.replace(HARD_SPACE, HARD).replaceAll("'", "’");
/** Returns a text with each unit right behind its number. */
const withUnits = (text: string) => text.replace(/(?<=\d)\s+(?=[hdw](?![a-z]))/gi, "");
const clean = ({ text }: Typed) => alike(text.trim());

/** As the page writes numbers; a typed space can stand for any that separates groups. */
const ownConventions = ({ decimal, group, hasPairs }: NumberStyle): readonly Convention[] => [
  { decimal, group: group && alike(group), hasPairs },
  { decimal, group: " ", hasPairs },
];

function choose<Value>(
  { isPasted }: Typed,
  own: readonly (Value | null)[],
  other: readonly (Value | null)[],
  write: (value: Value) => string,
  isPossible: (value: Value) => boolean = () => true,
): Read<Value> {
  const inOwn = own.filter((value) => value !== null);
  const all = isPasted ? [...inOwn, ...other] : inOwn.length > 0 ? inOwn : other;
  const distinct = new Map(all.flatMap((value) => (value === null ? [] : [[write(value), value] as const])));
  const possible = [...distinct].filter(([, value]) => isPossible(value));
  const left = possible.length > 0 ? possible : [...distinct];
  const [first] = left;
  if (first && left.length === 1) return { ok: true, value: first[1] };
  return { ok: false, readings: left.map(([text]) => text) };
}

function numberUnder({ decimal, group, hasPairs }: Convention, text: string): number | null {
  const [whole = "", fraction, ...more] = text.split(decimal);
  if (more.length > 0 || (fraction !== undefined && !/^\d+$/.test(fraction))) return null;
  const groups = group === null ? [whole] : whole.split(group);
  if (!(groups.length === 1 ? /^\d*$/.test(whole) : areGroups(groups, hasPairs))) return null;
  const digits = groups.join("");
  if (digits === "" && fraction === undefined) return null;
  const value = Number(`${digits || "0"}.${fraction ?? "0"}`);
  return Number.isFinite(value) ? value : null;
}

/** Returns whether digits are in groups as they are written: the first does not begin with 0, the others are full. */
function areGroups(groups: readonly string[], hasPairs: boolean): boolean {
  const [first = ""] = groups;
  const isFull = (index: number) => (hasPairs && index < groups.length - 1 ? /^\d{2}$/ : /^\d{3}$/);
  const isFirst = hasPairs ? /^[1-9]\d?$/ : /^[1-9]\d{0,2}$/;
  return isFirst.test(first) && groups.slice(1).every((group, index) => isFull(index + 1).test(group));
}

/** Returns what a text of hours can mean: one number with spaces between its groups, or several numbers. */
function rangesUnder(convention: Convention, text: string): (readonly number[])[] {
  // `1d 12h` is one duration to many, and a range to nobody.
  if (/^\S+[hdw]\s\S+[hdw]$/i.test(text)) return [];
  const dashed = text.split(/\s*[-–—/]\s*/);
  const spaced = text.split(/[ \t]+/);
  const ways = dashed.length > 1 || spaced.length === 1 ? [dashed] : [[text], spaced];
  return ways.flatMap((parts) => {
    // The unit behind the last number holds for all that have none.
    const unit = /[hdw]$/i.exec(text)?.[0] ?? "";
    const hours = parts.map((part) => hoursOf(convention, /\d$/.test(part) ? part + unit : part));
    return parts.length <= 3 && hours.every((each) => each !== null) ? [hours] : [];
  });
}

function hoursOf(convention: Convention, part: string): number | null {
  const [, written = "", unit = ""] = /^(.*?)([hdw]?)$/is.exec(part) ?? [];
  const value = numberUnder(convention, written);
  return value === null ? null : roundHundredth(value * (UNITS[unit.toLowerCase()] ?? 1));
}
