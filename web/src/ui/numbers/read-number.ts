import { alike, type Convention, everywhere, numberUnder } from "../../../../domain/transfer/hours/conventions.ts";
import { type HoursFault, hoursFaults } from "../../../../domain/transfer/hours/faults.ts";
import { readAnywhere } from "../../../../domain/transfer/hours/read-anywhere.ts";
import type { HoursReading } from "../../../../domain/transfer/hours/read-hours.ts";
import type { NumberStyle } from "./number-style.ts";

/** What a field says, and whether it was pasted: then it may be written as elsewhere. */
export interface Typed {
  readonly text: string;
  readonly isPasted?: boolean;
}

/**
 * What was understood; or the readings that there are, each as a text that has only this one: none if it cannot be read,
 * several, or one that may be a slip, if the reader has to say what is meant. `why` says what to write instead.
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
  const own = ownConventions(style).map((each) => numberUnder(each, text));
  const other = everywhere.map((each) => numberUnder(each, text));
  return choose(typed, own, other, style.write);
}

/** Reads one number of hours, to hundredths, also with units: "8h", "2d", "1d 4h". */
export function readHours(typed: Typed, style: NumberStyle): Read<number | null> {
  const read = readRange(typed, style, Number.MAX_VALUE, 1);
  if (read.ok) return { ok: true, value: read.value?.[0] ?? null };
  return { ok: false, readings: read.readings };
}

/**
 * Reads one number of hours, two, or three: "4-16-34", "4/16/34", "4 16 34"; null for nothing. `most` are the most hours
 * that there can be: more is no second reading.
 */
export function readRange(
  typed: Typed,
  style: NumberStyle,
  most: number,
  count?: number,
): Read<readonly number[] | null> {
  if (typed.text.trim() === "") return { ok: true, value: null };
  const read = readingOf(typed, style, most, count);
  if (read.ok) return { ok: true, value: read.hours };
  const readings = read.readings.map((hours) => hours.map(style.write).join("-"));
  const why = whyOf(read.fault);
  return { ok: false, readings, ...(why === null ? {} : { why }) };
}

/** Reads hours as the page writes them, or as they are written elsewhere. */
export const readingOf = (
  { text, isPasted = false }: Typed,
  style: NumberStyle,
  most: number,
  count = 3,
): HoursReading => readAnywhere(text, { own: ownConventions(style), isForeign: isPasted, most, count });

/** Returns what to write instead, as a sentence; null where a fault says no more than that something cannot be read. */
export const whyOf = (fault: HoursFault): string | null =>
  ["unreadable", "unit", "decimals"].includes(fault) ? null : sentenceOf(hoursFaults[fault]);

export const sentenceOf = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

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
): Read<Value> {
  const inOwn = own.filter((value) => value !== null);
  const all = isPasted ? [...inOwn, ...other] : inOwn.length > 0 ? inOwn : other;
  const distinct = new Map(all.flatMap((value) => (value === null ? [] : [[write(value), value] as const])));
  const left = [...distinct];
  const [first] = left;
  if (first && left.length === 1) return { ok: true, value: first[1] };
  return { ok: false, readings: left.map(([text]) => text) };
}
