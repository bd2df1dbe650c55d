import type { Node, Option, Tree } from "../../../contract/values/tree.ts";
import type { NodeInput, OptionInput } from "../../../contract/values/tree-input.ts";
import { matchTree } from "../../../domain/compare/match-trees.ts";
import { type CheckedImport, plantTree } from "../../../domain/tree/import-tree.ts";
import { changedRole } from "../../../domain/tree/roles.ts";
import { walk } from "../../../domain/tree/shape.ts";
import { renamesIn } from "./renames.ts";

/** The tree of an edited outline, with the ids of what was there before, and how much of it changes. */
export interface Matched {
  readonly nodes: NodeInput[];
  /** Whether anything differs. */
  readonly differs: boolean;
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Changed or moved. */
  readonly changed: readonly string[];
}

/**
 * Returns the tree that an outline describes. An outline has no ids: what is below the same, or alone has its title, keeps its id, and so do
 * things that were renamed. What an outline cannot say, links between options, stays as in `base`.
 */
export function matchOutline(base: Tree, outline: Pick<CheckedImport, "nodes" | "optionOrder">): Matched {
  let made = 0;
  let tree = matchTree(
    base,
    plantTree(outline, (kind) => `new-${kind}-${++made}`),
  );
  for (let renamed = renamesIn(base, tree); renamed.size > 0; renamed = renamesIn(base, tree))
    tree = matchTree(base, named(tree, renamed));
  const [before, after] = [placesIn(base), placesIn(tree)];
  const nodes = inputOf(tree, before, after);
  const kept = [...after].filter(([id]) => before.has(id));
  return {
    nodes,
    differs: JSON.stringify(nodes) !== JSON.stringify(inputOf(base, before, before)),
    added: [...after].flatMap(([id, { thing }]) => (before.has(id) ? [] : [thing.title])),
    removed: [...before].flatMap(([id, { thing }]) => (after.has(id) ? [] : [thing.title])),
    changed: kept.flatMap(([id, place]) => {
      const was = before.get(id);
      return was && isSame(was, place, { before, after }) ? [] : [place.thing.title];
    }),
  };
}

/** Gives things the ids of those that they were renamed from. */
function named({ nodes }: Tree, ids: ReadonlyMap<string, string>): Tree {
  const rename = <T extends { readonly id: string }>(thing: T): T => ({ ...thing, id: ids.get(thing.id) ?? thing.id });
  const namedNodes = (list: readonly Node[]): Node[] =>
    list.map((node) => ({
      ...rename(node),
      options: node.options.map((option) => ({ ...rename(option), nodes: namedNodes(option.nodes) })),
    }));
  return { nodes: namedNodes(nodes) };
}

interface Place {
  readonly thing: Node | Option;
  readonly parentId: string | null;
  readonly siblings: readonly { readonly id: string }[];
}
type Places = ReadonlyMap<string, Place>;

function placesIn(tree: Tree): Places {
  const places = new Map<string, Place>();
  const take = (things: readonly (Node | Option)[], parentId: string | null) => {
    for (const thing of things) places.set(thing.id, { thing, parentId, siblings: things });
  };
  take(tree.nodes, null);
  walk(tree.nodes, { node: ({ id, options }) => take(options, id), option: ({ id, nodes }) => take(nodes, id) });
  return places;
}

/** Whether a thing has the same fields and stands in the same place, among those of its siblings that were there and still are. */
function isSame(
  was: Place,
  is: Place,
  { before, after }: { readonly before: Places; readonly after: Places },
): boolean {
  if (was.parentId !== is.parentId) return false;
  const order = ({ siblings, parentId }: Place) =>
    siblings
      .filter(({ id }) => before.get(id)?.parentId === parentId && after.get(id)?.parentId === parentId)
      .findIndex(({ id }) => id === was.thing.id);
  return (
    order(was) === order(is) &&
    JSON.stringify(ownOf(was.thing, was.thing)) === JSON.stringify(ownOf(is.thing, was.thing))
  );
}

/** An outline writes every end of a line in the same way. */
const feeds = (text: string) => text.replace(/\r\n?/g, "\n");

/** Returns the fields of a thing without what is below it and without links. `was` is the same thing before. */
function ownOf(thing: Node | Option, was: Node | Option | undefined) {
  const isUnchanged = was !== undefined && feeds(was.description) === feeds(thing.description);
  const { title } = thing;
  const description = isUnchanged ? was.description : thing.description;
  if ("kind" in thing) {
    const { kind, required, min, max } = thing;
    return { title, description, kind, required, min, max };
  }
  const { hours, quantity, unit, selected, override } = thing;
  // A role that is stored in another spelling of what the outline says stays as it is.
  const role = was && "role" in was ? changedRole(was.role, thing.role) : thing.role;
  return { title, description, hours, quantity, unit, role, selected, override };
}

/** Returns a tree as it is sent: with the ids that the service knows, and the links of before as far as both ends are there. */
function inputOf({ nodes }: Tree, before: Places, after: Places): NodeInput[] {
  const known = (id: string) => (before.has(id) ? { id } : {});
  const links = (id: string, name: "requires" | "excludes"): string[] => {
    const was = before.get(id)?.thing;
    return was && "requires" in was ? was[name].filter((other) => after.has(other)) : [];
  };
  const option = (one: Option): OptionInput => ({
    ...known(one.id),
    ...(ownOf(one, before.get(one.id)?.thing) as OptionInput),
    requires: links(one.id, "requires"),
    excludes: links(one.id, "excludes"),
    nodes: one.nodes.map(node),
  });
  const node = (one: Node): NodeInput => ({
    ...known(one.id),
    ...(ownOf(one, before.get(one.id)?.thing) as NodeInput),
    options: one.options.map(option),
  });
  return nodes.map(node);
}
