import { markersIn } from "../../../../../domain/exports/github/marker.ts";
import type { Found } from "../issues.ts";
import { dateIn } from "../json.ts";
import type { Call, Reached } from "../reach.ts";
import type { Send } from "../requests.ts";
import { repositoryPath } from "./address.ts";
import { type IssueJson, readIssue } from "./issue-json.ts";
import { listEntries } from "./lists.ts";

/** For lists of issues: at least 10,000 issues, unless their texts are extremely long. */
const REQUESTS_MAX = 150;

/**
 * Finds issues by the markers in their bodies. The list is not filtered by label: GitHub's filters and searches use an
 * index that lags, and labels may be dropped silently. Newest first, up to the first one made before `since`; issues
 * that are made meanwhile move others to later pages, so none is missed.
 */
export async function findIssues(
  send: Send,
  reached: Reached,
  { markers, since }: { readonly markers: readonly string[]; readonly since: Date },
  call?: Call,
): Promise<ReadonlyMap<string, readonly Found[]>> {
  const wanted = new Set(markers);
  const issues = new Map<number, IssueJson>();
  const from = new Date(Math.floor(since.getTime() / 1_000) * 1_000);
  const listing = {
    path: `${repositoryPath(reached.destination.project)}/issues`,
    query: { state: "all", since: from.toISOString().replace(".000Z", "Z"), sort: "created", direction: "desc" },
    requestsMax: REQUESTS_MAX,
  };
  for await (const page of listEntries(send, reached, listing, call)) {
    for (const json of page) {
      const issue = readIssue(json, reached);
      if (issue && issue.createdAt >= from && markersIn(issue.body).some((marker) => wanted.has(marker)))
        issues.set(issue.id, issue);
    }
    const last = dateIn(page.at(-1), "created_at");
    if (last !== null && last < from) break;
  }
  const found = new Map<string, Found[]>();
  for (const { issue, body, createdAt } of [...issues.values()].toSorted((a, b) => a.number - b.number))
    for (const marker of new Set(markersIn(body)))
      if (wanted.has(marker)) found.set(marker, [...(found.get(marker) ?? []), { marker, issue, createdAt }]);
  return found;
}
