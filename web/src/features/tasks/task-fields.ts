import type { Task, TaskChanges } from "../../../../contract/tasks.ts";
import { readActualHours } from "./read-actual-hours.ts";

/** A task as it stands in the fields of a form. */
export type TaskFields = Readonly<
  Record<"title" | "description" | "hours" | "role" | "actualHours" | "doneAt", string>
>;

/** Returns the day of a time where the reader is, as a date field has it. */
export const localDay = (at: Date): string =>
  new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);

const hoursText = (hours: number | null) => (hours === null ? "" : String(hours));

export const writtenOf = ({ title, description, hours, role, actualHours, doneAt }: Task): TaskFields => ({
  title,
  description,
  hours: hoursText(hours),
  role: role ?? "",
  actualHours: hoursText(actualHours),
  doneAt: doneAt === null ? "" : localDay(new Date(doneAt)),
});

/**
 * Returns what was changed, and nothing else, so that others' changes of other fields stay; or the fields of hours that
 * cannot be read. A task that is done today is done `now`, on another day at noon there.
 */
export function changesIn(before: TaskFields, after: TaskFields, now: Date) {
  const changes: TaskChanges = {};
  const unreadable: string[] = [];
  const isChanged = (name: keyof TaskFields) => before[name] !== after[name];
  if (isChanged("title")) changes.title = after.title;
  if (isChanged("description")) changes.description = after.description;
  if (isChanged("role")) changes.role = after.role.trim() || null;
  for (const name of ["hours", "actualHours"] as const) {
    if (!isChanged(name)) continue;
    const hours = readActualHours(after[name]);
    if (hours === undefined) unreadable.push(name);
    else changes[name] = hours;
  }
  if (isChanged("doneAt")) {
    const { doneAt: day } = after;
    const at = day === localDay(now) ? now : new Date(`${day}T12:00`);
    changes.doneAt = day === "" ? null : at.toISOString();
  }
  return { changes, unreadable };
}
