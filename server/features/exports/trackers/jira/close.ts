import { canonical, contentOf } from "../../../../../domain/exports/jira/adf.ts";
import { closingComment } from "../../../../../domain/exports/jira/compose.ts";
import { closingTransition, type Transition } from "../../../../../domain/exports/jira/transition.ts";
import type { Closed } from "../issues.ts";
import { fieldOf, listIn, textIn } from "../json.ts";
import type { Call, Reached } from "../reach.ts";
import type { ApiRequest, ApiResponse, Send } from "../requests.ts";
import type { Tracker } from "../tracker.ts";
import { TrackerFault } from "../tracker-fault.ts";
import { idIn } from "./issue-json.ts";
import { throwIfBlocked } from "./project.ts";
import { fetchIssues } from "./read.ts";

/** The newest comments of an issue that are looked at. */
const COMMENTS = 50;
/** More than a screen has fields. */
const FIELDS_READ = 1_000;

const NO_TRANSITION =
  "Jira offers this token no way to a status of the category Done that needs no further input: close the issue there.";

/**
 * Closes an issue by a transition of its workflow, after a comment, which an earlier try may have made.
 * https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issues#api-rest-api-3-issue-issueidorkey-transitions-post
 */
export async function closeIssue(
  send: Send,
  reached: Reached,
  ref: string,
  { estimation, isSaid }: Parameters<Tracker["close"]>[2],
  call?: Call,
): Promise<Closed> {
  const json = (await fetchIssues(send, reached, [ref], { fields: ["status"] }, call)).get(ref);
  if (json === undefined) return { outcome: "gone", reason: "deleted" };
  const status = fieldOf(fieldOf(json, "fields"), "status");
  if (textIn(fieldOf(status, "statusCategory"), "key") === "done") return { outcome: "closed" };
  const path = `/issue/${encodeURIComponent(ref)}`;
  const ask = async (request: ApiRequest): Promise<ApiResponse | Closed> => {
    const response = await send(reached.access, request, call);
    if (response.status < 300) return response;
    await throwIfBlocked(send, reached, response, call);
    if (response.status === 404 || response.status === 410) return { outcome: "gone", reason: "deleted" };
    return { outcome: "refused", reason: response.message };
  };
  const query = { expand: "transitions.fields" };
  const offered = await ask({ method: "GET", path: `${path}/transitions`, query });
  if ("outcome" in offered) return offered;
  if (!Array.isArray(fieldOf(offered.json, "transitions")))
    throw new TrackerFault({ kind: "unknown", reason: "unreadable_answer" });
  const chosen = closingTransition(listIn(offered.json, "transitions").map(readTransition));
  if (!chosen) return { outcome: "refused", reason: NO_TRANSITION };
  const comment = closingComment(estimation);
  const { id, resolution } = chosen;
  const hasComment = async (): Promise<boolean | Closed> => {
    const query = { orderBy: "-created", maxResults: COMMENTS };
    const said = await ask({ method: "GET", path: `${path}/comment`, query });
    return "outcome" in said ? said : listIn(said.json, "comments").some((one) => isComment(one, comment));
  };
  const known = isSaid || (await hasComment());
  if (typeof known === "object") return known;
  const fields = resolution === null ? {} : { fields: { resolution: { id: resolution } } };
  const response = await ask(
    known
      ? { method: "POST", path: `${path}/transitions`, body: { transition: { id }, ...fields } }
      : { method: "POST", path: `${path}/comment`, body: { body: JSON.parse(comment) } },
  );
  return "outcome" in response ? response : { outcome: known ? "closed" : "said" };
}

const isComment = (json: unknown, comment: string): boolean => {
  const content = contentOf(fieldOf(json, "body"));
  return content !== null && canonical(content) === comment;
};

function readTransition(json: unknown): Transition {
  const to = fieldOf(json, "to");
  const given = fieldOf(json, "fields");
  const fields = typeof given === "object" && given !== null ? Object.entries(given).slice(0, FIELDS_READ) : [];
  const isNeeded = (field: unknown) =>
    fieldOf(field, "required") === true && fieldOf(field, "hasDefaultValue") !== true;
  const [, resolution] = fields.find(([name]) => name === "resolution") ?? [];
  const allowed = listIn(resolution, "allowedValues").flatMap((value) => {
    const [id, name] = [idIn(value), textIn(value, "name")];
    return id === null || name === null ? [] : [{ id, name }];
  });
  return {
    id: textIn(json, "id") ?? "",
    to: textIn(to, "name") ?? "",
    isDone: textIn(fieldOf(to, "statusCategory"), "key") === "done",
    needed: fields.filter(([name, field]) => name !== "resolution" && isNeeded(field)).map(([name]) => name),
    resolution: resolution === undefined ? null : { isNeeded: isNeeded(resolution), allowed },
  };
}
