import { type Node, type Option, type Tree, walk } from "../tree/shape.ts";

type Thing = Node | Option;

const isNode = (thing: Thing): thing is Node => "options" in thing;
const childrenOf = (thing: Thing): readonly Thing[] => (isNode(thing) ? thing.options : thing.nodes);
const titleOf = ({ title }: Thing): string => title.trim().toLowerCase();

/** What siblings are matched by, the surest first; null where a thing has no such key. */
const KEYS: readonly ((thing: Thing) => string | null)[] = [
  ({ origin }) => (origin ? `${origin.templateId} ${origin.id}` : null),
  titleOf,
];

/**
 * Returns the tree of another estimation with the ids of `base` where both have the same thing, so that the two can be compared
 * as two contents of one estimation are: by id. The same is what has the same id; then, below what is the same, what came from the same part of
 * a template, or has the same title, of several in their order; then, wherever it stands, what alone in both trees has its
 * title, an option together with the title of its question. Origins are those of `base`.
 */
export function matchTree(base: Tree, other: Tree): Tree {
  const matches = matchesOf(base, other);
  const idOf = (id: string): string => matches.get(id)?.id ?? id;
  const originOf = ({ id, origin }: Thing) => (matches.get(id) ?? { origin }).origin ?? null;
  const nodesOf = (nodes: readonly Node[]): Node[] =>
    nodes.map((node) => ({
      ...node,
      id: idOf(node.id),
      origin: originOf(node),
      options: node.options.map((option) => ({
        ...option,
        id: idOf(option.id),
        origin: originOf(option),
        requires: option.requires.map(idOf),
        excludes: option.excludes.map(idOf),
        nodes: nodesOf(option.nodes),
      })),
    }));
  return { nodes: nodesOf(other.nodes) };
}

/** Returns what in `base` is the same as things of `other`, by the ids of these. */
function matchesOf(base: Tree, other: Tree): ReadonlyMap<string, Thing> {
  const matches = new Map<string, Thing>();
  const taken = new Set<string>();
  const match = (one: Thing, with_: Thing): void => {
    matches.set(one.id, with_);
    taken.add(with_.id);
  };
  const [bases, others] = [thingsOf(base), thingsOf(other)];
  const byId = new Map(bases.map(({ thing }) => [thing.id, thing]));
  for (const { thing } of others) {
    const same = byId.get(thing.id);
    if (same && isNode(same) === isNode(thing)) match(thing, same);
  }
  const matchSiblings = (among: readonly Thing[], list: readonly Thing[]): void => {
    for (const keyOf of KEYS) {
      const waiting = new Map<string, Thing[]>();
      for (const thing of among) {
        const key = taken.has(thing.id) ? null : keyOf(thing);
        if (key !== null) waiting.set(key, [...(waiting.get(key) ?? []), thing]);
      }
      for (const thing of list) {
        const found = matches.has(thing.id) ? undefined : waiting.get(keyOf(thing) ?? "")?.shift();
        if (found) match(thing, found);
      }
    }
  };
  let isDone = false;
  while (!isDone) {
    matchSiblings(base.nodes, other.nodes);
    // Parents come before their children.
    for (const { thing } of others) {
      const same = matches.get(thing.id);
      if (same) matchSiblings(childrenOf(same), childrenOf(thing));
    }
    const known = matches.size;
    const left = onlyOnes(bases.filter(({ thing }) => !taken.has(thing.id)));
    for (const [key, thing] of onlyOnes(others.filter(({ thing: { id } }) => !matches.has(id)))) {
      const same = left.get(key);
      if (same) match(thing, same);
    }
    isDone = matches.size === known;
  }
  return matches;
}

interface Placed {
  readonly thing: Thing;
  /** Its title, for an option with that of its question. */
  readonly key: string;
}

function thingsOf({ nodes }: Tree): Placed[] {
  const things: Placed[] = [];
  walk(nodes, {
    node: (node) => things.push({ thing: node, key: JSON.stringify([titleOf(node)]) }),
    option: (option, _path, node) =>
      things.push({ thing: option, key: JSON.stringify([titleOf(node), titleOf(option)]) }),
  });
  return things;
}

/** Returns those whose key no other one has, by their keys. */
function onlyOnes(things: readonly Placed[]): Map<string, Thing> {
  const found = new Map<string, Thing | null>();
  for (const { thing, key } of things) found.set(key, found.has(key) ? null : thing);
  return new Map([...found].flatMap(([key, thing]) => (thing === null ? [] : [[key, thing]])));
}
