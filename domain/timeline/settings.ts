import type { TimelineInput, TimelineSettings } from "../../contract/endpoints/timelines.ts";
import { type Fault, faultAt, isFull, report } from "../tree/check/faults.ts";
import { roleKey, writtenRole } from "../tree/roles.ts";
import { dayOf } from "./calendar.ts";
import { findCycle } from "./find-cycle.ts";
import { type Dependency, weekdays } from "./shape.ts";
import { zoneNamed } from "./zone.ts";

/** The settings of a timeline that was never set. */
export const defaultSettings: TimelineSettings = {
  startDate: null,
  timeZone: "UTC",
  hoursPerDay: 8,
  weeklyPattern: { monday: 1, tuesday: 1, wednesday: 1, thursday: 1, friday: 1, saturday: 0, sunday: 0 },
  holidays: [],
  holidayPlace: null,
  people: [],
  focusFactor: 0.8,
  dependencies: [],
};

/** The tasks that a link may name, and what is known about them. */
interface LinkedTask {
  readonly id: string;
  readonly hours: number | null;
}

const breaches = {
  date: { code: "wrong_format", message: "must be a date that exists, from 1970 to 2199", expected: "2027-01-31" },
  zone: { code: "unknown_reference", message: "must be the name of a time zone, such as Europe/Berlin" },
  noDay: { code: "not_allowed", message: "must have at least one day on which somebody works" },
  repeatedRole: { code: "repeated", message: "must not name the same role twice, also not in another spelling" },
  unknownTask: { code: "unknown_reference", message: "must be the id of a task of this estimation" },
  noHours: { code: "not_allowed", message: "must be a task that has hours: name the tasks below it" },
  ownTask: { code: "self_reference", message: "must not be the task itself" },
  repeatedLink: { code: "repeated", message: "must not be given twice with the same tasks and type" },
  cycle: { code: "cycle", message: "must not form a cycle" },
} as const;

/** The code of a schedule that takes too long, for the whole body. */
export const tooLong = (years: number): Fault =>
  faultAt("", { code: "too_large", message: `must not give a schedule of more than ${years} years`, expected: years });

/**
 * Returns the settings after a change: lists in an order of their own, so that the same settings are the same text; or
 * what is wrong with it. Existing links may name tasks that are gone.
 */
export function changeSettings(
  before: TimelineSettings,
  change: TimelineInput,
  tasks: readonly LinkedTask[],
): { readonly settings: TimelineSettings } | { readonly faults: readonly Fault[] } {
  const faults: Fault[] = [];
  const { startDate, timeZone, weeklyPattern, holidays, people } = change;
  if (typeof startDate === "string" && dayOf(startDate) === null) report(faults, "/startDate", breaches.date);
  const zone = timeZone === undefined ? before.timeZone : zoneNamed(timeZone);
  if (zone === null) report(faults, "/timeZone", breaches.zone);
  const pattern = weeklyPattern ? weekOf(weeklyPattern) : before.weeklyPattern;
  const hoursPerDay = change.hoursPerDay ?? before.hoursPerDay;
  if (weekdays.every((day) => Math.round(pattern[day] * hoursPerDay * 3_600) === 0)) {
    report(faults, "/weeklyPattern", breaches.noDay);
  }
  holidays?.forEach((date, index) => {
    if (dayOf(date) === null) report(faults, `/holidays/${index}`, breaches.date);
  });
  const roles = new Set<string>();
  people?.forEach(({ role }, index) => {
    const key = roleKey(role);
    if (roles.has(key)) report(faults, `/people/${index}/role`, breaches.repeatedRole);
    roles.add(key);
  });
  const links = change.dependencies?.map(withDefaults);
  if (links) checkLinks(faults, links, before.dependencies, tasks);
  if (faults.length > 0) return { faults };
  return {
    settings: {
      startDate: startDate === undefined ? before.startDate : startDate,
      timeZone: zone ?? before.timeZone,
      hoursPerDay,
      weeklyPattern: pattern,
      holidays: holidays?.toSorted() ?? before.holidays,
      holidayPlace: change.holidayPlace === undefined ? before.holidayPlace : change.holidayPlace,
      people: people
        ? people
            .map(({ role, count }) => ({ role: roleIn(before.people, role), count }))
            .sort(byText(({ role }) => role))
        : before.people,
      focusFactor: change.focusFactor ?? before.focusFactor,
      dependencies: links ? sortLinks(links) : before.dependencies,
    },
  };
}

/** A role as it is stored; one that was there before stays as it was. */
const roleIn = (before: TimelineSettings["people"], role: string): string =>
  before.find((each) => each.role === role)?.role ?? writtenRole(role) ?? role;

const weekOf = (given: NonNullable<TimelineInput["weeklyPattern"]>): TimelineSettings["weeklyPattern"] => ({
  ...defaultSettings.weeklyPattern,
  ...Object.fromEntries(weekdays.map((day) => [day, given[day] ?? 0])),
});

const withDefaults = ({
  from,
  to,
  type = "finish_to_start",
  lagHours = 0,
}: NonNullable<TimelineInput["dependencies"]>[number]): Dependency => ({ from, to, type, lagHours });

const keyOf = ({ from, to, type }: Dependency): string => `${from} ${to} ${type}`;

/** Returns links in the order in which they are stored. */
export const sortLinks = (links: readonly Dependency[]): Dependency[] => links.toSorted(byText(keyOf));

const byText =
  <T>(textOf: (row: T) => string) =>
  (a: T, b: T): number =>
    textOf(a) < textOf(b) ? -1 : 1;

function checkLinks(
  faults: Fault[],
  links: readonly Dependency[],
  before: readonly Dependency[],
  tasks: readonly LinkedTask[],
): void {
  const known = new Map(tasks.map((task) => [task.id, task]));
  const kept = new Set(before.map(keyOf));
  const seen = new Set<string>();
  for (const [index, link] of links.entries()) {
    if (isFull(faults)) return;
    const path = `/dependencies/${index}`;
    const key = keyOf(link);
    if (seen.has(key)) report(faults, path, breaches.repeatedLink);
    seen.add(key);
    if (link.from === link.to) report(faults, `${path}/to`, breaches.ownTask);
    if (kept.has(key)) continue;
    for (const side of ["from", "to"] as const) {
      const task = known.get(link[side]);
      if (!task) report(faults, `${path}/${side}`, breaches.unknownTask);
      else if (task.hours === null) report(faults, `${path}/${side}`, breaches.noHours);
    }
  }
  if (faults.length > 0) return;
  for (const index of findCycle(links) ?? []) report(faults, `/dependencies/${index}`, breaches.cycle);
}
