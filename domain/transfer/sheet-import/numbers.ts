import { limits } from "../../../contract/limits.ts";
import { pointsFrom } from "../../tree/hours/range-points.ts";
import { roundHundredth } from "../../tree/hours/round.ts";
import type { ThreePoint } from "../../tree/shape.ts";
import { everywhere, numberUnder } from "../hours/conventions.ts";
import { hoursFaults } from "../hours/faults.ts";
import { readAnywhere } from "../hours/read-anywhere.ts";
import type { HoursReading } from "../hours/read-hours.ts";
import { type SheetCell, textOf } from "./table.ts";

/** What people write where there are no hours yet. */
const NONE = /^(?:[-–—?.…]*|tb[dac]|n\.? ?\/? ?a\.?|k\. ?a\.?|offen|open|unklar|none|keine?)$/i;

export const isNone = (text: string): boolean => NONE.test(text);

/** `ambiguous`: a point or comma before three digits may stand for decimals or between thousands. */
function readNumber(text: string): number | "ambiguous" | null {
  const [first, ...others] = new Set(everywhere.map((each) => numberUnder(each, text)).filter((read) => read !== null));
  return others.length > 0 ? "ambiguous" : (first ?? null);
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

/**
 * Reads hours as lines have them, with a point or a comma for decimals: `8`, `2d`, `1,5 Tage`, `4-16-34`. Numbers of a cell
 * without any unit have `unit`, in hours.
 */
export function readHours(cell: SheetCell | null | undefined, unit: number): Read<ThreePoint> {
  if (!cell || (!cell.unread && isNone(textOf(cell)))) return { value: null };
  const fault = unusable(cell);
  if (fault) return { fault };
  if (typeof cell.value === "number") return pointsOf([cell.value * (cell.shows === "time" ? 24 : unit)], textOf(cell));
  const text = textOf(cell);
  const read = readHoursText(text, unit);
  if (read.ok) return pointsOf(read.hours, text);
  if (read.readings.length > 1 && read.fault !== "fraction") return { fault: ambiguous(text) };
  const isVague = read.fault === "unreadable" || read.fault === "unit";
  return { fault: isVague ? notHours(text) : `${quoted(text)} is not clear: ${hoursFaults[read.fault]}` };
}

/** Reads a text of hours as any locale writes them. */
export const readHoursText = (text: string, unit: number): HoursReading =>
  readAnywhere(text, { own: everywhere.slice(0, 1), isForeign: true, unit, most: limits.optionHoursMax });

const notHours = (text: string): string => `${quoted(text)} is not understood as hours: write 8, 2d or 4-16-34`;

function pointsOf(given: readonly number[], text: string): Read<ThreePoint> {
  const hours = given.map(roundHundredth);
  if (hours.some((each) => !(each >= 0 && each <= limits.optionHoursMax)))
    return { fault: `${quoted(text)} must be from 0 to ${limits.optionHoursMax} hours` };
  return { value: pointsFrom(hours) };
}

const YES = /^(?:x|✓|✔|✅|☑|yes|y|ja|j|true|wahr|1)$/i;
const NO = /^(?:|-|–|no|n|nein|false|falsch|0|☐)$/i;

/** Reads whether something is chosen. */
export function readMark(cell: SheetCell | null | undefined): Read<boolean> {
  const text = textOf(cell);
  if (YES.test(text)) return { value: true };
  return NO.test(text) ? { value: false } : { fault: `${quoted(text)} is neither yes nor no: write x or nothing` };
}
