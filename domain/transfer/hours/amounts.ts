import { alike, type Convention, numberUnder } from "./conventions.ts";
import type { HoursFault } from "./faults.ts";
import { hoursOfUnit } from "./units.ts";

/** A number of hours, days or the like. */
export interface Amount {
  readonly value: number;
  /** Hours of its unit; null for none. */
  readonly unit: number | null;
  readonly decimals: number;
  /** What stands between it and the amount before. */
  readonly after: "space" | "range" | "slash" | "cell";
}

const FRACTIONS = new Map(
  Object.entries({ "½": 2, "⅓": 3, "¼": 4, "⅕": 5, "⅙": 6, "⅛": 8 })
    .map(([sign, parts]) => [sign, 1 / parts] as const)
    .concat([
      ["⅔", 2 / 3],
      ["¾", 3 / 4],
      ["⅜", 3 / 8],
      ["⅝", 5 / 8],
      ["⅞", 7 / 8],
    ]),
);

/** What says that hours are not exact; it is left out. */
const ABOUT = /^(?:[~≈]|(?:about|around|approx(?:imately|\.)?|circa|ca\.?|c\.|etwa|ungefähr|rund|zirka)(?= )) */iu;
/** Hours and minutes, as Org and clocks write them. */
const CLOCK = /(\d{1,4}):([0-5]\d)(?![\d:])/uy;
/** A duration of ISO 8601. */
const ISO = /P(\d+[YMWD])*(?:T(?:(\d+(?:[.,]\d+)?)H)?(?:(\d+)M)?(?:(\d+)S)?)?(?![\p{L}\d])/iuy;
const FRACTION_SIGN = / ?([½⅓⅔¼¾⅕⅙⅛⅜⅝⅞])/uy;
const FRACTION_BEHIND = / ([1-9])\/([2-9]|1[0-6])(?![\d/.,])/uy;
const UNIT = / *(\p{L}+\.?)/uy;
const RANGE_WORD = /^(?:to|bis)$/i;
const MONTHS = /^(?:m|mo|mon|months?|monate?)\.?$/i;
const BETWEEN = / *(?:(?<range>[-–—‐‑−]|\.\.\.?|…|(?:to|bis)(?= ))|(?<slash>\/)|(?<cell>[\t;|])) *| +/iuy;

const patterns = new Map<Convention, RegExp>();

/** Returns the pattern of a number with its groups and decimals. */
function patternOf(convention: Convention): RegExp {
  const known = patterns.get(convention);
  if (known) return known;
  const [group, decimal] = [convention.group, convention.decimal].map((sign) => sign && `[${sign}]`);
  const whole = group ? String.raw`(?:\d{1,3}(?:${group}\d{2,3})+(?!\d)|\d+)` : String.raw`\d+`;
  const pattern = new RegExp(String.raw`${whole}(?:${decimal}\d+)?|${decimal}\d+`, "uy");
  patterns.set(convention, pattern);
  return pattern;
}

/** The text that is being read, and how far. */
interface Cursor {
  readonly text: string;
  at: number;
}

/** Matches a sticky pattern where the cursor stands, and moves it behind. */
function take(cursor: Cursor, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = cursor.at;
  const found = pattern.exec(cursor.text);
  if (found) cursor.at += found[0].length;
  return found;
}

/** Returns the amounts of a text, or why it cannot be read as such. Takes time that grows with its length. */
export function amountsOf(text: string, convention: Convention): readonly Amount[] | HoursFault {
  const written = alike(text).trim().replace(ABOUT, "").replace(/ ?\?$/, "");
  const cursor: Cursor = { text: convention.group === null ? written.replaceAll("\u202f", " ") : written, at: 0 };
  const amounts: Amount[] = [];
  for (let after: Amount["after"] | null = "space"; after !== null; after = takeBetween(cursor)) {
    const amount = takeIso(cursor) ?? takeClock(cursor) ?? takeNumber(cursor, convention);
    if (typeof amount === "string") return amount;
    amounts.push({ ...amount, after });
    if (cursor.at === cursor.text.length) return amounts;
  }
  return "unreadable";
}

type Taken = Omit<Amount, "after"> | HoursFault;

/** Returns what separates two amounts: nothing at all is a space, as in `2h30min`. Null where something else stands. */
function takeBetween(cursor: Cursor): Amount["after"] | null {
  const { range, slash, cell } = take(cursor, BETWEEN)?.groups ?? {};
  if (range !== undefined) return "range";
  if (slash !== undefined) return "slash";
  return cell === undefined ? "space" : "cell";
}

function takeIso(cursor: Cursor): Taken | null {
  const found = take(cursor, ISO);
  if (!found) return null;
  const [, days, hours, minutes, seconds] = found;
  if (days !== undefined) return "isoDays";
  if ((hours ?? minutes ?? seconds) === undefined) return "unreadable";
  const value = Number((hours ?? "0").replace(",", ".")) + Number(minutes ?? 0) / 60 + Number(seconds ?? 0) / 3600;
  return { value, unit: 1, decimals: 0 };
}

function takeClock(cursor: Cursor): Taken | null {
  const found = take(cursor, CLOCK);
  if (!found) return null;
  const unit = takeUnit(cursor);
  if (typeof unit === "string") return unit;
  return (unit ?? 1) === 1 ? { value: Number(found[1]) + Number(found[2]) / 60, unit: 1, decimals: 0 } : "unreadable";
}

function takeNumber(cursor: Cursor, convention: Convention): Taken {
  const digits = take(cursor, patternOf(convention))?.[0] ?? "";
  const whole = digits === "" ? 0 : numberUnder(convention, digits);
  const fraction = /^\d*$/.test(digits) ? takeFraction(cursor, digits !== "") : null;
  if (whole === null || (digits === "" && fraction === null)) return "unreadable";
  const unit = takeUnit(cursor);
  if (typeof unit === "string") return unit;
  const decimals = digits.split(convention.decimal)[1]?.length ?? 0;
  return { value: whole + (fraction ?? 0), unit, decimals };
}

/** Returns a part of one, such as `½`, or ` 1/2` behind a whole number. */
function takeFraction(cursor: Cursor, isBehind: boolean): number | null {
  const sign = take(cursor, FRACTION_SIGN)?.[1];
  if (sign !== undefined) return FRACTIONS.get(sign) ?? null;
  const { at } = cursor;
  const [, over, under] = (isBehind && take(cursor, FRACTION_BEHIND)) || [];
  if (over !== undefined && Number(over) < Number(under)) return Number(over) / Number(under);
  cursor.at = at;
  return null;
}

function takeUnit(cursor: Cursor): number | null | HoursFault {
  const { at } = cursor;
  const word = take(cursor, UNIT)?.[1];
  if (word === undefined) return null;
  if (RANGE_WORD.test(word)) {
    cursor.at = at;
    return null;
  }
  return hoursOfUnit(word) ?? (MONTHS.test(word) ? "months" : "unit");
}
