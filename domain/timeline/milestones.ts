import type { MilestoneRecord } from "../../contract/endpoints/milestones.ts";
import { type Fault, report } from "../tree/check/faults.ts";
import { dayOf } from "./calendar.ts";

const breaches = {
  date: { code: "wrong_format", message: "must be a date that exists, from 1970 to 2199", expected: "2027-01-31" },
  node: { code: "unknown_reference", message: "must be the id of a node of this estimation" },
  task: { code: "unknown_reference", message: "must be the id of a task of this estimation" },
} as const;

/** Returns what is wrong with a milestone. It may keep ids of removed nodes and tasks, but not add them. */
export function milestoneFaults(
  { dueDate, nodeIds, taskIds }: MilestoneRecord,
  before: MilestoneRecord | undefined,
  known: { readonly nodeIds: ReadonlySet<string>; readonly taskIds: ReadonlySet<string> },
): readonly Fault[] {
  const faults: Fault[] = [];
  if (dayOf(dueDate) === null) report(faults, "/dueDate", breaches.date);
  for (const [index, id] of nodeIds.entries()) {
    if (!known.nodeIds.has(id) && !before?.nodeIds.includes(id)) report(faults, `/nodeIds/${index}`, breaches.node);
  }
  for (const [index, id] of taskIds.entries()) {
    if (!known.taskIds.has(id) && !before?.taskIds.includes(id)) report(faults, `/taskIds/${index}`, breaches.task);
  }
  return faults;
}
