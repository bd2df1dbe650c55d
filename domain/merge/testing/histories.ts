import fc from "fast-check";
import { createNode, deleteNode, moveNode, updateNode } from "../../tree/edit/edit-nodes.ts";
import {
  createOption,
  deleteOption,
  deselectOption,
  moveOption,
  selectOption,
  updateOption,
} from "../../tree/edit/edit-options.ts";
import type { Outcome } from "../../tree/hours/outcome.ts";
import { idsOf, type NewId, type Tree } from "../../tree/shape.ts";
import { countedIds } from "../../tree/testing/trees.ts";
import type { Milestone, Snapshot } from "../../versions/shape.ts";

/** A common ancestor, and two lines of random edits from it. */
export interface History {
  readonly base: Snapshot;
  readonly into: Snapshot;
  readonly from: Snapshot;
  /** How many edits were tried on each line. */
  readonly edits: readonly [into: number, from: number];
}

/**
 * Histories of a tree that up to `made` edits have made, by default 30 nodes and 90 options, and up to `most` edits on each
 * side. Every edit is one that users can make; those that are refused are left out.
 */
export const histories = (most: number, made = 120): fc.Arbitrary<History> =>
  fc
    .record({
      seed: fc.integer(),
      made: fc.integer({ min: Math.min(5, made), max: made }),
      ours: fc.integer({ min: 0, max: most }),
      theirs: fc.integer({ min: 0, max: most }),
    })
    .map(({ seed, made, ours, theirs }) => {
      const chance = random(seed);
      const start = { ...contentBy(chance), tree: { nodes: [] } };
      const base = follow(start, { count: made, prefix: "", verbs: MAKING }, chance);
      return {
        edits: [ours, theirs],
        base,
        into: follow(base, { count: ours, prefix: "ours-", verbs: EDITING }, chance),
        from: follow(base, { count: theirs, prefix: "theirs-", verbs: EDITING }, chance),
      };
    });

/** Returns a snapshot after 6 more random edits, of which some remove things. The prefix of new ids decides them. */
export const editedAgain = (snapshot: Snapshot, prefix: string): Snapshot =>
  follow(snapshot, { count: 6, prefix, verbs: EDITING }, random(prefix.length + snapshot.tree.nodes.length));

type Chance = () => number;
type Edit = (tree: Tree, things: Things) => Outcome<unknown>;

/** What an edit picks from. */
interface Things {
  readonly chance: Chance;
  readonly newId: NewId;
  node(): string;
  option(): string;
  options(most: number): string[];
}

const titles = ["Card", "Invoice", "Import", "Login"];
const kinds = ["single", "multi", "multi", "group"] as const;

const addNode: Edit = (tree, { chance, newId, option }) =>
  createNode(
    tree,
    {
      title: pick(titles, chance),
      kind: pick(kinds, chance),
      parentOptionId: chance() < 0.4 ? null : option(),
      position: chance() < 0.5 ? 0 : undefined,
    },
    newId,
  );
const addOption: Edit = (tree, { chance, newId, node, options }) =>
  createOption(
    tree,
    node(),
    {
      title: pick(titles, chance),
      hours: Math.round(chance() * 100),
      requires: chance() < 0.1 ? options(1) : [],
      position: chance() < 0.5 ? 0 : undefined,
    },
    newId,
  );
const edits = {
  addNode,
  addOption,
  nodeTitle: (tree, { node, chance }) => updateNode(tree, node(), { title: pick(titles, chance) }),
  nodeKind: (tree, { node, chance }) => updateNode(tree, node(), { kind: pick(kinds, chance) }),
  nodeMin: (tree, { node, chance }) => updateNode(tree, node(), { min: Math.floor(chance() * 3) }),
  nodeMax: (tree, { node, chance }) => updateNode(tree, node(), { max: 1 + Math.floor(chance() * 3) }),
  moveNode: (tree, { node, option, chance }) =>
    moveNode(tree, node(), {
      parentOptionId: chance() < 0.2 ? null : option(),
      position: chance() < 0.5 ? 0 : undefined,
    }),
  removeNode: (tree, { node }) => deleteNode(tree, node()),
  hours: (tree, { option, chance }) => updateOption(tree, option(), { hours: Math.round(chance() * 100) }),
  override: (tree, { option, chance }) => updateOption(tree, option(), { override: chance() < 0.3 ? null : 4 }),
  quantity: (tree, { option, chance }) => updateOption(tree, option(), { quantity: Math.round(chance() * 4) }),
  role: (tree, { option, chance }) => updateOption(tree, option(), { role: pick([null, "backend", "design"], chance) }),
  requires: (tree, { option, options, chance }) =>
    updateOption(tree, option(), { requires: options(chance() < 0.3 ? 0 : 3) }),
  excludes: (tree, { option, options }) => updateOption(tree, option(), { excludes: options(3) }),
  moveOption: (tree, { option, node, chance }) =>
    moveOption(tree, option(), { nodeId: node(), position: chance() < 0.5 ? 0 : undefined }),
  removeOption: (tree, { option }) => deleteOption(tree, option()),
  select: (tree, { option }) => selectOption(tree, option()),
  deselect: (tree, { option }) => deselectOption(tree, option()),
} satisfies Record<string, Edit>;
type Verb = keyof typeof edits;

