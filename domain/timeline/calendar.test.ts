import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dayOf, makeCalendar } from "./calendar.ts";
import type { CalendarSettings } from "./shape.ts";
import { allDay, weekOf } from "./testing/settings.ts";
import { zoneNamed } from "./zone.ts";

const HOUR = 3_600;
const seconds = (instant: string) => Date.parse(instant) / 1_000;
const iso = (instant: number) => new Date(instant * 1_000).toISOString().replace(".000Z", "Z");

const settings = (changes: Partial<CalendarSettings> = {}): CalendarSettings => ({
  startDate: "2027-01-04",
  asOf: 0,
  timeZone: "UTC",
  hoursPerDay: 8,
  weeklyPattern: weekOf(1, 1, 1, 1, 1, 0, 0),
  holidays: [],
  ...changes,
});

/** Days that are worked from midnight to midnight: so changes of the clock fall into working time. */
const wholeDays = (timeZone: string, startDate: string) =>
  makeCalendar(settings({ timeZone, startDate, hoursPerDay: 24, weeklyPattern: allDay }));

describe("a date", () => {
  it.each(["2027-02-29", "2027-13-01", "2027-00-10", "1969-12-31", "2200-01-01", "0000-00-00"])(
    "%s is not a date",
    (date) => expect(dayOf(date)).toBeNull(),
  );
  it("is a number of days", () => {
    expect(dayOf("1970-01-01")).toBe(0);
    expect(dayOf("2028-02-29")).toBe(21_243);
    expect(dayOf("2199-12-31")).not.toBeNull();
  });
});

describe("working time", () => {
  it("is from 09:00 on working days, and ends at the end of a day rather than the next morning", () => {
    const calendar = makeCalendar(settings({ holidays: ["2027-01-06"] }));
    expect(iso(calendar.instantOf(0, "start"))).toBe("2027-01-04T09:00:00Z");
    expect(iso(calendar.instantOf(8 * HOUR, "end"))).toBe("2027-01-04T17:00:00Z");
    expect(iso(calendar.instantOf(8 * HOUR, "start"))).toBe("2027-01-05T09:00:00Z");
    expect(iso(calendar.instantOf(16 * HOUR, "start"))).toBe("2027-01-07T09:00:00Z");
    expect(iso(calendar.instantOf(32 * HOUR, "end"))).toBe("2027-01-08T17:00:00Z");
    expect(iso(calendar.instantOf(32 * HOUR, "start"))).toBe("2027-01-11T09:00:00Z");
    expect(iso(calendar.instantOf(32 * HOUR + 36, "end"))).toBe("2027-01-11T09:00:36Z");
  });

  it("counts parts of days, and starts long days early enough to end by midnight", () => {
    const half = makeCalendar(settings({ weeklyPattern: weekOf(1, 0, 0, 0, 0.5, 0, 0), hoursPerDay: 20 }));
    expect(iso(half.instantOf(20 * HOUR, "end"))).toBe("2027-01-05T00:00:00Z");
    expect(iso(half.instantOf(20 * HOUR, "start"))).toBe("2027-01-08T09:00:00Z");
    expect(iso(half.instantOf(30 * HOUR, "end"))).toBe("2027-01-08T19:00:00Z");
  });

  it("is empty if there are no working days, and ends after 50 years", () => {
    expect(makeCalendar(settings({ weeklyPattern: weekOf(0, 0, 0, 0, 0, 0, 0) })).total).toBe(0);
    expect(wholeDays("UTC", "2027-01-01").total).toBe(18_263 * 24 * HOUR);
  });

  it("returns how much of it is before an instant", () => {
    const calendar = makeCalendar(settings());
    expect(calendar.workBefore(seconds("2026-12-31T12:00:00Z"))).toBe(0);
    expect(calendar.workBefore(seconds("2027-01-05T10:30:00Z"))).toBe(9.5 * HOUR);
    expect(calendar.workBefore(seconds("2027-01-10T10:30:00Z"))).toBe(40 * HOUR);
    expect(calendar.workThrough(dayOf("2027-01-03") ?? 0)).toBe(0);
    expect(calendar.workThrough(dayOf("2027-01-04") ?? 0)).toBe(8 * HOUR);
  });
});

