import { limits } from "../../../contract/limits.ts";
import { checkNodeFields, isPosition } from "../check/check-fields.ts";
import { breaches, type Fault, faultAt, report } from "../check/faults.ts";
import { fault, invalid, notFound, type Outcome } from "../hours/outcome.ts";
import { exceedsTreeHours } from "../hours/potential-hours.ts";
import { depthOf, idsOf, type NewId, type Node, type NodeFields, type Tree } from "../shape.ts";
import { depthAt, findNode, findOption, type NodePlace, siblingsOf, withNode, withNodes } from "./locate.ts";
import { danglingLinks } from "./referrers.ts";

/** Where to put a node: below an option or, for null, at the root; at the end if no position is given. */
export interface NodeTarget {
  parentOptionId?: string | null;
  position?: number;
}

/** Adds a node without options. */
export function createNode(
  tree: Tree,
  fields: Partial<NodeFields> & Pick<NodeFields, "title" | "kind"> & NodeTarget,
  newId: NewId,
): Outcome<{ node: Node }> {
  const faults = checkNodeFields(fields);
  if (faults.length > 0) return invalid(faults);
  if (idsOf(tree.nodes).nodes.size >= limits.treeNodes) return fault("", breaches.nodes);
  const { title, description = "", kind, required = false, min = null, max = null } = fields;
  const node: Node = { id: newId("node"), title, description, kind, required, min, max, options: [] };
  const placed = insert(tree, node, fields.parentOptionId ?? null, fields.position);
  return placed.ok ? { ok: true, tree: placed.tree, node } : placed;
}

/**
 * Changes the given fields, and moves the node if `parentOptionId` or `position` is given. Refuses to make a node
 * `single` while several of its options are selected: none is deselected automatically.
 */
export function updateNode(tree: Tree, id: string, changes: Partial<NodeFields> & NodeTarget): Outcome<{ node: Node }> {
  const place = findNode(tree, id);
  if (!place) return notFound;
  const { title, description, kind, required, min, max } = place.node;
  const fields = { title, description, kind, required, min, max };
  // Not all of `changes`: it also says where to put the node, which is not a field of it.
  for (const name of Object.keys(fields) as (keyof NodeFields)[]) {
    if (changes[name] !== undefined) Object.assign(fields, { [name]: changes[name] });
  }
  const node: Node = { ...place.node, ...fields };
  const faults = checkNodeFields(node).map((found) => blameGiven(found, changes));
  if (node.kind === "single" && node.options.filter((option) => option.selected).length > 1) {
    report(faults, "/kind", breaches.oneSelected);
  }
  if (faults.length > 0) return invalid(faults);
  const changed = withNode(tree, place, node);
  const { parentOptionId = place.parent?.option.id ?? null, position } = changes;
  const stays = position === undefined && parentOptionId === (place.parent?.option.id ?? null);
  if (!stays) return moveNode(changed, id, { parentOptionId, position });
  if (exceedsTreeHours(changed.nodes)) return fault("", breaches.treeHours);
  return { ok: true, tree: changed, node };
}

/** Moves a node with everything below it; ids and selections stay. `position` counts without the node itself. */
export function moveNode(tree: Tree, id: string, target: NodeTarget): Outcome<{ node: Node }> {
  const place = findNode(tree, id);
  if (!place) return notFound;
  const { parentOptionId = null, position } = target;
  if (parentOptionId !== null && idsOf([place.node]).options.has(parentOptionId)) {
    return fault("/parentOptionId", breaches.belowItself);
  }
  const placed = insert(detach(tree, place), place.node, parentOptionId, position);
  return placed.ok ? { ok: true, tree: placed.tree, node: place.node } : placed;
}

/**
 * Deletes a node with everything below it, and returns what was deleted. Refused if a remaining option requires or
 * excludes a deleted one, with one fault per link.
 */
export function deleteNode(tree: Tree, id: string): Outcome<{ node: Node }> {
  const place = findNode(tree, id);
  if (!place) return notFound;
  const faults = danglingLinks(tree, idsOf([place.node]).options, "/nodeId");
  if (faults.length > 0) return invalid(faults);
  return { ok: true, tree: detach(tree, place), node: place.node };
}

/** If only `min` was given, `min` is wrong, not the `max` that was already stored. */
function blameGiven(found: Fault, changes: Partial<NodeFields>): Fault {
  return found.path === "/max" && found.code === breaches.max.code && changes.max === undefined
    ? faultAt("/min", breaches.min)
    : found;
}

function detach(tree: Tree, place: NodePlace): Tree {
  return withNodes(tree, place.parent, siblingsOf(tree, place).toSpliced(place.index, 1));
}

function insert(tree: Tree, node: Node, parentOptionId: string | null, position: number | undefined): Outcome<object> {
  const parent = parentOptionId === null ? null : findOption(tree, parentOptionId);
  if (parentOptionId !== null && !parent) return fault("/parentOptionId", breaches.parentOption);
  const depth = parent ? depthAt(parent.parent) : 0;
  if (depth + depthOf([node]) > limits.treeDepth) return fault("/parentOptionId", breaches.depth);
  const siblings = parent ? parent.option.nodes : tree.nodes;
  const index = position ?? siblings.length;
  if (!isPosition(index, siblings.length)) return fault("/position", breaches.position);
  const grown = withNodes(tree, parent, siblings.toSpliced(index, 0, node));
  return exceedsTreeHours(grown.nodes) ? fault("", breaches.treeHours) : { ok: true, tree: grown };
}
