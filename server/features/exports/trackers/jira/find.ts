import { markerIn, PROPERTY } from "../../../../../domain/exports/jira/marker.ts";
import { dateIn, fieldOf, listIn, textIn } from "../json.ts";
import { type Call, type Found, type Place, TrackerFault } from "../tracker.ts";
import { jiraLayout, readIssue } from "./issue-json.ts";
import { throwIfBlocked } from "./project.ts";
import type { Send } from "./requests.ts";

const PAGE = 100;
/** For one look-up: 15,000 issues. */
const REQUESTS_MAX = 150;
const MINUTE_MS = 60_000;

/**
 * Finds issues by the markers in their properties, which a search cannot ask for: so it asks for all issues of the project
 * that are as new. It does not ask for the label, because people and rules of the project remove labels. The age is in
 * minutes before Jira's own time, which is asked for first: a date would be read in the time zone of the user.
 */
export async function findIssues(
  send: Send,
  place: Place,
  { markers, since }: { readonly markers: readonly string[]; readonly since: Date },
  call?: Call,
): Promise<ReadonlyMap<string, readonly Found[]>> {
  const { projectId, site } = jiraLayout(place);
  const wanted = new Set(markers);
  const { at } = await send(place.access, { method: "GET", path: "/serverInfo" }, call);
  const minutes = Math.max(1, Math.ceil((at.getTime() - since.getTime()) / MINUTE_MS) + 1);
  const jql = `project = ${projectId} AND created >= "-${minutes}m" ORDER BY created ASC, key ASC`;
  const issues = new Map<string, Found>();
  let nextPageToken: string | null = null;
  for (let requests = 0; requests < REQUESTS_MAX; requests += 1) {
    const body = {
      ...{ jql, fields: ["created"], properties: [PROPERTY], maxResults: PAGE },
      ...(nextPageToken === null ? {} : { nextPageToken }),
    };
    const answer = await send(place.access, { method: "POST", path: "/search/jql", body }, call);
    if (answer.status !== 200) {
      await throwIfBlocked(send, place, answer, call);
      throw new TrackerFault({ kind: "refused", reason: answer.message });
    }
    if (answer.tooLarge || !Array.isArray(fieldOf(answer.json, "issues")))
      throw new TrackerFault({ kind: "unknown", reason: "unreadable_answer" });
    for (const json of listIn(answer.json, "issues")) {
      const marker = markerIn(fieldOf(json, "properties"));
      const issue = readIssue(json, { site });
      const createdAt = dateIn(fieldOf(json, "fields"), "created");
      if (issue && createdAt && marker !== null && wanted.has(marker))
        issues.set(issue.ref, { marker, issue, createdAt });
    }
    nextPageToken = textIn(answer.json, "nextPageToken");
    if (nextPageToken === null || fieldOf(answer.json, "isLast") === true) return byMarker([...issues.values()]);
  }
  throw new TrackerFault({ kind: "refused", reason: `the list is longer than ${REQUESTS_MAX} requests` });
}

/** Oldest first: Jira's ids count up. */
function byMarker(issues: readonly Found[]): ReadonlyMap<string, readonly Found[]> {
  const found = new Map<string, Found[]>();
  for (const one of issues.toSorted((a, b) => Number(a.issue.ref) - Number(b.issue.ref)))
    found.set(one.marker, [...(found.get(one.marker) ?? []), one]);
  return found;
}
