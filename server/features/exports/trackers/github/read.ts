import { actualHoursOf, type HoursComment } from "../../../../../domain/exports/github/actual-hours.ts";
import { milestoneName } from "../../../../../domain/exports/github/compose.ts";
import type { Gone, Remote } from "../issues.ts";
import { integerIn, textIn } from "../json.ts";
import type { Call, Reached } from "../reach.ts";
import type { ApiResponse, Send } from "../requests.ts";
import { TrackerFault } from "../tracker-fault.ts";
import { repositoryPath } from "./address.ts";
import { type IssueJson, isPullRequest, readIssue, readRef } from "./issue-json.ts";
import { throwIfBlocked } from "./repository.ts";

/** Comments in a request: so few that ten of the longest fit into a response. */
const COMMENTS_PER_PAGE = 10;
const COMMENT_PAGES_MAX = 20;
const MEMBERS: readonly (string | null)[] = ["OWNER", "MEMBER", "COLLABORATOR"];

/** Reads issues one by one: unlike a list, an issue read by its number is always up to date. */
export async function readIssues(
  send: Send,
  reached: Reached,
  refs: readonly string[],
  { hours }: { readonly hours: boolean },
  call?: Call,
): Promise<ReadonlyMap<string, Remote | Gone>> {
  const states = new Map<string, Remote | Gone>();
  for (const ref of refs) {
    const found = await readOne(send, reached, ref, call);
    if ("outcome" in found) {
      states.set(ref, found);
      continue;
    }
    const { issue, title, body, closedAt, resolution } = found;
    const milestone = found.milestone === null ? null : milestoneName(found.milestone);
    const actualHours = hours ? await readHours(send, reached, found, call) : null;
    const fields = { title, body, milestone };
    states.set(ref, { outcome: "present", issue, fields, closedAt, resolution, actualHours });
  }
  return states;
}

/** Returns an issue as it is; throws if not the issue but the repository is out of reach. */
export async function readOne(send: Send, reached: Reached, ref: string, call?: Call): Promise<IssueJson | Gone> {
  const { id, number } = readRef(ref);
  const path = `${repositoryPath(reached.destination.project)}/issues/${number}`;
  const response = await send(reached.access, { method: "GET", path }, call);
  if (response.status === 200) {
    if (isPullRequest(response.json))
      return { outcome: "gone", reason: integerIn(response.json, "id") === id ? "pull_request" : "deleted" };
    const issue = readIssue(response.json, reached);
    if (!issue) throw new TrackerFault({ kind: "unknown", reason: "unreadable_answer" });
    // The repository was deleted and created again: the number belongs to another issue now.
    return issue.id === id ? issue : { outcome: "gone", reason: "deleted" };
  }
  await throwIfBlocked(send, reached, response, { writes: false }, call);
  const gone = goneBy(response);
  if (gone) return gone;
  throw new TrackerFault({ kind: "refused", reason: response.message });
}

/**
 * Returns what a refusal says about an issue whose repository can be read; null: nothing. GitHub responds 410 for one
 * that was deleted, a redirect for one that was transferred, and 404 for one that was transferred where the token has
 * no access. https://docs.github.com/rest/issues/issues#get-an-issue
 */
export function goneBy({ status }: Pick<ApiResponse, "status">): Gone | null {
  if (status === 410) return { outcome: "gone", reason: "deleted" };
  return status === 404 || (status >= 300 && status < 400) ? { outcome: "gone", reason: "moved" } : null;
}

/** Reads comments from the last page back to one that says hours: the last line counts. */
async function readHours(send: Send, reached: Reached, issue: IssueJson, call?: Call): Promise<number | null> {
  const labelled = actualHoursOf(issue.labels, []);
  if (labelled !== null) return labelled;
  const path = `${repositoryPath(reached.destination.project)}/issues/${issue.number}/comments`;
  const last = Math.ceil(issue.comments / COMMENTS_PER_PAGE);
  for (let page = last; page > Math.max(0, last - COMMENT_PAGES_MAX); page -= 1) {
    const query = { per_page: COMMENTS_PER_PAGE, page };
    const response = await send(reached.access, { method: "GET", path, query }, call);
    if (response.status !== 200 || !Array.isArray(response.json))
      throw new TrackerFault({ kind: "unknown", reason: "unreadable_answer" });
    const hours = actualHoursOf([], response.json.map(commentOf));
    if (hours !== null) return hours;
  }
  return null;
}

const commentOf = (json: unknown): HoursComment => ({
  body: textIn(json, "body") ?? "",
  ofMember: MEMBERS.includes(textIn(json, "author_association")),
});
