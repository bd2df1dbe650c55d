import type { Node, NodeInput, Option, OptionInput, Tree } from "../../../../domain/tree/shape.ts";
import { canonicalJson } from "../../../../domain/versions/canonical.ts";

// Things that this browser made have temporary ids until the server gives them permanent ones.
const NEW = /^new_/;
let made = 0;

export const newId = (kind: "node" | "option"): string => `new_${kind}_${Date.now().toString(36)}_${made++}`;

export const isNew = (id: string) => NEW.test(id);

/** Returns whether there is anything in a tree that the server has given no id yet. */
export const hasNew = (nodes: readonly Node[]): boolean =>
  nodes.some(({ id, options }) => isNew(id) || options.some((option) => isNew(option.id) || hasNew(option.nodes)));

/** Returns a tree as the server takes it: new things without an id; what links to a new option names it by its `ref`. */
export const toInput = (nodes: readonly Node[]): NodeInput[] =>
  nodes.map(({ id, origin: _, options, ...node }) => ({
    ...(isNew(id) ? {} : { id }),
    ...node,
    options: options.map(optionInput),
  }));

const optionInput = ({ id, origin: _, nodes, ...option }: Option): OptionInput => ({
  ...(isNew(id) ? { ref: id } : { id }),
  ...option,
  nodes: toInput(nodes),
});

/** Returns the permanent id of each new thing, from the tree that was sent and the same tree as it was stored. */
export function lastingIds(sent: readonly Node[], stored: readonly Node[]): ReadonlyMap<string, string> {
  const ids = new Map<string, string>();
  const note = (from: string, to: string | undefined) => {
    if (to !== undefined && isNew(from)) ids.set(from, to);
  };
  const pair = (mine: readonly Node[], theirs: readonly Node[]): void => {
    for (const [index, node] of mine.entries()) {
      const other = theirs[index];
      note(node.id, other?.id);
      for (const [at, option] of node.options.entries()) {
        const twin = other?.options[at];
        note(option.id, twin?.id);
        pair(option.nodes, twin?.nodes ?? []);
      }
    }
  };
  pair(sent, stored);
  return ids;
}

/** Returns a tree with these ids replaced; parts without any are the same objects as before. */
export function withIds(tree: Tree, ids: ReadonlyMap<string, string>): Tree {
  if (ids.size === 0) return tree;
  const idOf = (id: string) => ids.get(id) ?? id;
  const each = <T>(list: T[], change: (item: T) => T): T[] => {
    const changed = list.map(change);
    return changed.every((item, index) => item === list[index]) ? list : changed;
  };
  const inNode = (node: Node): Node => {
    const options = each(node.options, inOption);
    const id = idOf(node.id);
    return options === node.options && id === node.id ? node : { ...node, id, options };
  };
  const inOption = (option: Option): Option => {
    const nodes = each(option.nodes, inNode);
    const [requires, excludes] = [each(option.requires, idOf), each(option.excludes, idOf)];
    const id = idOf(option.id);
    const isSame =
      nodes === option.nodes && requires === option.requires && excludes === option.excludes && id === option.id;
    return isSame ? option : { ...option, id, nodes, requires, excludes };
  };
  const nodes = each(tree.nodes, inNode);
  return nodes === tree.nodes ? tree : { nodes };
}

/** Returns whether `stored` is what was sent, apart from the ids of new things. */
export const isSameTree = (sent: Tree, stored: Tree): boolean =>
  textOf(withIds(sent, lastingIds(sent.nodes, stored.nodes))) === textOf(stored);

const textOf = ({ nodes }: Tree): string => canonicalJson(toInput(nodes));
