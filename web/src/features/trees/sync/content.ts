import type { Estimation } from "../../../../../contract/endpoints/estimations.ts";
import type { Node, NodeInput, Tree } from "../../../../../domain/tree/shape.ts";
import { canonicalJson } from "../../../../../domain/versions/canonical.ts";

/** Fields of the estimation itself that the editor changes. */
const OWN = [
  "title",
  "description",
  "assumptions",
  "clientName",
  "tags",
  "hourlyRate",
  "currency",
  "correlation",
  "rounding",
] as const;

export type Own = Readonly<Pick<Estimation, (typeof OWN)[number]>>;

/** What the editor edits. Both parts are replaced, never changed: the same object is the same content. */
export interface Content {
  readonly tree: Tree;
  readonly own: Own;
}

/** One gesture: the content before and after it. */
export interface Step {
  readonly before: Content;
  readonly after: Content;
}

export const ownOf = (estimation: Own): Own =>
  Object.fromEntries(OWN.map((name) => [name, estimation[name]])) as unknown as Own;

/** Returns the fields of `own` that differ from `base`. */
export const changedFields = (base: Own, own: Own): Partial<Own> =>
  Object.fromEntries(
    OWN.filter((name) => JSON.stringify(base[name]) !== JSON.stringify(own[name])).map((name) => [name, own[name]]),
  );

export const isSameOwn = (one: Own, other: Own): boolean => Object.keys(changedFields(one, other)).length === 0;

/** Returns whether both are the very same objects. */
export const isSame = (one: Content, other: Content): boolean => one.tree === other.tree && one.own === other.own;

/** Returns `content` with the estimation's fields of `base` if they are equal: then only the tree is sent. */
export const sharing = ({ tree, own }: Content, base: Content): Content => ({
  tree,
  own: isSameOwn(own, base.own) ? base.own : own,
});

/** Returns a tree as the server takes it: where a part came from is only known there. */
export const toInput = (nodes: readonly Node[]): NodeInput[] =>
  nodes.map(({ origin: _, options, ...node }) => ({
    ...node,
    options: options.map(({ origin: __, nodes: below, ...option }) => ({ ...option, nodes: toInput(below) })),
  }));

const textOf = ({ nodes }: Tree): string => canonicalJson(toInput(nodes));

/** Returns whether both have the same content, though other objects. */
export const isAlike = (one: Content, other: Content): boolean =>
  isSameOwn(one.own, other.own) && (one.tree === other.tree || textOf(one.tree) === textOf(other.tree));
