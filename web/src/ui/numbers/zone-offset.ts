/** Returns a function for the offset of a zone from UTC at a time, both in milliseconds. Each hour is looked up once. */
export function offsetsOf(timeZone: string): (ms: number) => number {
  const format = new Intl.DateTimeFormat("en-US", {
    ...{ timeZone, calendar: "gregory", numberingSystem: "latn", hourCycle: "h23" },
    ...{ year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", second: "numeric" },
  });
  const known = new Map<number, number>();
  return (ms) => {
    const hour = Math.floor(ms / 3_600_000);
    const found = known.get(hour);
    if (found !== undefined) return found;
    const parts = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
    const { year = 0, month = 1, day = 1, hour: hours = 0, minute = 0, second = 0 } = parts;
    const offset = Date.UTC(year, month - 1, day, hours, minute, second) - Math.floor(ms / 1_000) * 1_000;
    known.set(hour, offset);
    return offset;
  };
}
