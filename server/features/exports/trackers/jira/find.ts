import { markerIn, PROPERTY } from "../../../../../domain/exports/jira/marker.ts";
import type { Found } from "../issues.ts";
import { dateIn, fieldOf, listIn, textIn } from "../json.ts";
import type { Call, Reached } from "../reach.ts";
import type { Send } from "../requests.ts";
import { TrackerFault } from "../tracker-fault.ts";
import { jiraLayout, readIssue } from "./issue-json.ts";
import { throwIfBlocked } from "./project.ts";

const PAGE = 100;
/** For one look-up: 15,000 issues. */
const REQUESTS_MAX = 150;
const ISSUES_MAX = REQUESTS_MAX * PAGE;
const MINUTE_MS = 60_000;

/**
 * Finds issues by the markers in their properties, which a search cannot ask for: so it asks for all issues of the project
 * that are as new. It does not ask for the label, because people and rules of the project remove labels. The age is in
 * minutes before Jira's own time, which is asked for first: a date would be read in the time zone of the user.
 */
export async function findIssues(
  send: Send,
  reached: Reached,
  { markers, since }: { readonly markers: readonly string[]; readonly since: Date },
  call?: Call,
): Promise<ReadonlyMap<string, readonly Found[]>> {
  const { projectId, site } = jiraLayout(reached);
  const wanted = new Set(markers);
  const { at } = await send(reached.access, { method: "GET", path: "/serverInfo" }, call);
  const minutes = Math.max(1, Math.ceil((at.getTime() - since.getTime()) / MINUTE_MS) + 1);
  const jql = `project = ${projectId} AND created >= "-${minutes}m" ORDER BY created ASC, key ASC`;
  const issues = new Map<string, Found>();
  let nextPageToken: string | null = null;
  let seen = 0;
  for (let requests = 0; requests < REQUESTS_MAX; requests += 1) {
    const body = {
      ...{ jql, fields: ["created"], properties: [PROPERTY], maxResults: PAGE },
      ...(nextPageToken === null ? {} : { nextPageToken }),
    };
    const response = await send(reached.access, { method: "POST", path: "/search/jql", body, asks: true }, call);
    if (response.status !== 200) {
      await throwIfBlocked(send, reached, response, call);
      throw new TrackerFault({ kind: "refused", reason: response.message });
    }
    if (response.tooLarge || !Array.isArray(fieldOf(response.json, "issues")))
      throw new TrackerFault({ kind: "unknown", reason: "unreadable_answer" });
    const page = listIn(response.json, "issues");
    seen += page.length;
    if (seen > ISSUES_MAX) throw tooLong();
    for (const json of page) {
      const marker = markerIn(fieldOf(json, "properties"));
      if (marker === null || !wanted.has(marker)) continue;
      const issue = readIssue(json, { site });
      const createdAt = dateIn(fieldOf(json, "fields"), "created");
      // It exists, so it must not count as not found.
      if (!issue || !createdAt) throw new TrackerFault({ kind: "unknown", reason: "unreadable_answer" });
      issues.set(issue.ref, { marker, issue, createdAt });
    }
    const [isLast, token] = [fieldOf(response.json, "isLast"), fieldOf(response.json, "nextPageToken") ?? null];
    if (isLast === true || (token === null && isLast !== false)) return byMarker([...issues.values()]);
    nextPageToken = textIn(response.json, "nextPageToken");
    // There are more, so a missing one may be among them.
    if (nextPageToken === null) throw new TrackerFault({ kind: "unknown", reason: "unreadable_answer" });
  }
  throw tooLong();
}

const tooLong = () =>
  new TrackerFault({ kind: "refused", reason: `the project has more than ${ISSUES_MAX} issues as new as these` });

/** Oldest first: Jira's ids count up. */
function byMarker(issues: readonly Found[]): ReadonlyMap<string, readonly Found[]> {
  const found = new Map<string, Found[]>();
  for (const one of issues.toSorted((a, b) => Number(a.issue.ref) - Number(b.issue.ref)))
    found.set(one.marker, [...(found.get(one.marker) ?? []), one]);
  return found;
}
