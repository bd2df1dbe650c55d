import { labelOf, milestoneTitle } from "../../../../../domain/exports/github/compose.ts";
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
  const milestones = await findMilestones(send, place, wanted.milestones, call);
  const lacking = wanted.milestones.filter(({ title }) => milestones[title] === undefined);
  if (!(await hasLabel(send, place, label.name, call))) {
    await make(send, place, "labels", label, call);
    return { label: label.name, milestones, missing: lacking.length, wrote: true };
  }
  const [first, ...others] = lacking;
  if (first === undefined) return { label: label.name, milestones, missing: 0, wrote: false };
  // Noon, because GitHub keeps the day that it is then at the Pacific.
  const due: Record<string, string> = first.dueDate === null ? {} : { due_on: `${first.dueDate}T12:00:00Z` };
  const made = await make(send, place, "milestones", { title: milestoneTitle(first.title), ...due }, call);
  const number = integerIn(made, "number");
  // It exists, although the list did not show it yet.
  if (number === null) throw new TrackerFault({ kind: "unknown", reason: "milestone_not_listed" });
  return {
    label: label.name,
    milestones: { ...milestones, ...numbered(wanted.milestones, first, number) },
    missing: others.filter(({ title }) => nameOf(title) !== nameOf(first.title)).length,
    wrote: true,
  };
}

/** Several milestones of an estimation may have the same title: GitHub has one for all of them. */
const numbered = (all: readonly WantedMilestone[], { title }: WantedMilestone, number: number) =>
  Object.fromEntries(all.filter((one) => nameOf(one.title) === nameOf(title)).map((one) => [one.title, number]));

async function findMilestones(
  send: Send,
  place: Place,
  wanted: readonly WantedMilestone[],
  call?: Call,
): Promise<Record<string, number>> {
  if (wanted.length === 0) return {};
  const numbers = new Map<string, number>();
  const listing = {
    path: `${repositoryPath(place.destination.project)}/milestones`,
    query: { state: "all" },
    requestsMax: LIST_REQUESTS_MAX,
  };
  for await (const page of listPages(send, place, listing, call))
    for (const json of page) {
      const [title, number] = [textIn(json, "title"), integerIn(json, "number")];
      if (title !== null && number !== null) numbers.set(nameOf(title), number);
    }
  return Object.fromEntries(
    wanted.flatMap(({ title }) => {
      const number = numbers.get(nameOf(title));
      return number === undefined ? [] : [[title, number]];
    }),
  );
}

/** GitHub takes names that differ only in case for the same. */
const nameOf = (title: string): string => milestoneTitle(title).toLowerCase();

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
