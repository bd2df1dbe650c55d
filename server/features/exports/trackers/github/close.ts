import { closingComment } from "../../../../../domain/exports/github/compose.ts";
import type { ExportedEstimation } from "../../../../../domain/exports/shape.ts";
import type { Closed } from "../issues.ts";
import { textIn } from "../json.ts";
import type { Call, Reached } from "../reach.ts";
import type { ApiRequest, Send } from "../requests.ts";
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
  { estimation, since }: { readonly estimation: ExportedEstimation; readonly since: Date },
  call?: Call,
): Promise<Closed> {
  const before = await readOne(send, reached, ref, call);
  if ("outcome" in before) return before;
  if (before.closedAt !== null) return { outcome: "closed" };
  const path = `${repositoryPath(reached.destination.project)}/issues/${readRef(ref).number}`;
  const comments = `${path}/comments`;
  const body = closingComment(estimation);
  const from = new Date(since.getTime() - CLOCKS_MS).toISOString();
  const query = { since: from, per_page: 100 };
  const recent = await send(reached.access, { method: "GET", path: comments, query }, call);
  if (recent.status !== 200 || !Array.isArray(recent.json))
    throw new TrackerFault({ kind: "unknown", reason: "unreadable_answer" });
  const isSaid = recent.json.some((comment) => textIn(comment, "body") === body);
  const writes: ApiRequest[] = [
    ...(isSaid ? [] : [{ method: "POST", path: comments, body: { body } } as const]),
    { method: "PATCH", path, body: { state: "closed", state_reason: "not_planned" } },
  ];
  for (const request of writes) {
    const response = await send(reached.access, request, call);
    if (response.status === 200 || response.status === 201) continue;
    await throwIfBlocked(send, reached, response, { writes: true }, call);
    return goneBy(response) ?? { outcome: "refused", reason: response.message || `status ${response.status}` };
  }
  return { outcome: "closed" };
}
