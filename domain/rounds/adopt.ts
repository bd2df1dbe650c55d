import { breaches } from "../tree/check/faults.ts";
import { fault, type Outcome } from "../tree/hours/outcome.ts";
import { exceedsTreeHours } from "../tree/hours/potential-hours.ts";
import { type Node, type Option, pointsOf, type ThreePoint, type Tree } from "../tree/shape.ts";

/** Returns whether two sets of three points, or none, are the same. */
export const samePoints = (one: ThreePoint | null, other: ThreePoint | null): boolean =>
  one?.optimistic === other?.optimistic && one?.likely === other?.likely && one?.pessimistic === other?.pessimistic;

/**
 * Returns whether an option is still what people estimated: the same words, quantity, unit and role, and the same hours, or some
 * that the round gave it since (`adopted`). What is below it, and whether it is selected, is not part of it.
 */
export function isAsEstimated(then: Option, now: Option, adopted: readonly ThreePoint[]): boolean {
  const isSaidAlike =
    then.title === now.title &&
    then.description === now.description &&
    then.quantity === now.quantity &&
    then.unit === now.unit &&
    then.role === now.role;
  const hours = pointsOf(now);
  return isSaidAlike && [pointsOf(then), ...adopted].some((points) => samePoints(points, hours));
}

/**
 * Gives options of a tree hours: in the place of an override where an option has one. Refused where quantities then multiply to more hours
 * than a tree may have.
 */
export function withHours(tree: Tree, hours: ReadonlyMap<string, ThreePoint>): Outcome<object> {
  const inOption = (option: Option): Option => {
    const points = hours.get(option.id);
    const given = points && (option.override === null ? { hours: { ...points } } : { override: { ...points } });
    return { ...option, ...given, nodes: option.nodes.map(inNode) };
  };
  const inNode = (node: Node): Node => ({ ...node, options: node.options.map(inOption) });
  const nodes = tree.nodes.map(inNode);
  return exceedsTreeHours(nodes) ? fault("", breaches.treeHours) : { ok: true, tree: { nodes } };
}
