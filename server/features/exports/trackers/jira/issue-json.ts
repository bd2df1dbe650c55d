import type { Resolution } from "../../../../../domain/exports/dropped.ts";
import { canonical, contentOf } from "../../../../../domain/exports/jira/adf.ts";
import { estimateOfSeconds } from "../../../../../domain/exports/jira/estimate.ts";
import type { JiraLayout } from "../../../../../domain/exports/jira/issue-types.ts";
import type { Issue, Remote } from "../issues.ts";
import { dateIn, fieldOf, integerIn, textIn } from "../json.ts";
import type { Reached } from "../reach.ts";
import { TrackerFault } from "../tracker-fault.ts";
import { issuePage } from "./address.ts";

/** Returns what the survey found; every call of a run but the survey has it. */
export function jiraLayout({ layout }: Reached): JiraLayout {
  if (!layout?.jira) throw new Error("The project was not surveyed.");
  return layout.jira;
}

const ID = /^\d{1,20}$/;
const KEY = /^[A-Za-z]\w{0,254}-\d{1,20}$/;

/** Returns the id that Jira gave a project, a type or an issue; null: it is none. */
export function idIn(json: unknown): string | null {
  const id = textIn(json, "id");
  return id !== null && ID.test(id) ? id : null;
}

/** Returns an issue as it is named, null if it is none; its id stays the same when it moves to another project. */
export function readIssue(json: unknown, { site }: Pick<JiraLayout, "site">): Issue | null {
  const [id, key] = [idIn(json), textIn(json, "key") ?? ""];
  return id !== null && KEY.test(key) ? { ref: id, key, url: issuePage(site, key) } : null;
}

/** The fields of an issue that comparing and reading back need. */
export const READ_FIELDS = [
  ...["summary", "description", "timetracking", "project"],
  ...["status", "resolution", "resolutiondate", "statuscategorychangedate", "updated", "timespent"],
];

/** Returns the state of an issue; its actual hours are read elsewhere. */
export function readRemote(issue: Issue, json: unknown): Remote {
  const fields = fieldOf(json, "fields");
  const summary = textIn(fields, "summary");
  if (summary === null) throw new TrackerFault({ kind: "unknown", reason: "unreadable_answer" });
  const content = contentOf(fieldOf(fields, "description"));
  const seconds = integerIn(fieldOf(fields, "timetracking"), "originalEstimateSeconds");
  const isDone = textIn(fieldOf(fieldOf(fields, "status"), "statusCategory"), "key") === "done";
  return {
    outcome: "present",
    issue,
    fields: {
      summary,
      description: content === null ? null : canonical(content),
      estimate: estimateOfSeconds(seconds),
    },
    closedAt: isDone ? doneAt(fields) : null,
    resolution: isDone ? resolutionIn(fieldOf(fields, "resolution")) : null,
    actualHours: null,
  };
}

function resolutionIn(json: unknown): Resolution | null {
  const [id, name] = [idIn(json), textIn(json, "name")];
  return id !== null && name !== null ? { id, name } : null;
}

/** The times of an issue that say when it became done, the best one first: not every workflow sets a resolution. */
const DONE_AT = ["resolutiondate", "statuscategorychangedate", "updated"];

function doneAt(fields: unknown): Date {
  for (const name of DONE_AT) {
    const at = dateIn(fields, name);
    if (at !== null && at.getUTCFullYear() >= 1 && at.getUTCFullYear() <= 9_999) return at;
  }
  throw new TrackerFault({ kind: "unknown", reason: "unreadable_answer" });
}
