import { roundHundredth } from "../../tree/hours/round.ts";
import { type Amount, amountsOf } from "./amounts.ts";
import { type Convention, conventionOf, type DecimalSign } from "./conventions.ts";
import type { HoursFault } from "./faults.ts";

/**
 * One, two or three numbers of hours, to hundredths; or why a text is none, and what it can mean where that is known:
 * several readings, or one that is as likely a slip.
 */
export type HoursReading =
  | { readonly ok: true; readonly hours: readonly number[] }
  | { readonly ok: false; readonly fault: HoursFault; readonly readings: readonly (readonly number[])[] };

/** Longer texts are no hours. */
const LONGEST = 100;

/** Reads hours in a text with this decimal sign, as `docs/reference/hours.md` has it. */
export const readHours = (text: string, decimal: DecimalSign): HoursReading =>
  readHoursUnder(text, conventionOf(decimal));

/** Reads hours under one convention of numbers. `unit`, in hours, is that of numbers in a text without units. */
export function readHoursUnder(text: string, convention: Convention, unit = 1): HoursReading {
  const amounts = text.length > LONGEST ? "unreadable" : amountsOf(text, convention);
  if (typeof amounts === "string") return { ok: false, fault: signFault(amounts, text, convention), readings: [] };
  const durations = durationsOf(amounts);
  if (typeof durations === "string")
    return { ok: false, fault: durations, readings: readingsOf(durations, amounts, unit) };
  const hours = inHours(durations, unit, convention.mostDecimals);
  return typeof hours === "string" ? { ok: false, fault: hours, readings: [] } : { ok: true, hours };
}

/** Says which sign was expected in a number, where that is why it cannot be read. */
function signFault(fault: HoursFault, text: string, { decimal, mostDecimals }: Convention): HoursFault {
  if (fault !== "unreadable" || mostDecimals === undefined) return fault;
  if (decimal === "." && /\d,\d/.test(text)) return "comma";
  return decimal === "," && /\d\.\d/.test(text) ? "point" : fault;
}

/** An amount, or several that are one duration. */
type Duration = Omit<Amount, "after">;

/** Returns one, two or three durations of amounts, by what stands between these. */
function durationsOf(amounts: readonly Amount[]): readonly Duration[] | HoursFault {
  const between = new Set(amounts.slice(1).map(({ after }) => after));
  if (between.has("range")) {
    const runs: Amount[][] = [];
    for (const amount of amounts) {
      if (amount.after === "range" || runs.length === 0) runs.push([]);
      runs.at(-1)?.push(amount);
    }
    const isPlain = between.size === (between.has("space") ? 2 : 1) && runs.length <= 3;
    const durations = runs.map(oneDuration).filter((duration) => duration !== null);
    return isPlain && durations.length === runs.length ? durations : "unreadable";
  }
  const single = between.size === 0 || between.has("space") ? oneDuration(amounts) : null;
  if (single) return [single];
  if (between.size > 1 || amounts.length > 3) return "unreadable";
  if (amounts.length === 3) return amounts;
  if (between.has("slash")) return "fraction";
  return amounts.every(({ unit }) => unit !== null) && amounts[0]?.unit !== amounts[1]?.unit ? "rising" : "two";
}

/** Returns what amounts such as `1d 12h` are together: their units differ and descend. Null where they are no duration. */
function oneDuration(amounts: readonly Amount[]): Duration | null {
  const [first] = amounts;
  if (first === undefined || amounts.length === 1) return first ?? null;
  let value = 0;
  let above = Number.POSITIVE_INFINITY;
  for (const { value: own, unit, after } of amounts) {
    if (unit === null || unit >= above || (after !== "space" && after !== first.after)) return null;
    value += own * unit;
    above = unit;
  }
  return { value, unit: 1, decimals: 0 };
}

/** The unit behind the last number holds for all that have none. */
function inHours(durations: readonly Duration[], unit: number, most = Number.POSITIVE_INFINITY): number[] | HoursFault {
  const units = new Set(durations.flatMap((duration) => duration.unit ?? []));
  const [given = unit] = units;
  const lacksUnit = durations.some((duration) => duration.unit === null);
  if (lacksUnit && (units.size > 1 || (durations.at(-1)?.unit === null && given !== unit))) return "lastUnit";
  const isTooFine = durations.some((duration) => (duration.unit ?? given) === 1 && duration.decimals > most);
  return isTooFine ? "decimals" : durations.map(({ value, unit: own }) => roundHundredth(value * (own ?? given)));
}

/** Returns what two numbers can mean that are refused. */
function readingsOf(fault: HoursFault, amounts: readonly Amount[], unit: number): (readonly number[])[] {
  const [first, second] = amounts;
  if (!first || !second || (fault !== "two" && fault !== "fraction")) return [];
  const part = { value: first.value / second.value, unit: second.unit, decimals: 0 };
  const meanings = fault === "fraction" && second.value > 0 && first.unit === null ? [[part], amounts] : [amounts];
  return meanings.map((meaning) => inHours(meaning, unit)).filter((hours) => typeof hours !== "string");
}
