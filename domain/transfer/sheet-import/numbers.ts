import { limits } from "../../../contract/limits.ts";
import { roundHundredth } from "../../tree/hours/round.ts";
import type { ThreePoint } from "../../tree/shape.ts";
import { HOURS_OF } from "../hours/units.ts";
import { type SheetCell, textOf } from "./table.ts";

/** Hours of the units that people write, in English and German. */
const units = new Map<string, number>();
for (const [hours, words] of [
  [HOURS_OF.h, "h hr hrs hour hours std stunde stunden"],
  [HOURS_OF.d, "d day days md pd tag tage tagen pt mt manntag manntage personentag personentage"],
  [HOURS_OF.w, "w week weeks pw woche wochen"],
] as const)
  for (const word of words.split(" ")) units.set(word, hours);

/** Returns the hours of a unit of work, such as `PT`; undefined for any other word. */
export const hoursOfUnit = (word: string): number | undefined => units.get(word.toLowerCase().replace(/\.$/, ""));

/** What people write where there are no hours yet. */
const NONE = /^(?:[-–—?.…]*|tb[dac]|n\.? ?\/? ?a\.?|k\. ?a\.?|offen|open|unklar|none|keine?)$/i;

export const isNone = (text: string): boolean => NONE.test(text);

/** `ambiguous`: a point or comma before three digits may stand for decimals or between thousands. */
function readNumber(written: string): number | "ambiguous" | null {
  const text = /^\d{1,3}(?:[ '’]\d{3})+(?:[.,]\d+)?$/.test(written) ? written.replace(/[ '’]/g, "") : written;
  if (/^[1-9]\d{0,2}[.,]\d{3}$/.test(text)) return "ambiguous";
  if (/^\d*[.,]?\d+$/.test(text)) return Number(text.replace(",", "."));
  if (/^\d{1,3}(?:\.\d{3})+(?:,\d+)?$/.test(text)) return Number(text.replaceAll(".", "").replace(",", "."));
  if (/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(text)) return Number(text.replaceAll(",", ""));
  return null;
}

/** What was read of a cell: a value, null for an empty one, or what is wrong with it. */
export type Read<T> = { readonly value: T | null } | { readonly fault: string };

const quoted = (text: string): string => `“${text.length > 40 ? `${text.slice(0, 39)}…` : text}”`;

/** Returns what is wrong with a cell that a number is needed of, whatever it is for. */
function unusable(cell: SheetCell): string | null {
  if (cell.unread === "formula")
    return "has a formula without a result: open the file in a spreadsheet program and save it";
  if (cell.unread === "error") return `has the error ${quoted(textOf(cell))}`;
  if (cell.shows === "date")
    return "is a date: a program may have made it of something like 1-2-3; format the cell as text";
  return null;
}

/** Reads a quantity. */
export function readQuantity(cell: SheetCell | null | undefined): Read<number> {
  if (!cell || (!cell.unread && isNone(textOf(cell)))) return { value: null };
  const fault = unusable(cell);
  if (fault) return { fault };
  const number = typeof cell.value === "number" ? cell.value : readNumber(textOf(cell));
  if (number === "ambiguous") return { fault: ambiguous(textOf(cell)) };
  if (number === null) return { fault: `${quoted(textOf(cell))} is not a number` };
  const rounded = roundHundredth(number);
  return rounded >= 0 && rounded <= limits.quantityMax
    ? { value: rounded }
    : { fault: `${quoted(textOf(cell))} must be from 0 to ${limits.quantityMax}` };
}

const ambiguous = (text: string): string =>
  `${quoted(text)} may be thousands or have decimals: write it without a sign between thousands, and at most two decimals`;

const PART = /^([\d.,'’ ]*\d) ?(\p{L}*)\.?\??$/u;

/**
 * Reads hours: `8`, `2d`, `1,5 Tage`, `4-16-34`. One number stands for all three points; of two, the likely hours are the mean.
 * What has no unit has that of the number after it, or else `unit`, in hours.
 */
export function readHours(cell: SheetCell | null | undefined, unit: number): Read<ThreePoint> {
  if (!cell || (!cell.unread && isNone(textOf(cell)))) return { value: null };
  const fault = unusable(cell);
  if (fault) return { fault };
  if (typeof cell.value === "number") return pointsOf([cell.value * (cell.shows === "time" ? 24 : unit)], textOf(cell));
  const text = textOf(cell);
  const spaced = /^\S+ \S+ \S+$/.test(text) && text.split(" ").every((part) => /^\d+(?:[.,]\d{1,2})?$/.test(part));
  const parts = spaced ? text.split(" ") : text.split(/ ?(?:[-–—/;|]|\b(?:bis|to)\b) ?/);
  if (parts.length > 3) return { fault: notHours(text) };
  const hours: number[] = [];
  let factor = unit;
  for (const part of parts.toReversed()) {
    const [, digits = "", word = ""] = PART.exec(part) ?? [];
    const number = readNumber(digits);
    if (number === "ambiguous") return { fault: ambiguous(text) };
    factor = word === "" ? factor : (hoursOfUnit(word) ?? Number.NaN);
    if (number === null || Number.isNaN(factor)) return { fault: notHours(text) };
    hours.unshift(number * factor);
  }
  return pointsOf(hours, text);
}

const notHours = (text: string): string => `${quoted(text)} is not understood as hours: write 8, 2d or 4-16-34`;

function pointsOf(given: readonly number[], text: string): Read<ThreePoint> {
  const hours = given.map(roundHundredth);
  if (hours.some((each) => !(each >= 0 && each <= limits.optionHoursMax)))
    return { fault: `${quoted(text)} must be from 0 to ${limits.optionHoursMax} hours` };
  const [optimistic = 0, second = optimistic, third] = hours;
  const likely = third === undefined ? roundHundredth((optimistic + second) / 2) : second;
  return { value: { optimistic, likely, pessimistic: third ?? second } };
}

const YES = /^(?:x|✓|✔|✅|☑|yes|y|ja|j|true|wahr|1)$/i;
const NO = /^(?:|-|–|no|n|nein|false|falsch|0|☐)$/i;

/** Reads whether something is chosen. */
export function readMark(cell: SheetCell | null | undefined): Read<boolean> {
  const text = textOf(cell);
  if (YES.test(text)) return { value: true };
  return NO.test(text) ? { value: false } : { fault: `${quoted(text)} is neither yes nor no: write x or nothing` };
}
