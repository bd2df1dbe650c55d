import type { Task, TaskChanges } from "../../../../contract/endpoints/tasks.ts";
import { fieldNumber, numberStyle } from "../../ui/numbers/format.ts";
import { readHours } from "../../ui/numbers/read-hours.ts";

/** A task as it stands in the fields of a form. */
export type TaskFields = Readonly<
  Record<"title" | "description" | "hours" | "role" | "actualHours" | "doneAt", string>
>;

/** Returns the day of a time where the reader is, as a date field has it. */
export const localDay = (at: Date): string =>
  new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);

export const writtenOf = ({ title, description, hours, role, actualHours, doneAt }: Task): TaskFields => ({
  title,
  description,
  hours: fieldNumber(hours),
  role: role ?? "",
  actualHours: fieldNumber(actualHours),
  doneAt: doneAt === null ? "" : localDay(new Date(doneAt)),
});

/**
 * Returns what was changed, and nothing else, so that others' changes of other fields stay; or the fields of hours that
 * cannot be read, with what they can mean. `pasted` are the fields with something that was pasted. A task that is done today is done `now`, on another day at noon there.
 */
export function changesIn(before: TaskFields, after: TaskFields, now: Date, pasted: ReadonlySet<string> = new Set()) {
  const changes: TaskChanges = {};
  const unreadable: Record<string, readonly string[]> = {};
  const isChanged = (name: keyof TaskFields) => before[name] !== after[name];
  if (isChanged("title")) changes.title = after.title;
  if (isChanged("description")) changes.description = after.description;
  if (isChanged("role")) changes.role = after.role.trim() || null;
  for (const name of ["hours", "actualHours"] as const) {
    if (!isChanged(name)) continue;
    const read = readHours({ text: after[name], isPasted: pasted.has(name) }, numberStyle);
    if (read.ok) changes[name] = read.value;
    else unreadable[name] = read.readings;
  }
  if (isChanged("doneAt")) {
    const { doneAt: day } = after;
    const at = day === localDay(now) ? now : new Date(`${day}T12:00`);
    changes.doneAt = day === "" ? null : at.toISOString();
  }
  return { changes, unreadable };
}
