import type { HoursReading } from "./read-hours.ts";

type ReadHours = (text: string) => HoursReading;

/** The end of a title in brackets. */
const BRACKETED = /^(.*\S)\s*\(([^()]{1,40})\)$/su;
/** A number with a unit; `3D` is none. */
const WITH_UNIT = /\d.*\p{L}|\d:\d\d/u;
const DIMENSIONS = /^\dD$/;

/** Returns a title with hours and their unit in brackets behind it, such as `Card (4h)`; null for anything else. */
export function takeBracketed(
  written: string,
  hours: ReadHours,
): { readonly title: string; readonly hours: readonly number[] } | null {
  const [, title = "", inside = ""] = (written.endsWith(")") && BRACKETED.exec(written)) || [];
  if (!WITH_UNIT.test(inside) || DIMENSIONS.test(inside) || title.endsWith("\\")) return null;
  const read = hours(inside);
  return read.ok ? { title, hours: read.hours } : null;
}

const NUMBER = String.raw`(?:\d+(?:[.,]\d+)?|[½¼¾])`;
const UNIT = String.raw`(?:min|h|hrs?|hours?|std|stunden?|d|days?|tage?|pt|w|weeks?|wochen?)\.?`;
const AMOUNT = `${NUMBER} ?(?:${UNIT})?`;
/** At the end of a title: a range, an amount with its unit, a number behind a dash, a colon or in brackets. */
const AT_END = new RegExp(
  [
    String.raw`\s(?<range>${AMOUNT} ?[-–/] ?${AMOUNT}(?: ?[-–/] ?${AMOUNT})?)$`,
    String.raw`\s(?<amount>~?${NUMBER} ?${UNIT})$`,
    String.raw`\s[-–—=→|] ?(?<dashed>~?${AMOUNT})$`,
    String.raw`[\p{L})\]]:(?<colon>${AMOUNT})$`,
    String.raw`\((?<bracketed>${AMOUNT}(?: ?[-–/] ?${AMOUNT}){0,2})\)$`,
  ].join("|"),
  "iu",
);
/** The end of longer titles is looked at only. */
const LOOKED_AT = 80;

/** Returns a title that ends in what looks like hours as a line has it that is read with them; null for any other title. */
export function withColon(title: string): string | null {
  const found = AT_END.exec(title.slice(-LOOKED_AT));
  const hours = Object.values(found?.groups ?? {}).find((each) => each !== undefined);
  if (!found || hours === undefined) return null;
  const { length } = found[0].replace(/^[\p{L})\]]:/u, ":");
  return `${title.slice(0, title.length - length).trimEnd()}: ${hours}`;
}