describe("changes of the clock", () => {
  it("in Europe/Berlin: an hour that is skipped is over at its end, an hour that comes twice is the first", () => {
    const spring = wholeDays("Europe/Berlin", "2027-03-28");
    expect(iso(spring.instantOf(0, "start"))).toBe("2027-03-27T23:00:00Z");
    expect(iso(spring.instantOf(2 * HOUR, "start"))).toBe("2027-03-28T01:00:00Z");
    expect(iso(spring.instantOf(2.5 * HOUR, "start"))).toBe("2027-03-28T01:00:00Z");
    expect(iso(spring.instantOf(3 * HOUR, "start"))).toBe("2027-03-28T01:00:00Z");
    expect(iso(spring.instantOf(4 * HOUR, "start"))).toBe("2027-03-28T02:00:00Z");
    const autumn = wholeDays("Europe/Berlin", "2027-10-31");
    expect(iso(autumn.instantOf(2.5 * HOUR, "start"))).toBe("2027-10-31T00:30:00Z");
    expect(iso(autumn.instantOf(3 * HOUR, "start"))).toBe("2027-10-31T02:00:00Z");
    expect(autumn.workBefore(seconds("2027-10-31T01:30:00Z"))).toBe(3 * HOUR);
  });

  it("in America/Santiago: the skipped hour is the first of the day", () => {
    const spring = wholeDays("America/Santiago", "2026-09-06");
    expect(iso(spring.instantOf(0, "start"))).toBe("2026-09-06T04:00:00Z");
    expect(iso(spring.instantOf(HOUR, "start"))).toBe("2026-09-06T04:00:00Z");
    expect(iso(spring.instantOf(2 * HOUR, "start"))).toBe("2026-09-06T05:00:00Z");
    const autumn = wholeDays("America/Santiago", "2026-04-04");
    expect(iso(autumn.instantOf(23.5 * HOUR, "start"))).toBe("2026-04-05T02:30:00Z");
    expect(iso(autumn.instantOf(24 * HOUR, "start"))).toBe("2026-04-05T04:00:00Z");
  });

  it("in Australia/Lord_Howe: by half an hour", () => {
    const spring = wholeDays("Australia/Lord_Howe", "2026-10-04");
    expect(iso(spring.instantOf(2 * HOUR, "start"))).toBe("2026-10-03T15:30:00Z");
    expect(iso(spring.instantOf(2.25 * HOUR, "start"))).toBe("2026-10-03T15:30:00Z");
    expect(iso(spring.instantOf(3 * HOUR, "start"))).toBe("2026-10-03T16:00:00Z");
    const autumn = wholeDays("Australia/Lord_Howe", "2026-04-05");
    expect(iso(autumn.instantOf(1.75 * HOUR, "start"))).toBe("2026-04-04T14:45:00Z");
    expect(iso(autumn.instantOf(2 * HOUR, "start"))).toBe("2026-04-04T15:30:00Z");
  });

  it("in Pacific/Apia: 30 December 2011, which did not exist, has no working time", () => {
    const apia = makeCalendar(settings({ timeZone: "Pacific/Apia", startDate: "2011-12-29" }));
    expect(iso(apia.instantOf(0, "start"))).toBe("2011-12-29T19:00:00Z");
    expect(iso(apia.instantOf(8 * HOUR, "end"))).toBe("2011-12-30T03:00:00Z");
    // The Friday is left out, and the weekend follows.
    expect(iso(apia.instantOf(8 * HOUR, "start"))).toBe("2012-01-01T19:00:00Z");
    const everyDay = wholeDays("Pacific/Apia", "2011-12-29");
    expect(iso(everyDay.instantOf(24 * HOUR, "end"))).toBe("2011-12-30T10:00:00Z");
    expect(iso(everyDay.instantOf(25 * HOUR, "start"))).toBe("2011-12-30T11:00:00Z");
    expect(everyDay.total).toBe((18_263 - 1) * 24 * HOUR);
    const summer = wholeDays("Pacific/Apia", "2012-04-01");
    expect(iso(summer.instantOf(3.5 * HOUR, "start"))).toBe("2012-03-31T13:30:00Z");
    expect(iso(summer.instantOf(4 * HOUR, "start"))).toBe("2012-03-31T15:00:00Z");
  });
});

describe("the zone's name", () => {
  it("is written as the database writes it", () => {
    expect(zoneNamed("europe/berlin")).toBe("Europe/Berlin");
    expect(zoneNamed("UTC")).toBe("UTC");
  });
  it.each(["Europe/Atlantis", "+02:00", "", " UTC", "UTC[u-ca=iso8601]"])("%j is not a zone", (name) =>
    expect(zoneNamed(name)).toBeNull(),
  );
});

const zones = ["Europe/Berlin", "America/Santiago", "Australia/Lord_Howe", "Pacific/Apia", "UTC"];

describe("in every zone", () => {
  it("more work never ends earlier, and the work before its end is the same amount", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: 0, max: 400 }),
        fc.constantFrom(6, 8, 24),
        fc.array(fc.integer({ min: 0, max: 300 * 6 * HOUR }), { minLength: 2, maxLength: 20 }),
        (timeZone, day, hoursPerDay, works) => {
          const startDate = new Date(Date.UTC(2011, 8, 1 + day)).toISOString().slice(0, 10);
          const calendar = makeCalendar(settings({ timeZone, startDate, hoursPerDay, weeklyPattern: allDay }));
          let before = Number.NEGATIVE_INFINITY;
          for (const work of works.toSorted((a, b) => a - b)) {
            const start = calendar.instantOf(work, "start");
            expect(start).toBeGreaterThanOrEqual(before);
            expect(calendar.instantOf(work, "end")).toBeLessThanOrEqual(start);
            if (hoursPerDay < 9) {
              expect(calendar.workBefore(start)).toBe(work);
              expect(calendar.workBefore(calendar.instantOf(work, "end"))).toBe(work);
              const local = new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", hourCycle: "h23" });
              const hour = Number(local.format(start * 1_000));
              expect(hour).toBeGreaterThanOrEqual(9);
              expect(hour).toBeLessThan(9 + hoursPerDay);
            }
            before = start;
          }
        },
      ),
      { numRuns: 60 },
    );
  }, 60_000);
});
