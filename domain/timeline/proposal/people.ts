import type { TimelineSettings } from "../../../contract/endpoints/timelines.ts";
import { limits } from "../../../contract/limits.ts";
import { roleKey, writtenRole } from "../../tree/roles.ts";
import { compareOutcomes, isReached, type Outcome, type Trials } from "./trials.ts";

type People = TimelineSettings["people"];

/** Roles that are tried one by one in each round. */
const ROLES_TRIED = 3;

/** People with whom a milestone is reached, or the best that was found. */
export interface PeopleFound {
  readonly people: People;
  /** Only the roles of which there are more than before. */
  readonly added: readonly { readonly role: string; readonly before: number; readonly after: number }[];
  readonly outcome: Outcome;
}

/**
 * Returns the people with whom a milestone is reached, from at most `most` forecasts: adds people, in growing steps, to the role
 * that helps most of those on the critical path, and then takes back who is not needed. Null if nobody helps.
 */
export function findPeople(trials: Trials, now: Outcome, most: number): PeopleFound | null {
  const { settings, open } = trials.work;
  const until = trials.made() + most;
  const mayTry = () => trials.made() < until && trials.left() > 0;
  const nameOf = namesIn(trials.work);
  const roles = new Map<string, number>();
  for (const { role: written, hours, doneAt, isDropped } of open) {
    const role = nameOf(written);
    if (role !== null && hours !== null && hours > 0 && doneAt === null && !isDropped)
      roles.set(role, (roles.get(role) ?? 0) + 1);
  }
  const before = new Map<string, number>();
  for (const { role: written, count } of settings.people) {
    const role = nameOf(written) ?? written;
    before.set(role, (before.get(role) ?? 0) + count);
  }
  const countOf = (people: ReadonlyMap<string, number>, role: string) => people.get(role) ?? 1;
  /** More people than tasks help nobody. */
  const mostOf = (role: string) => Math.min(limits.peoplePerRole, roles.get(role) ?? 0);
  const outcomeOf = (people: ReadonlyMap<string, number>) => trials.outcomeOf({ people: listOf(people) });

  let people: ReadonlyMap<string, number> = before;
  let outcome = now;
  while (!isReached(outcome) && mayTry()) {
    const scarce = rolesOf(outcome, trials, nameOf).filter(
      (role) => countOf(people, role) < mostOf(role) && (people.has(role) || people.size < limits.timelineRoles),
    );
    const tried = scarce.slice(0, ROLES_TRIED);
    const more = (role: string): [string, number] => {
      const count = countOf(people, role);
      return [role, Math.min(mostOf(role), count + Math.ceil(count / 4))];
    };
    // Two roles may be scarce in the same measure: then neither alone helps.
    const additions = tried.length > 1 ? [...tried.map((role) => [role]), tried] : [tried];
    let best: { people: ReadonlyMap<string, number>; outcome: Outcome } | undefined;
    for (const [at, added] of additions.entries()) {
      if (added.length === 0 || !mayTry()) continue;
      if (at === tried.length && tried.length > 1 && best && compareOutcomes(best.outcome, outcome) < 0) continue;
      const next = new Map([...people, ...added.map(more)]);
      const found = outcomeOf(next);
      if (found && (!best || compareOutcomes(found, best.outcome) < 0)) best = { people: next, outcome: found };
    }
    if (!best || compareOutcomes(best.outcome, outcome) >= 0) break;
    ({ people, outcome } = best);
  }
  if (people === before) return null;

  // Takes back from each role as many as can be spared, by halves.
  for (const role of people.keys()) {
    let [low, high] = [before.get(role) ?? 1, countOf(people, role)];
    while (isReached(outcome) && low < high && mayTry()) {
      const middle = (low + high) >> 1;
      const fewer = new Map([...people, [role, middle] as const]);
      const found = outcomeOf(fewer);
      if (found && isReached(found)) {
        high = middle;
        people = fewer;
        outcome = found;
      } else low = middle + 1;
    }
  }
  const added = listOf(people)
    .map(({ role, count }) => ({ role, before: before.get(role) ?? 1, after: count }))
    .filter((change) => change.after > change.before);
  return { people: listOf(people), added, outcome };
}

const listOf = (people: ReadonlyMap<string, number>): People =>
  [...people].map(([role, count]) => ({ role, count })).sort((a, b) => (a.role < b.role ? -1 : 1));

/** Names each role as `people` writes it or else the first task. */
function namesIn({ settings, open }: Trials["work"]): (role: string | null) => string | null {
  const names = new Map<string, string | null>([["", null]]);
  for (const { role } of [...settings.people, ...open]) {
    if (!names.has(roleKey(role))) names.set(roleKey(role), writtenRole(role));
  }
  return (role) => names.get(roleKey(role)) ?? null;
}

/** The roles of the tasks that drive a milestone, the one with the largest share first. */
function rolesOf({ drivers }: Outcome, { work }: Trials, nameOf: (role: string | null) => string | null): string[] {
  const roleOf = new Map(work.open.map(({ id, role }) => [id, nameOf(role)]));
  const shares = new Map<string, number>();
  for (const { taskId, share } of drivers) {
    const role = roleOf.get(taskId) ?? null;
    if (role !== null) shares.set(role, (shares.get(role) ?? 0) + share);
  }
  // Without a schedule nothing is known of drivers.
  if (drivers.length === 0) {
    for (const { id, hours } of work.open) {
      const role = roleOf.get(id) ?? null;
      if (role !== null) shares.set(role, (shares.get(role) ?? 0) + (hours ?? 0));
    }
  }
  return [...shares].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([role]) => role);
}
