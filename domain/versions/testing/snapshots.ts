import fc from "fast-check";
import type { Node, NodeKind, Option } from "../../tree/shape.ts";
import type { Milestone, Snapshot } from "../shape.ts";

/** How many things two random snapshots are made of, and the seeds of what becomes of them. */
const plan = fc.record({
  nodes: fc.integer({ min: 0, max: 60 }),
  options: fc.integer({ min: 0, max: 300 }),
  milestones: fc.integer({ min: 0, max: 6 }),
  seeds: fc.tuple(fc.integer(), fc.integer()),
  /** How much of the first snapshot the second one leaves as it is, from 0 to 1. */
  likeness: fc.constantFrom(0, 0.5, 0.9, 0.98),
});

/**
 * Pairs of snapshots of up to 60 nodes and 300 options that share ids. With a likeness of 0 both are built independently
 * of each other: parents may have become children, anything may be anywhere, selected or changed or gone. With more of it
 * most things stay below their parent, and in order.
 */
export const snapshotPairs: fc.Arbitrary<[Snapshot, Snapshot]> = plan.map(({ seeds: [first, second], ...sizes }) => {
  const from = build(random(first), sizes, new Map(), 0);
  const parents = new Map<string, string | null>();
  noteParents(from.tree.nodes, null, parents);
  return [from, build(random(second), sizes, parents, sizes.likeness, from)];
});

interface Sizes {
  nodes: number;
  options: number;
  milestones: number;
}

/** Things are placed one after the other, each at a random place below one that is placed already. */
function build(
  chance: () => number,
  { nodes, options, milestones }: Sizes,
  parents: ReadonlyMap<string, string | null>,
  likeness: number,
  before?: Snapshot,
): Snapshot {
  const known = before ? thingsOf(before) : new Map<string, Node | Option>();
  const roots: Node[] = [];
  const placedNodes = new Map<string, Node>();
  const placedOptions = new Map<string, Option>();
  const ids = [
    ...Array.from({ length: nodes }, (_, index) => `nod_${index}`),
    ...Array.from({ length: options }, (_, index) => `opt_${index}`),
  ];
  // Of those that are alike the order is the former one, so that parents come before their children.
  const order = likeness > 0 ? [...known.keys(), ...ids.filter((id) => !known.has(id))] : shuffled(ids, chance);
  for (const id of order) {
    if (chance() < (likeness > 0 ? (1 - likeness) / 3 : 0.2)) continue;
    const stays = chance() < likeness;
    const former = stays ? parents.get(id) : undefined;
    if (id.startsWith("nod_")) {
      const parent =
        placedOptions.get(former ?? "") ?? (former === null ? null : pick([...placedOptions.values(), null], chance));
      const siblings = parent ? parent.nodes : roots;
      const node = stays && known.has(id) ? { ...(known.get(id) as Node), options: [] } : randomNode(id, chance);
      insert(siblings, node, stays, chance);
      placedNodes.set(id, node);
    } else {
      const parent = placedNodes.get(former ?? "") ?? pick([...placedNodes.values()], chance);
      if (!parent) continue;
      const option =
        stays && known.has(id) ? { ...(known.get(id) as Option), nodes: [] } : randomOption(id, ids, chance);
      insert(parent.options, option, stays, chance);
      placedOptions.set(id, option);
    }
  }
  const all = Array.from({ length: milestones }, (_, index) => randomMilestone(`mil_${index}`, chance));
  return {
    title: pick(["Shop", "Checkout"], chance) ?? "",
    description: "",
    assumptions: pick(["", "Two rounds of feedback"], chance) ?? "",
    clientName: pick([null, "ACME"], chance) ?? null,
    hourlyRate: pick([null, 80, 95.5], chance) ?? null,
    currency: "EUR",
    correlation: pick([0, 0.2], chance) ?? 0,
    rounding: pick([0.01, 0.5] as const, chance) ?? 0.01,
    timeline: pick([null, { hoursPerDay: 6 }, { hoursPerDay: 8, holidays: ["2026-12-25"] }], chance) ?? null,
    tree: { nodes: roots },
    milestones: shuffled(all, chance).filter(() => chance() < 0.7),
  };
}

function randomNode(id: string, chance: () => number): Node {
  const kind = pick<NodeKind>(["single", "multi", "group"], chance) ?? "multi";
  const max = pick([null, 1, 3], chance) ?? null;
  const title = pick(["Payment", "Data"], chance) ?? "";
  return {
    id,
    title,
    description: "",
    kind,
    required: chance() < 0.5,
    min: null,
    max,
    options: [],
    ...randomOrigin(chance),
  };
}

/** A few are made from a template; the others have no such field. */
const randomOrigin = (chance: () => number) =>
  chance() < 0.2 ? { origin: { templateId: "tpl_1", id: pick(["nod_a", "opt_b"], chance) ?? "" } } : {};

function randomOption(id: string, ids: readonly string[], chance: () => number): Option {
  const hours = () => {
    const [optimistic = 0, likely = 0, pessimistic = 0] = [chance(), chance(), chance()]
      .map((part) => Math.round(part * 2_000) / 100)
      .sort((a, b) => a - b);
    return chance() < 0.2 ? null : { optimistic, likely, pessimistic };
  };
  const others = ids.filter((other) => other.startsWith("opt_") && other !== id);
  return {
    id,
    title: pick(["Card", "Invoice"], chance) ?? "",
    description: "",
    hours: hours(),
    quantity: pick([1, 1, 1, 0, 0.5, 1.25], chance) ?? 1,
    unit: null,
    role: pick([null, "backend"], chance) ?? null,
    requires: chance() < 0.1 ? shuffled(others, chance).slice(0, 2) : [],
    excludes: [],
    selected: chance() < 0.6,
    override: chance() < 0.9 ? null : hours(),
    nodes: [],
    ...randomOrigin(chance),
  };
}

function randomMilestone(id: string, chance: () => number): Milestone {
  const dueDate = pick(["2026-11-01", "2027-01-15"], chance) ?? "";
  return { id, title: pick(["Beta", "Launch"], chance) ?? "", dueDate, nodeIds: [], taskIds: [] };
}

/** At the end where it stays, so that order is kept; anywhere else. */
function insert<T>(siblings: T[], thing: T, stays: boolean, chance: () => number): void {
  siblings.splice(stays ? siblings.length : Math.floor(chance() * (siblings.length + 1)), 0, thing);
}

function noteParents(nodes: readonly Node[], parentId: string | null, parents: Map<string, string | null>): void {
  for (const node of nodes) {
    parents.set(node.id, parentId);
    for (const option of node.options) {
      parents.set(option.id, node.id);
      noteParents(option.nodes, option.id, parents);
    }
  }
}

/** Every node and option by its id, in pre-order. */
function thingsOf({ tree }: Snapshot): Map<string, Node | Option> {
  const things = new Map<string, Node | Option>();
  const enter = (nodes: readonly Node[]): void => {
    for (const node of nodes) {
      things.set(node.id, node);
      for (const option of node.options) {
        things.set(option.id, option);
        enter(option.nodes);
      }
    }
  };
  enter(tree.nodes);
  return things;
}

function pick<T>(values: readonly T[], chance: () => number): T | undefined {
  return values[Math.floor(chance() * values.length)];
}

function shuffled<T>(values: readonly T[], chance: () => number): T[] {
  return values
    .map((value) => ({ value, key: chance() }))
    .sort((a, b) => a.key - b.key)
    .map(({ value }) => value);
}

/** Numbers from 0 to below 1 from a seed (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