const MAKING: readonly Verb[] = ["addNode", "addOption", "addOption", "addOption", "select"];
const EDITING: readonly Verb[] = [...(Object.keys(edits) as Verb[]), "select", "moveOption", "moveNode", "requires"];

/** One line's edits. */
interface Line {
  readonly count: number;
  readonly prefix: string;
  readonly verbs: readonly Verb[];
}

function follow(base: Snapshot, { count, prefix, verbs }: Line, chance: Chance): Snapshot {
  const newId = countedIds(prefix);
  let { tree } = base;
  for (let made = 0; made < count; made += 1) {
    const ids = idsOf(tree.nodes);
    const [nodes, options] = [[...ids.nodes], [...ids.options]];
    const outcome = edits[pick(verbs, chance)](tree, {
      chance,
      newId,
      node: () => pick([...nodes, "none"], chance),
      option: () => pick([...options, "none"], chance),
      options: (most) => [
        ...new Set(Array.from({ length: Math.min(most, options.length) }, () => pick(options, chance))),
      ],
    });
    if (outcome.ok) tree = outcome.tree;
  }
  const changed = count > 0 && chance() < 0.5 ? pickSome(contentBy(chance), chance) : {};
  return structuredClone({ ...base, ...changed, tree });
}

function contentBy(chance: Chance): Omit<Snapshot, "tree"> {
  const milestones = ["mst_1", "mst_2", "mst_3"].filter(() => chance() < 0.6).map((id) => milestoneBy(id, chance));
  return {
    title: pick(["Shop", "Checkout", "Store"], chance),
    description: "",
    assumptions: pick(["", "Two rounds of feedback"], chance),
    clientName: pick([null, "ACME"], chance),
    hourlyRate: pick([null, 80], chance),
    currency: pick([null, "EUR", "EUR"], chance),
    correlation: pick([0, 0.2], chance),
    rounding: pick([0.01, 0.5] as const, chance),
    timeline: pick([null, { hoursPerDay: 6, focus: 1 }, { hoursPerDay: 8, holidays: ["2026-12-25"] }], chance),
    milestones: chance() < 0.5 ? milestones : milestones.toReversed(),
  };
}

const milestoneBy = (id: string, chance: Chance): Milestone => ({
  id,
  title: pick(["Beta", "Launch"], chance),
  dueDate: pick(["2026-11-01", "2027-01-15"], chance),
  nodeIds: ["n1", "n2", "n3"].filter(() => chance() < 0.5),
  taskIds: [],
});

/** A rate always comes with its currency. */
function pickSome(content: Omit<Snapshot, "tree">, chance: Chance): Partial<Snapshot> {
  const { hourlyRate, currency, ...others } = content;
  const some = Object.fromEntries(Object.entries(others).filter(() => chance() < 0.4));
  return hourlyRate !== null && currency === null ? some : { ...some, hourlyRate, currency };
}

const pick = <T>(values: readonly T[], chance: Chance): T => values[Math.floor(chance() * values.length)] as T;

/** Numbers from 0 to below 1 from a seed (mulberry32). */
function random(seed: number): Chance {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The same content in an order that does not depend on who came first: of siblings, links and milestones. */
export function unordered({ tree, milestones: all, ...settings }: Snapshot): unknown {
  const byId = <T extends { id: string }>(things: T[]): T[] => things.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const nodes = (list: Snapshot["tree"]["nodes"]): unknown[] =>
    byId(list).map(({ options, ...node }) => ({
      ...node,
      options: byId(options).map(({ nodes: below, requires, excludes, ...option }) => ({
        ...option,
        requires: requires.toSorted(),
        excludes: excludes.toSorted(),
        nodes: nodes(below),
      })),
    }));
  const sorted = byId(all).map((one) => ({ ...one, nodeIds: one.nodeIds.toSorted(), taskIds: one.taskIds.toSorted() }));
  return { ...settings, tree: nodes(tree.nodes), milestones: sorted };
}
