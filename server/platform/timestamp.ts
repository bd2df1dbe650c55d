const RFC_3339 = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d):(\d\d)(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;

/**
 * Reads an RFC 3339 timestamp of any offset and precision; digits beyond milliseconds are cut off, and a leap second
 * counts as the second after it. Returns null for anything else, including days that do not exist and years outside
 * 1–9999.
 */
export function parseTimestamp(text: string): Date | null {
  const match = RFC_3339.exec(text);
  if (!match) return null;
  const [, day = "", minute = "", second = "", fraction = "", offset = ""] = match;
  const leap = second === "60";
  const milliseconds = fraction.slice(1, 4).padEnd(3, "0");
  if (!isCalendarDay(day) || Number(second) > 60 || Number(minute.slice(0, 2)) > 23) return null;
  const parsed = new Date(`${day}T${minute}:${leap ? "59" : second}.${milliseconds}${offset.toUpperCase()}`);
  const time = parsed.getTime() + (leap ? 1000 : 0);
  if (Number.isNaN(time)) return null;
  const date = new Date(time);
  const year = date.getUTCFullYear();
  return year >= 1 && year <= 9999 ? date : null;
}

/** Whether `YYYY-MM-DD` names a day that exists (the engine itself would roll 30 February over to March). */
function isCalendarDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00.000Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}
