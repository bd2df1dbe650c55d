import type { Node, Option } from "../tree/shape.ts";
import type { Milestone, Settings, Snapshot, Target } from "../versions/shape.ts";

/** The fields of a thing by their names, with what is below it. */
export type Fields = Readonly<Record<string, unknown>>;

/** Stands for a value in which several common ancestors differ: it equals neither side. */
export const unsure: unique symbol = Symbol("common ancestors differ");

/** A node, an option or a milestone in one version. */
export interface Thing {
  readonly target: Target;
  readonly id: string;
  /** Null for a root node and a milestone. */
  readonly parentId: string | null | typeof unsure;
  readonly fields: Fields;
  readonly children: readonly { readonly id: string }[];
}

/** A version, read for a merge. */
export interface Line {
  readonly settings: Settings | Fields;
  /** By id, in pre-order, milestones last. */
  readonly things: ReadonlyMap<string, Thing>;
  readonly roots: readonly { readonly id: string }[];
  readonly milestones: readonly { readonly id: string }[];
}

const NONE: readonly { readonly id: string }[] = [];

export function read({ tree, milestones, ...settings }: Snapshot): Line {
  const things = new Map<string, Thing>();
  const enter = (nodes: readonly Node[], above: string | null): void => {
    for (const node of nodes) {
      things.set(node.id, thingOf("node", node, above, node.options));
      for (const option of node.options) {
        things.set(option.id, thingOf("option", option, node.id, option.nodes));
        if (option.nodes.length > 0) enter(option.nodes, option.id);
      }
    }
  };
  enter(tree.nodes, null);
  for (const milestone of milestones) things.set(milestone.id, thingOf("milestone", milestone, null, NONE));
  return { settings, things, roots: tree.nodes, milestones };
}

const thingOf = (
  target: Target,
  record: Node | Option | Milestone,
  parentId: string | null,
  children: Thing["children"],
): Thing => ({ target, id: record.id, parentId, fields: record as unknown as Fields, children });

/** The children of a thing, or those of `roots` or `milestones`; none if the line does not have the thing. */
export const childrenIn = (line: Line, key: string): Line["roots"] =>
  key === ROOTS ? line.roots : key === MILESTONES ? line.milestones : (line.things.get(key)?.children ?? NONE);

/** Stand for the parent of the root nodes, and for that of the milestones. */
export const ROOTS = "roots";
export const MILESTONES = "milestones";

/** The list that a thing with this parent is in. */
export const listOf = (target: Target, parentId: string | null): string =>
  parentId ?? (target === "milestone" ? MILESTONES : ROOTS);
