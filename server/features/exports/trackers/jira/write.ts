import type { Fields } from "../../../../../domain/exports/fields.ts";
import { outcomesOf, refusalsIn } from "../../../../../domain/exports/jira/bulk.ts";
import { duration } from "../../../../../domain/exports/jira/estimate.ts";
import { markerIn, PROPERTY, propertyOf } from "../../../../../domain/exports/jira/marker.ts";
import { BULK_TIMEOUT_SECONDS } from "../../../../../domain/exports/ledger.ts";
import type { Created, Gone, Issue, Linked, NewIssue, Prepared, Updated } from "../issues.ts";
import { fieldOf, integerIn, listIn, textIn } from "../json.ts";
import type { Call, Reached } from "../reach.ts";
import type { ApiResponse, Send } from "../requests.ts";
import { TrackerFault } from "../tracker-fault.ts";
import { jiraLayout, readIssue } from "./issue-json.ts";
import { throwIfBlocked } from "./project.ts";
import { fetchIssues } from "./read.ts";

const NO_TYPE = "The project has no type of issues for this level any more.";

/**
 * Creates up to 50 issues in one request; Jira takes some and refuses others. What has no type of issues is refused here: a
 * run that is resumed may find fewer types than when its tasks were placed.
 */
export async function createIssues(
  send: Send,
  reached: Reached,
  items: readonly NewIssue[],
  prepared: Prepared,
  call?: Call,
): Promise<readonly Created[]> {
  const { types } = jiraLayout(reached);
  const possible = items.filter(({ depth }) => types[depth] !== undefined);
  const created = possible.length === 0 ? [] : await createAll(send, reached, possible, prepared, call);
  return items.map((item) => created[possible.indexOf(item)] ?? { outcome: "refused", reason: NO_TYPE });
}

async function createAll(
  send: Send,
  reached: Reached,
  items: readonly NewIssue[],
  prepared: Prepared,
  call?: Call,
): Promise<readonly Created[]> {
  const body = { issueUpdates: items.map((item) => issueUpdate(item, reached, prepared)) };
  const timeoutSeconds = BULK_TIMEOUT_SECONDS;
  const response = await send(reached.access, { method: "POST", path: "/issue/bulk", body, timeoutSeconds }, call);
  const errors = fieldOf(response.json, "errors");
  const isJudged = response.status === 201 || (response.status === 400 && Array.isArray(errors));
  if (!isJudged) {
    // Any other success comes from a proxy in between, and does not say what Jira did.
    if (response.status < 300) throw new TrackerFault({ kind: "unknown", reason: `status_${response.status}` });
    await throwIfBlocked(send, reached, response, call);
    return items.map(() => ({ outcome: "refused", reason: response.message }));
  }
  const made = listIn(response.json, "issues");
  const issues = new Map(
    made.flatMap((json) => {
      const issue = readIssue(json, jiraLayout(reached));
      return issue ? [[issue.ref, issue] as const] : [];
    }),
  );
  const judged = [items.length, made.length, listIn(response.json, "errors")] as const;
  const outcomes = outcomesOf(...judged);
  if (outcomes === null || issues.size !== made.length) {
    if (issues.size === 0) throw new TrackerFault({ kind: "unknown", reason: "unreadable_answer" });
    // A server that lists more issues than were sent is wrong: keeping a few is enough to remember that there are any.
    const among = [...issues.values()].slice(0, items.length);
    const refused = refusalsIn(...judged);
    return items.map((_, at): Created => {
      const reason = refused.get(at);
      return reason === undefined ? { outcome: "made", among } : { outcome: "refused", reason };
    });
  }
  const markers = items.flatMap(({ marker }, at) => (outcomes[at]?.outcome === "made" ? [marker] : []));
  const { told, rest } = await tellApart(send, reached, issues, markers, call);
  return outcomes.map((outcome, at): Created => {
    if (outcome.outcome === "refused") return outcome;
    const issue = told.get(items[at]?.marker ?? "");
    return issue ? { outcome: "created", issue, warnings: [] } : { outcome: "made", among: rest };
  });
}

function issueUpdate({ fields, marker, depth, parentRef }: NewIssue, reached: Reached, { ids }: Prepared) {
  const { projectId, types } = jiraLayout(reached);
  const type = types[depth];
  if (!type) throw new Error("The project has no type of issues for this depth.");
  return {
    fields: {
      ...{ project: { id: projectId }, issuetype: { id: type.id } },
      ...(parentRef === null ? {} : { parent: { id: parentRef } }),
      ...(type.fields.includes("labels") && ids.label ? { labels: [ids.label] } : {}),
      // No estimate is what a new issue has.
      ...fieldsOf(fields.estimate === "0" ? { ...fields, estimate: null } : fields, { isBegun: false }),
    },
    properties: [propertyOf(marker)],
  };
}

/**
 * Returns which of the issues that were just made has which marker. Jira names them in a response without saying which
 * is which; they are usually in order, but that is not guaranteed. So they are read by their ids; the last one need not
 * be. `rest`: the issues without a known marker: all of them if reading fails.
 */
async function tellApart(
  send: Send,
  reached: Reached,
  issues: ReadonlyMap<string, Issue>,
  markers: readonly string[],
  call?: Call,
): Promise<{ readonly told: ReadonlyMap<string, Issue>; readonly rest: readonly Issue[] }> {
  const found = issues.size > 1 ? await confirm(send, reached, [...issues.keys()], call) : new Map<string, unknown>();
  const told = new Map<string, Issue>();
  const rest: Issue[] = [];
  for (const [ref, issue] of issues) {
    const marker = markerIn(fieldOf(found.get(ref), "properties"));
    if (marker !== null && markers.includes(marker) && !told.has(marker)) told.set(marker, issue);
    else rest.push(issue);
  }
  const [last, ...more] = markers.filter((marker) => !told.has(marker));
  const [issue] = rest;
  if (last !== undefined && more.length === 0 && issue) told.set(last, issue);
  return { told, rest };
}

