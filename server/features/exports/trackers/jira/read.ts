import { limits } from "../../../../../contract/limits.ts";
import { hoursOfSeconds } from "../../../../../domain/exports/jira/estimate.ts";
import type { Gone, Remote } from "../issues.ts";
import { fieldOf, integerIn, listIn, textIn } from "../json.ts";
import type { Call, Reached } from "../reach.ts";
import type { ApiResponse, Send } from "../requests.ts";
import { TrackerFault } from "../tracker-fault.ts";
import { jiraLayout, READ_FIELDS, readIssue, readRemote } from "./issue-json.ts";
import { readAll } from "./lists.ts";
import { problems } from "./problems.ts";
import { findProject, throwIfBlocked } from "./project.ts";

/** Of one issue: Jira takes no more. Source: Jira Cloud, "Limits for work items". */
const WORK_LOGS = 10_000;

/** Reads issues by their ids, in one request: unlike a search, that is always up to date. */
export async function fetchIssues(
  send: Send,
  reached: Reached,
  refs: readonly string[],
  wanted: { readonly fields: readonly string[]; readonly properties?: readonly string[] },
  call?: Call,
): Promise<ReadonlyMap<string, unknown>> {
  if (refs.length === 0) return new Map();
  const body = { issueIdsOrKeys: refs, ...wanted };
  const response = await send(reached.access, { method: "POST", path: "/issue/bulkfetch", body, asks: true }, call);
  if (response.status !== 200) {
    await throwIfBlocked(send, reached, response, call);
    throw new TrackerFault({ kind: "refused", reason: response.message });
  }
  if (response.tooLarge || listIn(response.json, "issueErrors").length > 0)
    throw new TrackerFault({ kind: "unknown", reason: "unreadable_answer" });
  return new Map(
    listIn(response.json, "issues").flatMap((json) => {
      const id = textIn(json, "id");
      return id === null ? [] : [[id, json] as const];
    }),
  );
}

/** Returns the present state of issues; throws if not an issue but the project is out of reach. */
export async function readIssues(
  send: Send,
  reached: Reached,
  refs: readonly string[],
  { hours }: { readonly hours: boolean },
  call?: Call,
): Promise<ReadonlyMap<string, Remote | Gone>> {
  const layout = jiraLayout(reached);
  const found = await fetchIssues(send, reached, refs, { fields: READ_FIELDS }, call);
  const states = new Map<string, Remote | Gone>();
  for (const ref of refs) {
    const json = found.get(ref);
    if (json === undefined) {
      states.set(ref, { outcome: "gone", reason: "deleted" });
      continue;
    }
    const issue = readIssue(json, layout);
    if (!issue) throw new TrackerFault({ kind: "unknown", reason: "unreadable_answer" });
    if (textIn(fieldOf(fieldOf(json, "fields"), "project"), "id") !== layout.projectId)
      states.set(ref, { outcome: "gone", reason: "moved" });
    else {
      const remote = readRemote(issue, json);
      const worked = integerIn(fieldOf(json, "fields"), "timespent") ?? 0;
      const actualHours = hours && worked > 0 ? await workedHours(send, reached, ref, call) : null;
      states.set(ref, actualHours === "gone" ? { outcome: "gone", reason: "deleted" } : { ...remote, actualHours });
    }
  }
  // A user who may not see the project any more sees no issue of it: none of them is gone.
  if ([...states.values()].some(({ outcome }) => outcome === "gone")) {
    const project = await findProject(send, reached, { writes: false }, call);
    if ("problem" in project) throw new TrackerFault({ kind: "blocked", problem: project.problem });
    if (project.project.id !== layout.projectId)
      throw new TrackerFault({ kind: "blocked", problem: problems.destination_missing(reached.destination.project) });
  }
  return states;
}

/** Adds up the work logs of an issue, all pages of them. null: it has none any more; "gone": it was deleted. */
async function workedHours(send: Send, reached: Reached, ref: string, call?: Call): Promise<number | null | "gone"> {
  let isGone = false;
  const list = {
    path: `/issue/${encodeURIComponent(ref)}/worklog`,
    list: "worklogs",
    most: WORK_LOGS,
    keep: (log: unknown) => Math.max(0, integerIn(log, "timeSpentSeconds") ?? 0),
    async refuse(response: ApiResponse) {
      await throwIfBlocked(send, reached, response, call);
      isGone = response.status === 404;
    },
  };
  let logs: readonly number[];
  try {
    logs = await readAll(send, reached.access, list, call);
  } catch (error) {
    if (!isGone) throw error;
    // Work logs are missing also where time tracking was switched off.
    return (await fetchIssues(send, reached, [ref], { fields: ["summary"] }, call)).has(ref) ? null : "gone";
  }
  const hours = hoursOfSeconds(logs);
  return hours === null || hours > limits.treeHoursMax ? null : hours;
}
