import type { TimelineSettings, Weekday } from "../../../../contract/endpoints/timelines.ts";
import type { dayFormat } from "../../ui/numbers/format.ts";
import { offsetsOf } from "../../ui/numbers/zone-offset.ts";

export const DAY_MS = 86_400_000;
/** Work begins at nine, or so early that the day's hours end by midnight; as in the service's calendar. */
const MORNING_HOURS = 9;

/** How wide a day is, in pixels. */
export const DAY_PX = { weeks: 18, months: 5 } as const;
export type Zoom = keyof typeof DAY_PX;

/** The days of the week as `(day + 3) % 7` counts them: day 0, 1 January 1970, was a Thursday. */
export const WEEKDAYS = [
  "monday",
  "tuesday",
  "wednesday",
  "thursday",
  "friday",
  "saturday",
  "sunday",
] as const satisfies readonly Weekday[];

/** Returns the days from 1 January 1970 to a date `YYYY-MM-DD`. */
export const dayOfDate = (date: string): number => Math.floor(Date.parse(`${date}T00:00:00Z`) / DAY_MS);

export const dateOfDay = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

type CalendarSettings = Pick<TimelineSettings, "timeZone" | "hoursPerDay" | "weeklyPattern" | "holidays">;

/** Returns how many hours are worked on a day. */
function hoursOn({ weeklyPattern, hoursPerDay }: CalendarSettings, day: number): number {
  return weeklyPattern[WEEKDAYS[((day % 7) + 10) % 7] ?? "monday"] * hoursPerDay;
}

/**
 * Returns a function that places an instant among days, counted from 1 January 1970 in the zone of the timeline: a day's work fills the
 * day, so that what is worked on without a break has no gaps.
 */
export function createPlaces(settings: CalendarSettings): (instant: string) => number {
  const offsetOf = offsetsOf(settings.timeZone);
  return (instant) => {
    const ms = Date.parse(instant);
    const local = ms + offsetOf(ms);
    const day = Math.floor(local / DAY_MS);
    const hours = hoursOn(settings, day) || settings.hoursPerDay;
    const morning = Math.min(MORNING_HOURS, 24 - hours);
    const worked = (local - day * DAY_MS) / 3_600_000 - morning;
    return day + Math.min(1, Math.max(0, worked / hours));
  };
}

/** Returns the day that it is now in a zone, with its part that has passed. */
export function dayNow(timeZone: string, ms: number): number {
  return (ms + offsetsOf(timeZone)(ms)) / DAY_MS;
}

/** A mark of the axis: where it is, and what is written at it. */
export interface Tick {
  readonly day: number;
  readonly label: string;
}

/** The marks of an axis: the larger parts above, the smaller below. */
export interface Axis {
  readonly large: readonly Tick[];
  readonly small: readonly Tick[];
}

/** Returns the marks from one day to another, both included. */
export function axisOf(first: number, last: number, zoom: Zoom, formatOf: typeof dayFormat): Axis {
  const format = (options: Intl.DateTimeFormatOptions) => {
    const write = formatOf(options);
    return (day: number) => write(day * DAY_MS);
  };
  const months: number[] = [];
  const begin = new Date(first * DAY_MS);
  for (let at = Date.UTC(begin.getUTCFullYear(), begin.getUTCMonth(), 1); at / DAY_MS <= last; ) {
    months.push(at / DAY_MS);
    const month = new Date(at);
    at = Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1, 1);
  }
  const ticks = (days: readonly number[], label: (day: number) => string): Tick[] =>
    days.map((day) => ({ day, label: label(day) }));
  if (zoom === "weeks") {
    const monday = first - ((first + 3) % 7);
    const mondays = Array.from({ length: Math.floor((last - monday) / 7) + 1 }, (_, week) => monday + week * 7);
    return {
      large: ticks(months, format({ month: "long", year: "numeric" })),
      small: ticks(mondays, format({ day: "numeric" })),
    };
  }
  const years = months.filter((day, at) => at === 0 || new Date(day * DAY_MS).getUTCMonth() === 0);
  return {
    large: ticks(years, format({ year: "numeric" })),
    small: ticks(months, format({ month: "short" })),
  };
}

/** As many days in a row may be off as a year of holidays has. */
const OFF_MAX = 400;

/** Returns a day or, if nobody works on it, the next one on which somebody does, or the last one before it if `by` is -1. */
export function workdayAt(settings: CalendarSettings, day: number, by: 1 | -1): number {
  const isOff = (at: number) => hoursOn(settings, at) === 0 || settings.holidays.includes(dateOfDay(at));
  for (let days = 0; days < OFF_MAX; days += 1) if (!isOff(day + by * days)) return day + by * days;
  return day;
}

/** Returns the runs of days on which nobody works, as [first, after the last] pairs. */
export function daysOff(settings: CalendarSettings, first: number, last: number): [number, number][] {
  const holidays = new Set(settings.holidays.map(dayOfDate));
  const runs: [number, number][] = [];
  for (let day = first; day <= last; day += 1) {
    if (hoursOn(settings, day) > 0 && !holidays.has(day)) continue;
    const before = runs.at(-1);
    if (before?.[1] === day) before[1] = day + 1;
    else runs.push([day, day + 1]);
  }
  return runs;
}