async function confirm(
  send: Send,
  reached: Reached,
  refs: readonly string[],
  call?: Call,
): Promise<ReadonlyMap<string, unknown>> {
  try {
    return await fetchIssues(send, reached, refs, { fields: ["summary"], properties: [PROPERTY] }, call);
  } catch (error) {
    if (!(error instanceof TrackerFault)) throw error;
    if (error.fault.kind === "wait") call?.onPause?.(error.fault.until);
    return new Map();
  }
}

export async function updateIssue(
  send: Send,
  reached: Reached,
  ref: string,
  fields: Fields,
  call?: Call,
): Promise<Updated> {
  const state = { isBegun: fields.estimate !== undefined && (await isBegun(send, reached, ref, call)) };
  const response = await edit(send, reached, ref, fieldsOf(fields, state), call);
  if (response.status < 300) return { outcome: "updated", warnings: [], left: [] };
  const gone = await goneFor(send, reached, response, call);
  if (gone) return gone;
  // The screen for editing may lack a field that the one for creating has: the others need not wait for it.
  const left = refusedIn(response, Object.keys(fields));
  const others = Object.entries(fields).filter(([name]) => !left.includes(name));
  if (left.length === 0 || others.length === 0) return { outcome: "refused", reason: response.message };
  const again = await edit(send, reached, ref, fieldsOf(Object.fromEntries(others), state), call);
  if (again.status >= 300)
    return (await goneFor(send, reached, again, call)) ?? { outcome: "refused", reason: again.message };
  const message = `Jira does not take the ${left.join(" and the ")} of an issue that exists: ${response.message}`;
  return { outcome: "updated", warnings: [{ code: "field_refused", message }], left };
}

/** How Jira names the fields of an export where it refuses them. */
const REFUSED: Readonly<Record<string, RegExp>> = {
  summary: /^summary$/,
  description: /^description$/,
  estimate: /^time(?:tracking|originalestimate)/,
};

/** More than a screen has fields. */
const ERRORS_READ = 1_000;

/** Returns which of the fields Jira's refusal of an edit names. */
function refusedIn({ status, json }: ApiResponse, names: readonly string[]): readonly string[] {
  const given = fieldOf(json, "errors");
  // Of a text or a list these would be its places, as many as it has.
  const isNamed = status === 400 && typeof given === "object" && given !== null && !Array.isArray(given);
  const errors = isNamed ? Object.keys(given).slice(0, ERRORS_READ) : [];
  return names.filter((name) => errors.some((error) => REFUSED[name]?.test(error)));
}

export async function linkIssue(
  send: Send,
  reached: Reached,
  ref: string,
  { parentRef, from }: { readonly parentRef: string; readonly from: string | null },
  call?: Call,
): Promise<Linked> {
  const json = (await fetchIssues(send, reached, [ref], { fields: ["parent"] }, call)).get(ref);
  const present = textIn(fieldOf(fieldOf(json, "fields"), "parent"), "id");
  if (present === parentRef) return { outcome: "linked" };
  if (present !== null && present !== from) return { outcome: "refused", reason: "it is below another issue." };
  const response = await edit(send, reached, ref, { parent: { id: parentRef } }, call);
  if (response.status < 300) return { outcome: "linked" };
  return (await goneFor(send, reached, response, call)) ?? { outcome: "refused", reason: response.message };
}

const edit = (send: Send, reached: Reached, ref: string, fields: object, call?: Call): Promise<ApiResponse> =>
  send(reached.access, { method: "PUT", path: `/issue/${encodeURIComponent(ref)}`, body: { fields } }, call);

/** Returns that the issue is gone, if that is why a request was refused; throws if it is the project. */
async function goneFor(send: Send, reached: Reached, response: ApiResponse, call?: Call): Promise<Gone | null> {
  await throwIfBlocked(send, reached, response, call);
  return response.status === 404 || response.status === 410 ? { outcome: "gone", reason: "deleted" } : null;
}

/** Returns whether somebody has logged work at an issue; so does one that is gone, which the update finds out. */
async function isBegun(send: Send, reached: Reached, ref: string, call?: Call): Promise<boolean> {
  const json = (await fetchIssues(send, reached, [ref], { fields: ["timespent"] }, call)).get(ref);
  return json === undefined || (integerIn(fieldOf(json, "fields"), "timespent") ?? 0) > 0;
}

/**
 * Returns fields as Jira takes them. As long as no work is logged, the remaining estimate is the original one, which Jira
 * itself sees to only when it creates an issue; later it counts down, or is what people have said.
 */
function fieldsOf(
  { summary, description, estimate }: Fields,
  { isBegun }: { readonly isBegun: boolean },
): Record<string, unknown> {
  const originalEstimate = estimate === undefined || estimate === null ? null : duration(estimate);
  return {
    ...(summary === undefined ? {} : { summary }),
    ...(description === undefined ? {} : { description: description === null ? null : JSON.parse(description) }),
    ...(originalEstimate === null
      ? {}
      : { timetracking: { originalEstimate, ...(isBegun ? {} : { remainingEstimate: originalEstimate }) } }),
  };
}
