import { labelOf, milestoneName, milestoneTitle } from "../../../../../domain/exports/github/compose.ts";
import { type Call, type Place, type Prepared, TrackerFault, type Wanted, type WantedMilestone } from "../tracker.ts";
import { repositoryPath } from "./address.ts";
import { integerIn, textIn } from "./json.ts";
import { listPages } from "./lists.ts";
import { throwIfBlocked } from "./repository.ts";
import type { Send } from "./requests.ts";

const LIST_REQUESTS_MAX = 50;

/**
 * Finds the label and the milestones of an estimation, and makes the first that is missing. GitHub keeps both unique by
 * name, so that none is ever made twice. A milestone that exists stays as people have made it.
 */
export async function prepareRepository(send: Send, place: Place, wanted: Wanted, call?: Call): Promise<Prepared> {
  const label = labelOf(wanted.estimation);
  // Several milestones of an estimation may have the same title: GitHub has one for all of them.
  const named = new Map<string, WantedMilestone>();
  for (const milestone of wanted.milestones) {
    const name = milestoneName(milestone.title);
    if (!named.has(name)) named.set(name, milestone);
  }
  const numbers = await findMilestones(send, place, named, call);
  const lacking = [...named].filter(([name]) => !numbers.has(name));
  const prepared = (missing: number, wrote: boolean): Prepared => ({
    label: label.name,
    milestones: Object.fromEntries(numbers),
    missing,
    wrote,
  });
  if (!(await hasLabel(send, place, label.name, call))) {
    await make(send, place, "labels", label, call);
    return prepared(lacking.length, true);
  }
  const [first] = lacking;
  if (first === undefined) return prepared(0, false);
  const [name, { title, dueDate }] = first;
  // Noon, because GitHub keeps the day that it is then at the Pacific.
  const due: Record<string, string> = dueDate === null ? {} : { due_on: `${dueDate}T12:00:00Z` };
  const made = await make(send, place, "milestones", { title: milestoneTitle(title), ...due }, call);
  const number = integerIn(made, "number");
  // It exists, although the list did not show it yet.
  if (number === null) throw new TrackerFault({ kind: "unknown", reason: "milestone_not_listed" });
  numbers.set(name, number);
  return prepared(lacking.length - 1, true);
}

/** Returns the numbers of the milestones that are there, by name. */
async function findMilestones(
  send: Send,
  place: Place,
  named: ReadonlyMap<string, WantedMilestone>,
  call?: Call,
): Promise<Map<string, number>> {
  const numbers = new Map<string, number>();
  if (named.size === 0) return numbers;
  const listing = {
    path: `${repositoryPath(place.destination.project)}/milestones`,
    query: { state: "all" },
    requestsMax: LIST_REQUESTS_MAX,
  };
  for await (const page of listPages(send, place, listing, call))
    for (const json of page) {
      const [name, number] = [milestoneName(textIn(json, "title") ?? ""), integerIn(json, "number")];
      if (number !== null && named.has(name)) numbers.set(name, number);
    }
  return numbers;
}

async function hasLabel(send: Send, place: Place, name: string, call?: Call): Promise<boolean> {
  const path = `${repositoryPath(place.destination.project)}/labels/${encodeURIComponent(name)}`;
  const answer = await send(place.access, { method: "GET", path }, call);
  if (answer.status === 200) return true;
  await throwIfBlocked(send, place, answer, call);
  return false;
}

/** Returns what was made; null: it exists already. */
async function make(
  send: Send,
  place: Place,
  kind: "labels" | "milestones",
  body: Readonly<Record<string, string>>,
  call?: Call,
): Promise<unknown> {
  const path = `${repositoryPath(place.destination.project)}/${kind}`;
  const answer = await send(place.access, { method: "POST", path, body }, call);
  if (answer.status === 201) return answer.json;
  if (answer.status === 422 && /already.?exists/i.test(answer.message)) return null;
  await throwIfBlocked(send, place, answer, call);
  throw new TrackerFault({ kind: "refused", reason: answer.message });
}
