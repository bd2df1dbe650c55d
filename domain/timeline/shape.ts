import type { TimelineSettings, Weekday } from "../../contract/endpoints/timelines.ts";
import { limits } from "../../contract/limits.ts";
import type { DependencyType } from "../../contract/values/dependency-types.ts";

export type { Dependency, TimelineSettings, Weekday } from "../../contract/endpoints/timelines.ts";
export type { DependencyType } from "../../contract/values/dependency-types.ts";

/** The settings of a calendar. */
export type CalendarSettings = Pick<TimelineSettings, "timeZone" | "hoursPerDay" | "weeklyPattern" | "holidays"> & {
  readonly startDate: string;
  /** Open work starts no earlier than this instant, in seconds since 1970. */
  readonly asOf: number;
};

/** The days of the week in the order in which `(day + 3) % 7` counts them: day 0, 1 January 1970, was a Thursday. */
export const weekdays = [
  "monday",
  "tuesday",
  "wednesday",
  "thursday",
  "friday",
  "saturday",
  "sunday",
] as const satisfies readonly Weekday[];

/** The longest schedule, in years. */
export const HORIZON_YEARS = limits.timelineYears;

/** A task that is scheduled. */
export interface PlannedTask {
  readonly id: string;
  readonly position: number;
  readonly role: string | null;
  /** Hours of work. */
  readonly hours: number;
  /** When it was done, in whole seconds since 1970; null: it is open. */
  readonly doneAt: number | null;
  /** Actual hours; null if not known. */
  readonly actualHours: number | null;
}

/** A link between two tasks that are scheduled, by their indexes. */
export interface Link {
  readonly from: number;
  readonly to: number;
  readonly type: DependencyType;
  /** Working time between both, in whole seconds. */
  readonly lag: number;
}
