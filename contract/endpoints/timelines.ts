import Type, { type Static } from "typebox";
import { endpoints } from "../endpoint.ts";
import { limits } from "../limits.ts";
import {
  Change,
  component,
  DateText,
  Hours,
  hundredths,
  Id,
  Nullable,
  OneOf,
  Shape,
  Text,
  Timestamp,
  Title,
} from "../shapes.ts";
import { dependencyTypes } from "../values/dependency-types.ts";
import { CountryCode, RegionCode } from "./holidays.ts";

const Part = Type.Number({ minimum: 0, maximum: 1, ...hundredths });

const week = {
  monday: Part,
  tuesday: Part,
  wednesday: Part,
  thursday: Part,
  friday: Part,
  saturday: Part,
  sunday: Part,
};
export type Weekday = keyof typeof week;

const WEEK = "The part of `hoursPerDay` that is worked on each day of the week: 1 all of it, 0 none";

const Dependency = component(
  "Dependency",
  Shape({
    from: Type.String({ maxLength: limits.refLength, description: "Id of the task that comes first" }),
    to: Type.String({ maxLength: limits.refLength, description: "Id of the task that waits" }),
    type: OneOf(dependencyTypes, {
      description:
        "`finish_to_start`: it starts after the other has ended; `start_to_start`: after the other has started; `finish_to_finish`: it ends no earlier than the other, and takes longer if necessary",
    }),
    lagHours: Type.Number({
      minimum: 0,
      maximum: limits.lagHoursMax,
      ...hundredths,
      description: "Working hours between both",
    }),
  }),
);
export type Dependency = Static<typeof Dependency.schema>;

const LINKS =
  "Which tasks wait for which. Both tasks must have hours, and there must be no cycles. A dependency of a task that no longer exists has no effect until the task is back";

const settings = {
  startDate: Nullable(
    Type.String({ ...DateText, description: "The first day of work; null: not known yet, and nothing is scheduled" }),
  ),
  timeZone: Type.String({
    ...Title(limits.timeZoneLength),
    description: "Name of a time zone in the IANA database, such as `Europe/Berlin`; UTC by default",
  }),
  hoursPerDay: Type.Number({
    minimum: limits.hoursPerDayMin,
    maximum: 24,
    ...hundredths,
    description: "Hours that a person works on a full day, from nine o'clock on; 8 by default",
  }),
  weeklyPattern: Shape(week, { description: `${WEEK}; Monday to Friday by default` }),
  holidays: Type.Array(DateText, {
    maxItems: limits.holidays,
    uniqueItems: true,
    description: "Dates on which nobody works",
  }),
  holidayPlace: Nullable(
    Shape(
      { country: CountryCode, region: Nullable(RegionCode) },
      {
        description:
          "The country, or the region of it, whose public holidays some of `holidays` are: says what these days are called, and changes no schedule; null: none",
      },
    ),
  ),
  people: Type.Array(
    Shape({
      role: Title(limits.roleLength),
      count: Type.Integer({ minimum: 1, maximum: limits.peoplePerRole }),
    }),
    {
      maxItems: limits.timelineRoles,
      description:
        "How many people there are of each role. Two spellings that differ only in case, blanks or forms of characters are one role, as everywhere",
    },
  ),
  focusFactor: Type.Number({
    minimum: limits.focusFactorMin,
    maximum: 1,
    ...hundredths,
    description: "The part of the working time that goes into tasks, the rest is meetings and the like; 0.8 by default",
  }),
  dependencies: Type.Array(Dependency.ref, {
    maxItems: limits.dependencies,
    description: LINKS,
  }),
};

export const TimelineSettings = Shape(settings, { description: "Null: never set" });
export type TimelineSettings = Static<typeof TimelineSettings>;

const timelineProblems = ["no_start_date", "too_long"] as const;

const Item = component(
  "TimelineItem",
  Shape({
    taskId: Id("task"),
    start: Timestamp,
    end: Type.String({ ...Timestamp, description: "When it ends, to the minute; this moment does not belong to it" }),
    critical: Type.Boolean({
      description: "Whether a later start would delay the end of the whole schedule, not considering people",
    }),
    slackHours: Type.Number({
      ...Hours(),
      description:
        "Working hours by which it may start later without delaying the end of the whole schedule, not considering people",
    }),
  }),
);

/** The hour as of which a plan or a forecast is made. */
export const AsOf = Type.String({
  ...Timestamp,
  description: "As of when, the hour in which it was asked for: open work starts no earlier",
});

/** The settings of a timeline, and the schedule that follows from them. */
export const Timeline = component(
  "Timeline",
  Shape({
    ...settings,
    asOf: AsOf,
    items: Type.Array(Item.ref, {
      description: "When each task that has hours and is not obsolete is worked on, in the order of the tasks",
    }),
    assumed: Type.Array(
      Shape({
        role: Nullable(Text(limits.roleLength, { description: "Null: tasks without a role" })),
        people: Type.Integer({ minimum: 1, description: "How many people are assumed" }),
      }),
      { description: "Roles of open tasks that `people` does not list" },
    ),
    unused: Type.Array(Type.String(), { description: "Roles of `people` that no task has" }),
    problem: Nullable(
      OneOf(timelineProblems, {
        description: `Why nothing is scheduled: there is no start date, or the schedule would take more than ${limits.timelineYears} years; null where it is`,
      }),
    ),
  }),
);
export type Timeline = Static<typeof Timeline.schema>;

const link = Dependency.schema.properties;

const given = {
  ...settings,
  weeklyPattern: Shape(optional(week), { description: `${WEEK}; a day that is left out has none` }),
  dependencies: Type.Array(
    Shape({
      ...link,
      type: Type.Optional({ ...link.type, default: "finish_to_start" }),
      lagHours: Type.Optional({ ...link.lagHours, default: 0 }),
    }),
    { maxItems: limits.dependencies, description: LINKS },
  ),
};
const change = Change(given, { derived: ["asOf", "items", "assumed", "unused", "problem"] });
export type TimelineInput = Static<typeof change>;

/** The same fields, none of them required. */
function optional<P extends Record<string, typeof Part>>(fields: P) {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, Type.Optional(field)])) as {
    [K in keyof P]: ReturnType<typeof Type.Optional<P[K]>>;
  };
}

const one = Shape({ timeline: Timeline.ref });

export const timelines = endpoints({
  getTimeline: {
    method: "GET",
    path: "/api/estimations/:id/timeline",
    tool: {},
    summary: "Read the settings of the timeline, and when each task will be worked on",
    description:
      "The schedule follows from the open tasks, what they wait for, and the people of their roles. Tasks that are done keep their date, and open ones start no earlier than `asOf`.",
    access: "estimations:read",
    right: "read",
    response: { status: 200, data: one },
  },
  updateTimeline: {
    method: "PUT",
    path: "/api/estimations/:id/timeline",
    alsoPatch: true,
    summary: "Change any of the settings of the timeline",
    description: "They can be changed in any state. A list that is given replaces the one before.",
    access: "estimations:write",
    right: "edit",
    body: change,
    bodyValues: 40_000,
    response: { status: 200, data: one },
    errors: ["limit_reached"],
    etag: true,
    ifMatch: true,
    activity: "timeline.edited",
  },
});
