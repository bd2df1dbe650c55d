import { labelOf, milestoneName, milestoneTitle } from "../../../../../domain/exports/github/compose.ts";
import type { Prepared, Wanted, WantedMilestone } from "../issues.ts";
import { integerIn, textIn } from "../json.ts";
import type { Call, Reached } from "../reach.ts";
import type { Send } from "../requests.ts";
import { TrackerFault } from "../tracker-fault.ts";
import { repositoryPath } from "./address.ts";
import { listEntries } from "./lists.ts";
import { throwIfBlocked } from "./repository.ts";

const LIST_REQUESTS_MAX = 50;
const LABEL = "label";
const MILESTONE = "milestone ";

/** The label of an estimation's issues, among what is prepared; undefined: GitHub does not take it. */
export const preparedLabel = ({ ids }: Prepared): string | undefined => ids[LABEL];

/** The number of a milestone, by its name (`milestoneName`); undefined: it was not prepared. */
export function preparedMilestone({ ids }: Prepared, name: string): number | undefined {
  const key = MILESTONE + name;
  return Object.hasOwn(ids, key) ? Number(ids[key]) : undefined;
}

/** Several milestones of an estimation may have the same title: GitHub has one for all of them. */
function byName({ milestones }: Wanted): Map<string, WantedMilestone> {
  const named = new Map<string, WantedMilestone>();
  for (const milestone of milestones) {
    const name = milestoneName(milestone.title);
    if (!named.has(name)) named.set(name, milestone);
  }
  return named;
}

/** Finds the label and the milestones of an estimation. A milestone that exists stays as people have made it. */
export async function surveyRepository(send: Send, reached: Reached, wanted: Wanted, call?: Call): Promise<Prepared> {
  const label = labelOf(wanted.estimation);
  const named = byName(wanted);
  const numbers = await findMilestones(send, reached, named, call);
  const missing = [...named.keys()].filter((name) => !numbers.has(name)).map((name) => MILESTONE + name);
  const ids = Object.fromEntries([...numbers].map(([name, number]) => [MILESTONE + name, String(number)]));
  if (!(await hasLabel(send, reached, label.name, call))) missing.unshift(LABEL);
  return { ids: { ...ids, [LABEL]: label.name }, missing };
}

/**
 * Makes the first thing that is missing. GitHub keeps labels and milestones unique by name, so that none is made twice. One
 * that GitHub refuses is left out, and each issue that goes without it has a warning (`write.ts`).
 */
export async function makeMissing(
  send: Send,
  reached: Reached,
  wanted: Wanted,
  { ids, missing }: Prepared,
  call?: Call,
): Promise<Prepared> {
  const [first, ...rest] = missing;
  if (first === undefined) return { ids, missing };
  if (first === LABEL) return { ids: await withLabel(send, reached, wanted, ids, call), missing: rest };
  const milestone = byName(wanted).get(first.slice(MILESTONE.length));
  // It was deleted here since.
  if (!milestone) return { ids, missing: rest };
  const { title, dueDate } = milestone;
  // Noon, because GitHub keeps the day in Pacific time.
  const due: Record<string, string> = dueDate === null ? {} : { due_on: `${dueDate}T12:00:00Z` };
  const made = await post(send, reached, "milestones", { title: milestoneTitle(title), ...due }, call);
  if (made === "refused") return { ids, missing: rest };
  const number = made === "exists" ? null : integerIn(made.json, "number");
  // It exists, although the list did not show it yet.
  if (number === null) throw new TrackerFault({ kind: "unknown", reason: "milestone_not_listed" });
  return { ids: { ...ids, [first]: String(number) }, missing: rest };
}

/** Makes the label, without its description if GitHub does not take that; returns `ids` without it if it takes neither. */
async function withLabel(
  send: Send,
  reached: Reached,
  { estimation }: Wanted,
  ids: Prepared["ids"],
  call?: Call,
): Promise<Prepared["ids"]> {
  const { description, ...bare } = labelOf(estimation);
  if ((await post(send, reached, "labels", { ...bare, description }, call)) !== "refused") return ids;
  if ((await post(send, reached, "labels", bare, call)) !== "refused") return ids;
  const { [LABEL]: _, ...others } = ids;
  return others;
}

/** Returns the numbers of the milestones that are there, by name. */
async function findMilestones(
  send: Send,
  reached: Reached,
  named: ReadonlyMap<string, WantedMilestone>,
  call?: Call,
): Promise<Map<string, number>> {
  const numbers = new Map<string, number>();
  if (named.size === 0) return numbers;
  const listing = {
    path: `${repositoryPath(reached.destination.project)}/milestones`,
    query: { state: "all" },
    requestsMax: LIST_REQUESTS_MAX,
  };
  for await (const page of listEntries(send, reached, listing, call))
    for (const json of page) {
      const [name, number] = [milestoneName(textIn(json, "title") ?? ""), integerIn(json, "number")];
      if (number !== null && named.has(name)) numbers.set(name, number);
    }
  return numbers;
}

async function hasLabel(send: Send, reached: Reached, name: string, call?: Call): Promise<boolean> {
  const path = `${repositoryPath(reached.destination.project)}/labels/${encodeURIComponent(name)}`;
  const response = await send(reached.access, { method: "GET", path }, call);
  if (response.status === 200) return true;
  await throwIfBlocked(send, reached, response, { writes: false }, call);
  return false;
}

/** Makes a label or a milestone. `refused`: GitHub does not take what is in it. */
async function post(
  send: Send,
  reached: Reached,
  kind: "labels" | "milestones",
  body: Readonly<Record<string, string>>,
  call?: Call,
): Promise<{ readonly json: unknown } | "exists" | "refused"> {
  const path = `${repositoryPath(reached.destination.project)}/${kind}`;
  const response = await send(reached.access, { method: "POST", path, body }, call);
  if (response.status === 201) return { json: response.json };
  if (response.status === 422 && /already.?exists/i.test(response.message)) return "exists";
  // Any other success comes from a proxy in between, and does not say what GitHub did.
  if (response.status < 300) throw new TrackerFault({ kind: "unknown", reason: `status_${response.status}` });
  await throwIfBlocked(send, reached, response, { writes: true }, call);
  if (response.status === 422) return "refused";
  throw new TrackerFault({ kind: "refused", reason: response.message });
}
