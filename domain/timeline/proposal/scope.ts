import { taskIdOf } from "../../tasks/shape.ts";
import { problems } from "../../tree/check/problems.ts";
import { meanOf } from "../../tree/hours/distribution.ts";
import { counts } from "../../tree/hours/evaluate.ts";
import type { Trial } from "../../tree/hours/try-out.ts";
import { type Node, type Option, pointsOf } from "../../tree/shape.ts";
import { compareOutcomes, isReached, type Outcome, type Trials } from "./trials.ts";

/** Options that are tried one by one. */
const TRIED = 20;
/** Forecasts for finding out how many of them together are enough; of few, a third. */
const TOGETHER = 6;

/** An option that could be left out, or replaced by another one of its question. */
interface Candidate {
  readonly node: Node;
  readonly option: Option;
  /** What is chosen in its place; null: nothing. */
  readonly instead: Option | null;
  /** Expected hours that it saves. */
  readonly hours: number;
  /** Of these, those of tasks that the milestone covers. */
  readonly covered: number;
  /** The options above it. */
  readonly above: readonly string[];
}

/** An option with what leaving it out, and nothing else, gains. */
export interface ScopeOption extends Pick<Candidate, "node" | "option" | "instead" | "hours"> {
  readonly outcome: Outcome;
  /** Whether it is one of those that together reach the milestone, or come nearest to it. */
  readonly isNeeded: boolean;
}

/** Options by their gain, the largest first. */
export interface ScopeFound {
  readonly options: readonly ScopeOption[];
  /** When the milestone is reached without all that are needed. */
  readonly outcome: Outcome;
}

const changeOf = (some: readonly Candidate[]): Trial => ({
  select: some.flatMap(({ instead }) => instead?.id ?? []),
  deselect: some.flatMap(({ instead, option }) => (instead ? [] : option.id)),
});

/**
 * Ranks options by what leaving them out gains, and finds how many of the first ones together are enough. Leaves every question
 * with an answer that it needs, and what somebody has done in place. Null if nothing helps.
 */
export function findScope(trials: Trials, now: Outcome): ScopeFound | null {
  const known = problems(trials.work.tree).length;
  const isLegal = (some: readonly Candidate[]) => problems(trials.treeWith(changeOf(some))).length <= known;
  const tried = Math.min(TRIED, trials.left() - Math.min(TOGETHER, Math.ceil(trials.left() / 3)));
  const ranked: { readonly candidate: Candidate; readonly outcome: Outcome }[] = [];
  let count = 0;
  for (const candidate of candidatesOf(trials)) {
    if (count >= tried) break;
    if (!isLegal([candidate])) continue;
    count += 1;
    const outcome = trials.outcomeOf({ options: changeOf([candidate]) });
    if (outcome && compareOutcomes(outcome, now) < 0) ranked.push({ candidate, outcome });
  }
  if (ranked.length === 0) return null;
  ranked.sort((a, b) => compareOutcomes(a.outcome, b.outcome) || b.candidate.hours - a.candidate.hours || byId(a, b));

  const together: Candidate[] = [];
  for (const { candidate } of ranked) {
    const isGone = together.some(({ option }) => candidate.above.includes(option.id));
    if (!isGone && isLegal([...together, candidate])) together.push(candidate);
  }
  const outcomeOf = (size: number) => trials.outcomeOf({ options: changeOf(together.slice(0, size)) });
  let [low, high] = [1, together.length];
  let outcome = outcomeOf(high) ?? now;
  while (isReached(outcome) && low < high) {
    const middle = (low + high) >> 1;
    const found = outcomeOf(middle);
    if (!found) break;
    if (isReached(found)) {
      high = middle;
      outcome = found;
    } else low = middle + 1;
  }
  const needed = new Set(together.slice(0, high));
  return {
    options: ranked.map(({ candidate, outcome }) => ({ ...candidate, outcome, isNeeded: needed.has(candidate) })),
    outcome,
  };
}

type Ranked = { readonly candidate: Candidate };
const byId = (a: Ranked, b: Ranked): number => (a.candidate.option.id < b.candidate.option.id ? -1 : 1);

/** What could be left out, that first which saves most hours of the milestone. */
function candidatesOf({ work, covered }: Trials): Candidate[] {
  const taskOf = new Map(work.open.map((task) => [task.id, task]));
  const found: Candidate[] = [];

  /** Expected hours of an option and of what counts below it, and those that the milestone covers; infinite where something is done. */
  const hoursOf = (option: Option, weight: number): { readonly all: number; readonly covered: number } => {
    const own = weight * option.quantity;
    const points = pointsOf(option);
    const id = taskIdOf(option.id);
    const task = taskOf.get(id);
    const isDone = task !== undefined && (task.doneAt !== null || task.actualHours !== null);
    const isDropped = task?.isDropped ?? false;
    const hours = isDone
      ? Number.POSITIVE_INFINITY
      : isDropped
        ? 0
        : (task?.hours ?? (points ? own * meanOf(points) : 0));
    const sum = { all: hours, covered: covered.has(id) ? hours : 0 };
    for (const node of option.nodes) {
      for (const below of node.options.filter((one) => counts(node, one))) {
        const part = hoursOf(below, own);
        sum.all += part.all;
        sum.covered += part.covered;
      }
    }
    return sum;
  };

  const enter = (nodes: readonly Node[], weight: number, above: readonly string[]): void => {
    for (const node of nodes) {
      for (const option of node.options) {
        if (!counts(node, option)) continue;
        enter(option.nodes, weight * option.quantity, [...above, option.id]);
        if (node.kind === "group") continue;
        const own = hoursOf(option, weight);
        const instead = node.kind === "single" && node.required ? cheapest(node, option, weight) : null;
        if (node.kind === "single" && node.required && !instead) continue;
        const hours = own.all - (instead ? hoursOf(instead, weight).all : 0);
        if (!Number.isFinite(hours) || hours <= 0) continue;
        found.push({ node, option, instead, hours, covered: Math.min(own.covered, hours), above });
      }
    }
  };
  const cheapest = (node: Node, option: Option, weight: number): Option | null => {
    const others = node.options
      .filter((other) => other !== option)
      .map((other) => ({ other, hours: hoursOf(other, weight).all }));
    return others.toSorted((a, b) => a.hours - b.hours)[0]?.other ?? null;
  };
  enter(work.tree.nodes, 1, []);
  return found.sort((a, b) => b.covered - a.covered || b.hours - a.hours || (a.option.id < b.option.id ? -1 : 1));
}
