import type { PlanInput } from "../plan.ts";
import { type CalendarSettings, weekdays } from "../shape.ts";

type Week = CalendarSettings["weeklyPattern"];

/** The parts of a day that are worked, from Monday to Sunday. */
export const weekOf = (...parts: number[]): Week =>
  Object.fromEntries(weekdays.map((day, index) => [day, parts[index] ?? 0])) as Week;

export const allDay = weekOf(1, 1, 1, 1, 1, 1, 1);

/** Settings under which an hour of a task is an hour of work, and every hour of the year is worked. */
export const plainSettings: PlanInput["settings"] = {
  startDate: "2027-01-04",
  asOf: 0,
  timeZone: "UTC",
  hoursPerDay: 24,
  weeklyPattern: allDay,
  holidays: [],
  people: [],
  focusFactor: 1,
};
