import { type HoursFault, hoursFaults } from "../../../../domain/transfer/hours/faults.ts";
import { readAnywhere } from "../../../../domain/transfer/hours/read-anywhere.ts";
import type { HoursReading } from "../../../../domain/transfer/hours/read-hours.ts";
import type { NumberStyle } from "./number-style.ts";
import { ownConventions, type Read, type Typed } from "./read-number.ts";

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
