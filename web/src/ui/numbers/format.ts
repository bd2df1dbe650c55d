// Numbers and dates in the locale of the page (`locale.ts`); the words in them are English.

import { pageLocale } from "./locale.ts";
import { styleOf } from "./number-style.ts";

/** How the page writes numbers, for what is typed into it. */
export const numberStyle = styleOf(pageLocale);

const latin = { numberingSystem: "latn" } as const;
const numbers = (options: Intl.NumberFormatOptions) => new Intl.NumberFormat(pageLocale, { ...latin, ...options });
/** In another language the month is a number: its name would be a foreign word in an English text. */
const dates = (hasTime: boolean) =>
  /^en\b/.test(pageLocale)
    ? new Intl.DateTimeFormat(pageLocale, { dateStyle: "medium", ...(hasTime ? { timeStyle: "short" } : {}) })
    : new Intl.DateTimeFormat(pageLocale, {
        ...latin,
        calendar: "gregory",
        year: "numeric",
        month: "2-digit",
        day: "2-digit",
        ...(hasTime ? { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } : {}),
      });

const whole = numbers({ maximumFractionDigits: 0 });
const tenths = numbers({ maximumFractionDigits: 1 });
const hundredths = numbers({ maximumFractionDigits: 2 });
const percent = numbers({ style: "percent", maximumFractionDigits: 0 });
const day = dates(false);
const moment = dates(true);
const plurals = new Intl.PluralRules("en");
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/** Hours for reading: whole from 100 on, else with one decimal. */
export const formatHours = (hours: number): string => (Math.abs(hours) >= 100 ? whole : tenths).format(hours);

/** Returns hours without the digits that `formatHours` leaves out: what reads the same is equal. */
export function shownHours(hours: number): number {
  const size = Math.abs(hours);
  return Math.sign(hours) * (size >= 100 ? Math.round(size) : Math.round(size * 10) / 10) || 0;
}

/** Hours as they were entered. */
export const formatExactHours = (hours: number): string => hundredths.format(hours);

/** A number as it stands in a field. */
export const fieldNumber = (value: number | null | undefined): string =>
  value === null || value === undefined ? "" : numberStyle.write(value);

export const formatCount = (count: number): string => whole.format(count);

/** A count with the right one of two words. */
export const many = (count: number, one: string, more: string): string =>
  `${formatCount(count)} ${plurals.select(count) === "one" ? one : more}`;

export const formatPercent = (share: number): string => percent.format(share);

/** An amount as it was entered. */
export const formatExactMoney = (amount: number, currency: string | null): string =>
  currency === null ? formatExactHours(amount) : numbers({ style: "currency", currency }).format(amount);

export function formatMoney(amount: number, currency: string | null): string {
  if (currency === null) return whole.format(amount);
  try {
    return numbers({ style: "currency", currency, maximumFractionDigits: 0 }).format(amount);
  } catch {
    // Older records may have a currency that is no code.
    return `${whole.format(amount)} ${currency}`;
  }
}

/** Returns how long something took. */
export const formatDuration = (ms: number): string =>
  ms < 1_000 ? `${whole.format(ms)} ms` : `${tenths.format(ms / 1_000)} s`;

/** Returns a time as `<input type="datetime-local">` has it, to the minute. */
export function localMinute(ms: number): string {
  return new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
export const formatDay = (iso: string): string => day.format(new Date(iso));

/** Returns what writes parts of a day, which is given as its beginning in UTC, in milliseconds since 1970. */
export function dayFormat(options: Intl.DateTimeFormatOptions): (ms: number) => string {
  const made = new Intl.DateTimeFormat(pageLocale, { ...latin, timeZone: "UTC", ...options });
  return (ms) => made.format(ms);
}

export const formatMoment = (iso: string): string => moment.format(new Date(iso));

const UNITS = [
  ["minute", 60],
  ["hour", 3_600],
  ["day", 86_400],
] as const;

/** Returns how long ago it was, or how soon it will be, up to a week; then the date. */
export function formatAgo(iso: string, now = Date.now()): string {
  const seconds = (new Date(iso).getTime() - now) / 1_000;
  const distance = Math.abs(seconds);
  if (distance < 45) return relative.format(0, "second");
  if (distance > 7 * 86_400) return day.format(new Date(iso));
  const [unit, size] = UNITS.findLast(([, unitSeconds]) => distance >= unitSeconds) ?? UNITS[0];
  return relative.format(Math.sign(seconds) * Math.max(1, Math.round(distance / size)), unit);
}
