import { type Convention, everywhere } from "./conventions.ts";
import { type HoursReading, readHoursUnder } from "./read-hours.ts";

interface Way {
  /** As numbers are written where it was typed. A number that is none there is read as it is written elsewhere. */
  readonly own: readonly Convention[];
  /** Whether all conventions count alike: the text was written elsewhere. */
  readonly isForeign: boolean;
  /** Hours of numbers without a unit. */
  readonly unit?: number;
  /** The most hours that there can be: more is no second reading. */
  readonly most: number;
  /** The most numbers; three without it. */
  readonly count?: number;
}

/** What conventions differ in: without it, one of them says as much as all. */
const SIGNED = /[.,'’\u00a0\u2009\u202f]|\d \d{3}/;

/** Reads hours that may be written as anywhere: what has two readings is refused with both. */
export function readAnywhere(text: string, { own, isForeign, unit, most, count = 3 }: Way): HoursReading {
  const under = (conventions: readonly Convention[]) => conventions.map((each) => readHoursUnder(text, each, unit));
  const [first] = own;
  if (first && !SIGNED.test(text)) return within(under([first]), most, count);
  const inOwn = under(own);
  const isKnown = inOwn.some((reading) => reading.ok || reading.readings.length > 0);
  return within(
    isForeign ? [...inOwn, ...under(everywhere)] : isKnown ? inOwn : [...inOwn, ...under(everywhere)],
    most,
    count,
  );
}

function within(all: readonly HoursReading[], most: number, count: number): HoursReading {
  const found = new Map<string, { readonly hours: readonly number[]; readonly isSure: boolean }>();
  const note = (hours: readonly number[], isSure: boolean) => {
    const key = hours.join("-");
    if (hours.length <= count) found.set(key, { hours, isSure: isSure || found.get(key)?.isSure === true });
  };
  for (const reading of all) {
    if (reading.ok) note(reading.hours, true);
    else for (const hours of reading.readings) note(hours, false);
  }
  const isPossible = (hours: readonly number[]) =>
    hours.every((each, index) => each <= most && each >= (hours[index - 1] ?? 0));
  const possible = [...found.values()].filter(({ hours }) => isPossible(hours));
  const left = possible.length > 0 ? possible : [...found.values()];
  const [only] = left;
  if (only?.isSure && left.length === 1) return { ok: true, hours: only.hours };
  const fault = all.find((reading) => !reading.ok)?.fault ?? "unreadable";
  return { ok: false, fault, readings: left.map(({ hours }) => hours) };
}
