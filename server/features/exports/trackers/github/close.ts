import { closingComment } from "../../../../../domain/exports/github/compose.ts";
import type { Closed } from "../issues.ts";
import { textIn } from "../json.ts";
import type { Call, Reached } from "../reach.ts";
import type { ApiRequest, Send } from "../requests.ts";
import type { Tracker } from "../tracker.ts";
import { TrackerFault } from "../tracker-fault.ts";
import { repositoryPath } from "./address.ts";
import { readRef } from "./issue-json.ts";
import { goneBy, readOne } from "./read.ts";
import { throwIfBlocked } from "./repository.ts";

/** How far our clock may be ahead of GitHub's, in milliseconds. */
const CLOCKS_MS = 3_600_000;

/**
 * Closes an issue as not planned, after a comment, which an earlier try since `since` may have made.
 * https://docs.github.com/rest/issues/issues#update-an-issue
 */
export async function closeIssue(
  send: Send,
  reached: Reached,
  ref: string,
  { estimation, since, isSaid }: Parameters<Tracker["close"]>[2],
  call?: Call,
): Promise<Closed> {
  const before = await readOne(send, reached, ref, call);
  if ("outcome" in before) return before;
  if (before.closedAt !== null) return { outcome: "closed" };
  const path = `${repositoryPath(reached.destination.project)}/issues/${readRef(ref).number}`;
  const close = { method: "PATCH", path, body: { state: "closed", state_reason: "not_planned" } } as const;
  const write = async (request: ApiRequest, done: Closed): Promise<Closed> => {
    const response = await send(reached.access, request, call);
    if (response.status === 200 || response.status === 201) return done;
    await throwIfBlocked(send, reached, response, { writes: true }, call);
    return goneBy(response) ?? { outcome: "refused", reason: response.message || `status ${response.status}` };
  };
  if (isSaid) return write(close, { outcome: "closed" });
  const comments = `${path}/comments`;
  const body = closingComment(estimation);
  const from = new Date(since.getTime() - CLOCKS_MS).toISOString();
  const query = { since: from, per_page: 100 };
  const recent = await send(reached.access, { method: "GET", path: comments, query }, call);
  if (recent.status !== 200 || !Array.isArray(recent.json))
    throw new TrackerFault({ kind: "unknown", reason: "unreadable_answer" });
  if (recent.json.some((comment) => textIn(comment, "body") === body)) return write(close, { outcome: "closed" });
  return write({ method: "POST", path: comments, body: { body } }, { outcome: "said" });
}
