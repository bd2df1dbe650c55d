import type { Fields, Warning } from "../../../../../domain/exports/fields.ts";
import type { Created, Linked, NewIssue, Prepared, Updated } from "../issues.ts";
import { listIn, textIn } from "../json.ts";
import type { Call, Reached } from "../reach.ts";
import type { ApiResponse, Send } from "../requests.ts";
import { TrackerFault } from "../tracker-fault.ts";
import { repositoryPath } from "./address.ts";
import { type IssueJson, readIssue, readRef } from "./issue-json.ts";
import { preparedLabel, preparedMilestone } from "./prepare.ts";
import { goneBy, readOne } from "./read.ts";
import { throwIfBlocked } from "./repository.ts";

/** Creates one issue. What is decoration never prevents that: if GitHub refuses its label or its milestone, it goes without. */
export async function createIssue(
  send: Send,
  reached: Reached,
  { fields }: NewIssue,
  prepared: Prepared,
  call?: Call,
): Promise<Created> {
  const path = `${repositoryPath(reached.destination.project)}/issues`;
  const label = preparedLabel(prepared);
  const labels = label === undefined ? [] : [label];
  const { milestone, ...texts } = bodyOf(fields, prepared);
  const decorated = { ...texts, ...(milestone === undefined ? {} : { milestone }), labels };
  let response = await send(reached.access, { method: "POST", path, body: decorated }, call);
  if (refusesDecoration(response)) response = await send(reached.access, { method: "POST", path, body: texts }, call);
  if (response.status === 201) {
    const made = known(response, reached);
    return {
      outcome: "created",
      issue: made.issue,
      warnings: [...unlabelled(label), ...dropped(made, fields, labels)],
    };
  }
  // Any other success comes from a proxy in between, and does not say what GitHub did.
  if (response.status < 300) throw new TrackerFault({ kind: "unknown", reason: `status_${response.status}` });
  await throwIfBlocked(send, reached, response, { writes: true }, call);
  return { outcome: "refused", reason: reasonOf(response) };
}

export async function updateIssue(
  send: Send,
  reached: Reached,
  ref: string,
  fields: Fields,
  prepared: Prepared,
  call?: Call,
): Promise<Updated> {
  const path = `${repositoryPath(reached.destination.project)}/issues/${readRef(ref).number}`;
  const body = bodyOf(fields, prepared);
  let response = await send(reached.access, { method: "PATCH", path, body }, call);
  const { milestone, ...texts } = body;
  const isRefused = milestone !== undefined && refusesDecoration(response);
  if (isRefused) response = await send(reached.access, { method: "PATCH", path, body: texts }, call);
  if (response.status === 200) {
    const warnings = isRefused ? [milestoneDropped(fields)] : dropped(known(response, reached), fields, []);
    return { outcome: "updated", warnings, left: isRefused ? ["milestone"] : [] };
  }
  await throwIfBlocked(send, reached, response, { writes: true }, call);
  return goneBy(response) ?? { outcome: "refused", reason: reasonOf(response) };
}

/** Returns whether GitHub refused an issue for its label or its milestone, such as one that was deleted since. */
const refusesDecoration = ({ status, json }: ApiResponse): boolean =>
  status === 422 &&
  listIn(json, "errors").some((error) => ["labels", "milestone"].includes(textIn(error, "field") ?? ""));

/** GitHub's response where two sub-issues are added to an issue at once: neither the order nor the sub-issue was stored. */
const AT_ONCE = /priority has already been taken/i;

export async function linkIssue(
  send: Send,
  reached: Reached,
  ref: string,
  { parentRef, from }: { readonly parentRef: string; readonly from: string | null },
  call?: Call,
): Promise<Linked> {
  const [child, parent] = [readRef(ref), readRef(parentRef)];
  const before = from === null ? null : await readOne(send, reached, ref, call);
  if (before && "outcome" in before) return before;
  if (before?.parentNumber === parent.number) return { outcome: "linked" };
  const moves = before !== null && from !== null && before.parentNumber === readRef(from).number;
  const path = `${repositoryPath(reached.destination.project)}/issues/${parent.number}/sub_issues`;
  const body = { sub_issue_id: child.id, ...(moves ? { replace_parent: true } : {}) };
  const response = await send(reached.access, { method: "POST", path, body }, call);
  if (response.status === 201) return { outcome: "linked" };
  if (AT_ONCE.test(response.message)) throw new TrackerFault({ kind: "not_sent", reason: response.message });
  await throwIfBlocked(send, reached, response, { writes: true }, call);
  // The wording of "it is there already" has changed before, so read the parent instead.
  const there = await readOne(send, reached, ref, call);
  if ("outcome" in there) return there;
  return there.parentNumber === parent.number
    ? { outcome: "linked" }
    : { outcome: "refused", reason: reasonOf(response) };
}

/** Returns fields as GitHub takes them: a milestone by its number. One that was not prepared is left as it is. */
function bodyOf({ milestone, ...texts }: Fields, prepared: Prepared): Record<string, string | number | null> {
  if (milestone === undefined) return texts;
  if (milestone === null) return { ...texts, milestone: null };
  const number = preparedMilestone(prepared, milestone);
  return number === undefined ? texts : { ...texts, milestone: number };
}

const unlabelled = (label: string | undefined): Warning[] =>
  label === undefined
    ? [{ code: "label_dropped", message: "GitHub does not take the label of the estimation's issues." }]
    : [];

/** Returns warnings about what GitHub silently left out, as it does if write access is missing. */
function dropped(made: IssueJson, fields: Fields, labels: readonly string[]): Warning[] {
  const held = new Set(made.labels.map((label) => label.toLowerCase()));
  return [
    ...labels
      .filter((label) => !held.has(label.toLowerCase()))
      .map((label) => ({ code: "label_dropped", message: `GitHub left out the label ${label}.` })),
    ...(fields.milestone && made.milestone === null ? [milestoneDropped(fields)] : []),
  ];
}

const milestoneDropped = ({ milestone }: Fields): Warning => ({
  code: "milestone_dropped",
  message: `GitHub left out the milestone ${milestone}.`,
});

/** A success without an issue in it says nothing. */
function known(response: ApiResponse, reached: Reached): IssueJson {
  const issue = readIssue(response.json, reached);
  if (!issue) throw new TrackerFault({ kind: "unknown", reason: "unreadable_answer" });
  return issue;
}

const reasonOf = ({ status, message }: ApiResponse): string => message || `status ${status}`;
