import { describe, expect, it } from "vitest";
import { defaultSettings } from "../../../../domain/timeline/settings.ts";
import { axisOf, createPlaces, dateOfDay, dayOfDate, daysOff, workdayAt } from "./scale.ts";

const settings = { ...defaultSettings, timeZone: "Europe/Berlin" };
const inEnglish = (options: Intl.DateTimeFormatOptions) => {
  const made = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", ...options });
  return (ms: number) => made.format(ms);
};
const monday = dayOfDate("2027-01-04");

describe("a place", () => {
  it("fills a day with its work: nine is where it begins, five where it ends", () => {
    const placeOf = createPlaces(settings);
    expect(placeOf("2027-01-04T08:00:00Z")).toBe(monday);
    expect(placeOf("2027-01-04T12:00:00Z")).toBe(monday + 0.5);
    expect(placeOf("2027-01-04T16:00:00Z")).toBe(monday + 1);
    expect(placeOf("2027-01-04T22:59:00Z")).toBe(monday + 1);
    expect(placeOf("2027-01-04T23:30:00Z")).toBe(monday + 1);
  });

  it("follows the clock of the zone, and days of other lengths", () => {
    expect(createPlaces(settings)("2027-07-05T07:00:00Z")).toBe(dayOfDate("2027-07-05"));
    const long = createPlaces({ ...settings, timeZone: "UTC", hoursPerDay: 24 });
    expect(long("2027-01-04T06:00:00Z")).toBe(monday + 0.25);
    const half = createPlaces({ ...settings, weeklyPattern: { ...settings.weeklyPattern, monday: 0.5 } });
    expect(half("2027-01-04T10:00:00Z")).toBe(monday + 0.5);
  });
});

it("a day off is left for the next working day, or the last one before it", () => {
  const to = (date: string, by: 1 | -1) =>
    dateOfDay(workdayAt({ ...settings, holidays: ["2027-01-11"] }, dayOfDate(date), by));
  expect([to("2027-01-08", 1), to("2027-01-08", -1)]).toEqual(["2027-01-08", "2027-01-08"]);
  expect([to("2027-01-09", 1), to("2027-01-11", -1)]).toEqual(["2027-01-12", "2027-01-08"]);
  // Nobody ever works.
  const never = { ...settings, hoursPerDay: 0 };
  expect(workdayAt(never, monday, 1)).toBe(monday);
});

it("dates are days and back", () => {
  for (const date of ["1970-01-01", "2027-02-28", "2028-02-29"]) expect(dateOfDay(dayOfDate(date))).toBe(date);
});

it("an axis has months over Mondays, or years over months", () => {
  const [first, last] = [dayOfDate("2027-01-30"), dayOfDate("2028-02-10")];
  const weeks = axisOf(first, last, "weeks", inEnglish);
  expect(weeks.large[1]).toEqual({ day: dayOfDate("2027-02-01"), label: "February 2027" });
  expect(weeks.small[0]).toEqual({ day: dayOfDate("2027-01-25"), label: "25" });
  expect(weeks.small.every(({ day }) => (day + 3) % 7 === 0)).toBe(true);
  const months = axisOf(first, last, "months", inEnglish);
  expect(months.large.map(({ label }) => label)).toEqual(["2027", "2028"]);
  expect(months.small.map(({ label }) => label)).toHaveLength(14);
});

it("days off are weekends and holidays, joined where they touch", () => {
  const off = daysOff({ ...settings, holidays: ["2027-01-06", "2027-01-08"] }, monday, monday + 7);
  expect(off.map(([from, until]) => [dateOfDay(from), until - from])).toEqual([
    ["2027-01-06", 1],
    ["2027-01-08", 3],
  ]);
});
