import { roundHundredth } from "../../../../../domain/tree/hours/round.ts";
import { idsOf, type Node, type Option, type Tree, walk } from "../../../../../domain/tree/shape.ts";
import type { Operation } from "../../../../../domain/versions/shape.ts";

/** What happened to a node or an option between two trees, or how far somebody has come who estimates its options. */
export type MarkKind = "added" | "removed" | "moved" | "changed" | "estimated" | "skipped" | "unsent" | "typed";

/** A field with what it said before and says now. */
export interface FieldChange {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Everything that happened to one node or option. */
export interface Mark {
  /** In order of their weight; more than one only where it was moved and changed. */
  readonly kinds: readonly MarkKind[];
  readonly changes: readonly FieldChange[];
  /** By how much all that changes the expected hours of the whole tree. */
  readonly hoursDelta: number;
}

/** A tree with what is gone from it, and the marks of what differs, by ids. */
export interface MarkedTree {
  readonly tree: Tree;
  readonly marks: ReadonlyMap<string, Mark>;
  /** What changed beside the tree: fields of the estimation, and milestones. */
  readonly beside: readonly Operation[];
}

/**
 * Returns one tree of two: that of `after`, with what was removed at its former place, marked by the operations that lead
 * from `before` to it.
 */
export function markTree(before: Tree, after: Tree, operations: readonly Operation[]): MarkedTree {
  const marks = new Map<string, Mark>();
  const beside: Operation[] = [];
  for (const operation of operations) {
    if (operation.id === null || operation.target === "milestone") beside.push(operation);
    else marks.set(operation.id, withOperation(marks.get(operation.id), operation));
  }
  return { tree: { nodes: merge(before, after, (id) => marks.get(id)?.kinds[0] === "removed") }, marks, beside };
}

/** Returns `tree` with what only `other` has, at its place there. */
export function withMissing(tree: Tree, other: Tree): Tree {
  const { nodes, options } = idsOf(tree.nodes);
  return { nodes: merge(other, tree, (id) => !nodes.has(id) && !options.has(id)) };
}

/** A tree without any mark. */
export const unmarked = (tree: Tree): MarkedTree => ({ tree, marks: new Map(), beside: [] });

function withOperation(mark: Mark | undefined, operation: Operation): Mark {
  const { kinds = [], changes = [], hoursDelta = 0 } = mark ?? {};
  const kind = kindOf(operation);
  return {
    kinds: kinds.includes(kind) ? kinds : [...kinds, kind],
    changes: [...changes, ...changesOf(operation)],
    hoursDelta: roundHundredth(hoursDelta + operation.hoursDelta),
  };
}

/** Returns what an operation does to what it is about. */
export function kindOf({ op }: Operation): MarkKind {
  if (op === "added" || op === "removed") return op;
  return op === "moved" || op === "reordered" ? "moved" : "changed";
}

/** Returns which field an operation changes; none where it is about the whole thing. */
export function changesOf(operation: Operation): FieldChange[] {
  switch (operation.op) {
    case "changed":
      return [{ field: operation.field, before: operation.before, after: operation.after }];
    case "selected":
      return [{ field: "selected", before: false, after: true }];
    case "deselected":
      return [{ field: "selected", before: true, after: false }];
    default:
      return [];
  }
}

function merge(before: Tree, after: Tree, isRemoved: (id: string) => boolean): Node[] {
  const [oldOptions, oldNodes] = [new Map<string, Option[]>(), new Map<string, Node[]>()];
  const remember = (nodes: readonly Node[]): void => {
    for (const { id, options } of nodes) {
      oldOptions.set(id, options);
      for (const option of options) {
        oldNodes.set(option.id, option.nodes);
        remember(option.nodes);
      }
    }
  };
  remember(before.nodes);
  const goneNodes = (nodes: readonly Node[]): Node[] =>
    nodes.filter(({ id }) => isRemoved(id)).map((node) => ({ ...node, options: goneOptions(node.options) }));
  const goneOptions = (options: readonly Option[]): Option[] =>
    options.filter(({ id }) => isRemoved(id)).map((option) => ({ ...option, nodes: goneNodes(option.nodes) }));
  const nodesOf = (now: readonly Node[], old: readonly Node[]): Node[] =>
    among(
      now.map((node) => ({ ...node, options: optionsOf(node.options, oldOptions.get(node.id) ?? []) })),
      old,
      goneNodes(old),
    );
  const optionsOf = (now: readonly Option[], old: readonly Option[]): Option[] =>
    among(
      now.map((option) => ({ ...option, nodes: nodesOf(option.nodes, oldNodes.get(option.id) ?? []) })),
      old,
      goneOptions(old),
    );
  return nodesOf(after.nodes, before.nodes);
}

/** Returns `now` with each of `gone` behind the sibling of `old` that it followed. */
function among<T extends { readonly id: string }>(
  now: readonly T[],
  old: readonly { readonly id: string }[],
  gone: readonly T[],
): T[] {
  if (gone.length === 0) return [...now];
  const byId = new Map(gone.map((thing) => [thing.id, thing]));
  const stays = new Set(now.map(({ id }) => id));
  const behind = new Map<string | null, T[]>();
  let last: string | null = null;
  for (const { id } of old) {
    const thing = byId.get(id);
    if (thing) behind.set(last, [...(behind.get(last) ?? []), thing]);
    else if (stays.has(id)) last = id;
  }
  return [...(behind.get(null) ?? []), ...now.flatMap((thing) => [thing, ...(behind.get(thing.id) ?? [])])];
}

/** Returns the ids of what is marked, in the order of the tree: the stops of stepping through it. */
export function stopsOf({ tree, marks }: MarkedTree): string[] {
  const stops: string[] = [];
  const visit = (nodes: readonly Node[]): void => {
    for (const node of nodes) {
      if (marks.has(node.id)) stops.push(node.id);
      for (const option of node.options) {
        if (marks.has(option.id)) stops.push(option.id);
        visit(option.nodes);
      }
    }
  };
  visit(tree.nodes);
  return stops;
}

/** Returns the ids of what is marked and of all that is above it, for a view of the changes only. */
export function markedOnly({ tree, marks }: MarkedTree): ReadonlySet<string> {
  const shown = new Set<string>();
  /** Returns whether something in `nodes` shows. */
  const visit = (nodes: readonly Node[]): boolean => {
    let isAny = false;
    for (const node of nodes) {
      let isShown = marks.has(node.id);
      for (const option of node.options) {
        const holds = visit(option.nodes);
        if (!holds && !marks.has(option.id)) continue;
        shown.add(option.id);
        isShown = true;
      }
      if (!isShown) continue;
      shown.add(node.id);
      isAny = true;
    }
    return isAny;
  };
  visit(tree.nodes);
  return shown;
}

/** Returns the stop after (`by` = 1) or before (−1) the line `from`, whether that is a stop or not; undefined without any. */
export function stopFrom(stops: readonly string[], order: readonly string[], from: string | null, by: 1 | -1) {
  const at = from === null ? -1 : order.indexOf(from);
  const places = new Map(order.map((id, place) => [id, place]));
  const placeOf = (id: string) => places.get(id) ?? -1;
  return by === 1
    ? (stops.find((id) => placeOf(id) > at) ?? stops[0])
    : (stops.findLast((id) => placeOf(id) < at) ?? stops.at(-1));
}

/** Returns what each node and option is called, an option with its question; in several trees, as in the last one that has it. */
export function titlesOf(...trees: readonly Tree[]): Map<string, string> {
  const titles = new Map<string, string>();
  for (const { nodes } of trees) {
    walk(nodes, {
      node: ({ id, title }) => titles.set(id, title),
      option: ({ id, title }, _path, node) => titles.set(id, `${node.title}: ${title}`),
    });
  }
  return titles;
}
