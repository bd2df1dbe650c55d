import { type CalendarSettings, HORIZON_YEARS, weekdays } from "./shape.ts";
import { instantOfLocal, localOfInstant, type ZoneOffsets, zoneOffsets } from "./zone.ts";

const DAY = 86_400;
/** Work begins at nine, or so early that the day's hours end by midnight. */
const MORNING = 9 * 3_600;

/** The days of a year that a date may name, so that every schedule stays within the years that time zones are known for. */
const [FIRST_YEAR, LAST_YEAR] = [1970, 2199];

/** Returns the day of a date `YYYY-MM-DD`, counted from 1 January 1970; null if there is no such date from 1970 to 2199. */
export function dayOf(date: string): number | null {
  const [year = 0, month = 0, day = 0] = date.split("-").map(Number);
  const at = Date.UTC(year, month - 1, day);
  const isDate = year >= FIRST_YEAR && year <= LAST_YEAR && new Date(at).toISOString().slice(0, 10) === date;
  return isDate ? at / (DAY * 1_000) : null;
}

/**
 * When people work. Work is counted in whole seconds from the start of the start date, over as many years as a schedule
 * may take; instants are seconds since 1970.
 */
export interface Calendar {
  /** All working time of the calendar; 0 if no day is worked. */
  readonly total: number;
  /**
   * Returns the instant at which this much work is done: at the end of a day's work, that end or, for the start of what
   * follows, the start of the next working day.
   */
  instantOf(work: number, edge: "start" | "end"): number;
  /** Returns the work that is done by an instant; 0 before the start date. */
  workBefore(instant: number): number;
  /** Returns the work that is done when a day ends. */
  workThrough(day: number): number;
  /** Returns the instant at which a day ends. */
  endOf(day: number): number;
}

/**
 * Makes a calendar: each day of the week has its part of the hours a day, none if it is a holiday. A day that its time zone
 * skipped is not worked. `startDate` must exist.
 */
export function makeCalendar(settings: CalendarSettings): Calendar {
  const { first, days } = spanOf(settings);
  // To the end of a year: looking up a zone takes long, and is not to be done anew each day.
  const lastYear = new Date((first + days) * DAY * 1_000).getUTCFullYear();
  const offsets = zoneOffsets(settings.timeZone, (first - 2) * DAY, Date.UTC(lastYear + 1, 0, 3) / 1_000);
  const before = workBeforeDays(settings, skippedDays(offsets));
  const total = at(before, days);
  const morningOf = (day: number) => Math.min(MORNING, DAY - (at(before, day + 1) - at(before, day)));
  return {
    total,
    instantOf(work, edge) {
      // The last day before which there is less work than this or, for a start, not more.
      const day = lastWhere(before, (done) => (edge === "end" && work > 0 ? done < work : done <= work));
      const inside = Math.min(work, total) - at(before, Math.min(day, days - 1));
      const on = Math.min(day, days - 1);
      return instantOfLocal(offsets, (first + on) * DAY + morningOf(on) + inside);
    },
    workBefore(instant) {
      const local = localOfInstant(offsets, instant) - first * DAY;
      const day = Math.floor(local / DAY);
      if (day < 0) return 0;
      if (day >= days) return total;
      const worked = at(before, day + 1) - at(before, day);
      return at(before, day) + Math.min(Math.max(Math.floor(local - day * DAY) - morningOf(day), 0), worked);
    },
    workThrough: (day) => at(before, Math.min(Math.max(day + 1 - first, 0), days)),
    endOf: (day) => instantOfLocal(offsets, (day + 1) * DAY),
  };
}

/** Returns all working time, as if the time zone skipped no day: needs no time zone data. */
export const workOfAll = (settings: CalendarSettings): number => workBeforeDays(settings, []).at(-1) as number;

/** The first day, and how many days a schedule may take: from then on or, if the work is under way, from now on. */
function spanOf({ startDate, asOf }: CalendarSettings) {
  const first = dayOf(startDate) ?? 0;
  const from = new Date(Math.max(first * DAY, asOf) * 1_000);
  const end = Date.UTC(from.getUTCFullYear() + HORIZON_YEARS, from.getUTCMonth(), from.getUTCDate());
  return { first, days: end / (DAY * 1_000) - first };
}

/** Returns the work before each day, and after the last one. */
function workBeforeDays(settings: CalendarSettings, skipped: readonly number[]): Float64Array {
  const { first, days } = spanOf(settings);
  const seconds = weekdays.map((name) =>
    Math.round(settings.hoursPerDay * (settings.weeklyPattern[name] ?? 0) * 3_600),
  );
  const off = new Set([...settings.holidays.map(dayOf), ...skipped]);
  const before = new Float64Array(days + 1);
  for (let day = 0; day < days; day += 1) {
    before[day + 1] = at(before, day) + (off.has(first + day) ? 0 : (seconds[(first + day + 3) % 7] as number));
  }
  return before;
}

/** Returns the days that begin and end within one change of the offset, and so did not exist. */
function skippedDays({ starts, offsets }: ZoneOffsets): number[] {
  const skipped: number[] = [];
  for (let part = 1; part < starts.length; part += 1) {
    const from = (starts[part] as number) + (offsets[part - 1] as number);
    const until = (starts[part] as number) + (offsets[part] as number);
    for (let day = Math.ceil(from / DAY); (day + 1) * DAY <= until; day += 1) skipped.push(day);
  }
  return skipped;
}

const at = (values: Float64Array, index: number): number => values[index] as number;

/** Returns the last index at which `holds`, which holds from the first one up to some index; 0 if it holds nowhere. */
function lastWhere(values: Float64Array, holds: (value: number) => boolean): number {
  let [low, high] = [0, values.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (holds(at(values, middle))) low = middle;
    else high = middle - 1;
  }
  return low;
}
