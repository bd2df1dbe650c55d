import { summaryHours } from "../tree/hours/roll-up.ts";
import { roundHundredth } from "../tree/hours/round.ts";
import type { Node, Option } from "../tree/shape.ts";
import { isAlike } from "./alike.ts";
import { longestIncreasing } from "./increasing.ts";
import { childrenOf, type Item, open, perform, placeOf, type Running, TIMELINE } from "./running.ts";
import type { Change, Milestone, Operation, Settings, Snapshot, Target, ThingRecord } from "./shape.ts";

/** Each change with the running total after it, in unrounded hours. */
interface Pass {
  readonly running: Running;
  readonly steps: { readonly change: Change; readonly total: number }[];
  /** Ids of the target visited so far. */
  readonly seen: Set<string>;
}

/**
 * Returns the operations that turn `from` into `to`, matching objects only by id. Settings come first; then additions,
 * moves, reorderings and changes in the target's pre-order, milestones after the tree; then removals, from the leaves
 * up. Of siblings that stay with their parent, as few as possible are reordered: the others are a longest increasing
 * subsequence. `hoursDelta` is the change of the running total of expected hours, rounded to hundredths; the last total
 * is the roll-up of `to`, so the deltas sum to the difference of the two roll-ups.
 */
export function diff(from: Snapshot, to: Snapshot): Operation[] {
  const pass: Pass = { running: open(from), steps: [], seen: new Set() };
  const before = pass.running.nodes.hours;
  diffSettings(pass, from, to);
  align(pass, pass.running.nodes, "node", to.tree.nodes);
  align(pass, pass.running.milestones, "milestone", to.milestones);
  for (const item of [...pass.running.items.values()].reverse()) {
    const { id, target, fields } = item;
    if (id === null || target === "root" || fields === null || pass.seen.has(id)) continue;
    run(pass, { op: "removed", target, id, before: { ...placeOf(item), record: recordOf(fields) } });
  }
  return withDeltas(pass.steps, before, expectedOf(from), expectedOf(to));
}

function run({ running, steps }: Pass, change: Change): void {
  perform(running, change);
  steps.push({ change, total: running.nodes.hours });
}

const settingNames = [
  "title",
  "description",
  "assumptions",
  "clientName",
  "hourlyRate",
  "currency",
  "correlation",
  "rounding",
] as const satisfies (keyof Settings)[];

function diffSettings(pass: Pass, from: Settings, to: Settings): void {
  const change = (field: string, before: unknown, after: unknown): void => {
    if (!isAlike(before, after)) run(pass, { op: "changed", target: "setting", id: null, field, before, after });
  };
  for (const name of settingNames) change(name, from[name], to[name]);
  if (from.timeline === null || to.timeline === null) {
    change("timeline", from.timeline, to.timeline);
    return;
  }
  const names = new Set([...Object.keys(from.timeline), ...Object.keys(to.timeline)]);
  for (const name of names) change(TIMELINE + name, from.timeline[name], to.timeline[name]);
}

type Thing = Node | Option | Milestone;

/** Makes the children of `parent` match `things`, each with everything below it before the next. */
function align(pass: Pass, parent: Item, target: Target, things: readonly Thing[]): void {
  const { running, seen } = pass;
  const kept = keptAmong(running, parent, things);
  let afterId: string | null = null;
  for (const thing of things) {
    const { id } = thing;
    seen.add(id);
    const after = { parentId: parent.id, afterId };
    const item = running.items.get(id);
    if (!item) run(pass, { op: "added", target, id, after: { ...after, record: recordOf(thing) } });
    else {
      if (item.parent !== parent) run(pass, { op: "moved", target, id, before: placeOf(item), after });
      else if (kept && !kept.has(id)) run(pass, { op: "reordered", target, id, before: placeOf(item), after });
      diffFields(pass, item, target, thing);
    }
    const below = target === "node" ? (thing as Node).options : target === "option" ? (thing as Option).nodes : [];
    if (below.length > 0 || item?.first) {
      align(pass, running.items.get(id) as Item, target === "node" ? "option" : "node", below);
    }
    afterId = id;
  }
}

/** Returns those that were below `parent` before and keep their order; null if all do. */
function keptAmong({ items }: Running, parent: Item, things: readonly Thing[]): Set<string> | null {
  const ranks = new Map(childrenOf(parent).map((item, rank) => [item.id, rank]));
  const stayed = things.filter(({ id }) => items.get(id)?.parent === parent);
  const order = stayed.map(({ id }) => ranks.get(id) ?? -1);
  if (order.every((rank, place) => place === 0 || rank > (order[place - 1] as number))) return null;
  return new Set(longestIncreasing(order).map((place) => (stayed[place] as Thing).id));
}

const fieldNames: Record<Target, readonly string[]> = {
  node: ["title", "description", "kind", "required", "min", "max", "origin"],
  option: ["title", "description", "hours", "quantity", "unit", "role", "requires", "excludes", "override", "origin"],
  milestone: ["title", "dueDate", "nodeIds", "taskIds"],
};

function diffFields(pass: Pass, item: Item, target: Target, thing: Thing): void {
  const fields = item.fields as unknown as Record<string, unknown>;
  const wanted = thing as unknown as Record<string, unknown>;
  for (const field of fieldNames[target]) {
    // Only an origin can be left out: there is none then.
    const [before, after] = [fields[field] ?? null, wanted[field] ?? null];
    if (isAlike(before, after)) continue;
    run(pass, { op: "changed", target, id: thing.id, field, before, after });
  }
  if (target !== "option" || fields.selected === wanted.selected) return;
  run(pass, { op: wanted.selected ? "selected" : "deselected", target, id: thing.id });
}

/** A node, option or milestone without what is below it. */
function recordOf(thing: Thing | ThingRecord): ThingRecord {
  const { options: _, nodes: __, ...record } = thing as Partial<Node & Option>;
  return record as ThingRecord;
}

function expectedOf({ tree }: Snapshot): number {
  return summaryHours(tree, { correlation: 0 }).expected;
}

/** `before` is the unrounded total; `start` and `end` are the roll-ups. */
function withDeltas(steps: Pass["steps"], before: number, start: number, end: number): Operation[] {
  const moving = steps.findLastIndex(({ total }, index) => total !== (steps[index - 1]?.total ?? before));
  const last = moving < 0 ? steps.length - 1 : moving;
  let total = before;
  let shown = start;
  return steps.map((step, index) => {
    const was = shown;
    if (index === last) shown = end;
    else if (step.total !== total) shown = roundHundredth(step.total);
    total = step.total;
    // A difference that rounds to −0 is 0.
    return { ...step.change, hoursDelta: roundHundredth(shown - was) || 0 };
  });
}
