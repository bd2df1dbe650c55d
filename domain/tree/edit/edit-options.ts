import { limits } from "../../../contract/limits.ts";
import { checkOptionFields, isPosition } from "../check/check-fields.ts";
import { breaches, type Fault, report } from "../check/faults.ts";
import { countLinks, dependantsOf, linksOf } from "../check/links.ts";
import { fault, invalid, notFound, type Outcome } from "../hours/outcome.ts";
import { exceedsTreeHours } from "../hours/potential-hours.ts";
import { changedRole, writtenRole } from "../roles.ts";
import { depthOf, idsOf, type NewId, type Option, type OptionFields, type Tree, toPoints, walk } from "../shape.ts";
import { depthAt, findNode, findOption, type NodePlace, type OptionPlace, withOption, withOptions } from "./locate.ts";
import { danglingLinks } from "./referrers.ts";

/** Adds an unselected option without nodes below it to a node; at the end if no position is given. */
export function createOption(
  tree: Tree,
  nodeId: string,
  fields: OptionFields & { position?: number },
  newId: NewId,
): Outcome<{ option: Option }> {
  const node = findNode(tree, nodeId);
  if (!node) return notFound;
  const present = idsOf(tree.nodes).options;
  const faults = checkOptionFields(fields);
  checkLinks(fields, present, faults);
  if (present.size >= limits.treeOptions) report(faults, "", breaches.options);
  checkLinkCount(tree, linksOf(fields), faults);
  if (faults.length > 0) return invalid(faults);
  const option: Option = {
    id: newId("option"),
    title: fields.title,
    description: fields.description ?? "",
    hours: toPoints(fields.hours),
    quantity: fields.quantity ?? 1,
    unit: fields.unit ?? null,
    role: writtenRole(fields.role),
    requires: fields.requires ?? [],
    excludes: fields.excludes ?? [],
    selected: false,
    override: toPoints(fields.override),
    nodes: [],
  };
  const placed = insert(tree, node, option, fields.position, "");
  return placed.ok ? { ok: true, tree: placed.tree, option } : placed;
}

/** Changes the given fields, and the option's place among its siblings if `position` is given. */
export function updateOption(
  tree: Tree,
  id: string,
  changes: Partial<OptionFields> & { position?: number },
): Outcome<{ option: Option }> {
  const place = findOption(tree, id);
  if (!place) return notFound;
  const faults = checkOptionFields(changes);
  checkLinks(changes, idsOf(tree.nodes).options, faults, id);
  checkCycle(tree, id, changes.requires ?? [], faults);
  const { requires, excludes } = place.option;
  checkLinkCount(tree, linksOf({ requires, excludes, ...changes }) - linksOf(place.option), faults);
  const siblings = place.parent.node.options;
  const index = changes.position ?? place.index;
  if (!isPosition(index, siblings.length - 1)) report(faults, "/position", breaches.position);
  if (faults.length > 0) return invalid(faults);
  const option = { ...place.option, ...given(changes, place.option) };
  const changed = withOptions(tree, place.parent, siblings.toSpliced(place.index, 1).toSpliced(index, 0, option));
  return exceedsTreeHours(changed.nodes) ? fault("", breaches.treeHours) : { ok: true, tree: changed, option };
}

/**
 * Moves an option with everything below it to a node; ids and selections stay. `position` counts without the option
 * itself. A selected option cannot join a `single` node that already has one.
 */
export function moveOption(
  tree: Tree,
  id: string,
  target: { nodeId: string; position?: number },
): Outcome<{ option: Option }> {
  const place = findOption(tree, id);
  if (!place) return notFound;
  if (idsOf(place.option.nodes).nodes.has(target.nodeId)) return fault("/nodeId", breaches.belowItself);
  const rest = detach(tree, place);
  const node = findNode(rest, target.nodeId);
  if (!node) return fault("/nodeId", breaches.targetNode);
  const placed = insert(rest, node, place.option, target.position, "/nodeId");
  return placed.ok ? { ok: true, tree: placed.tree, option: place.option } : placed;
}

/** Deletes an option with everything below it, by the rules of `deleteNode`. */
export function deleteOption(tree: Tree, id: string): Outcome<{ option: Option }> {
  const place = findOption(tree, id);
  if (!place) return notFound;
  const faults = danglingLinks(tree, idsOf(place.option.nodes).options.add(id), "/optionId");
  if (faults.length > 0) return invalid(faults);
  return { ok: true, tree: detach(tree, place), option: place.option };
}

/**
 * Selects an option, even a dormant one. In a `single` node its siblings are deselected, and their ids returned.
 * Nothing else is selected with it: `problems` reports what it requires.
 */
export function selectOption(tree: Tree, id: string): Outcome<{ option: Option; deselected: string[] }> {
  const place = findOption(tree, id);
  if (!place) return notFound;
  if (place.option.selected) return { ok: true, tree, option: place.option, deselected: [] };
  const { kind, options } = place.parent.node;
  const option = { ...place.option, selected: true };
  const rivals = kind === "single" ? options.filter((sibling) => sibling.selected) : [];
  const changed = options.map((sibling) =>
    sibling.id === id ? option : rivals.includes(sibling) ? { ...sibling, selected: false } : sibling,
  );
  return {
    ok: true,
    tree: withOptions(tree, place.parent, changed),
    option,
    deselected: rivals.map((rival) => rival.id),
  };
}

/** Deselects an option; selections below it stay stored. In a `group` an option counts either way. */
export function deselectOption(tree: Tree, id: string): Outcome<{ option: Option }> {
  const place = findOption(tree, id);
  if (!place) return notFound;
  if (!place.option.selected) return { ok: true, tree, option: place.option };
  const option = { ...place.option, selected: false };
  return { ok: true, tree: withOption(tree, place, option), option };
}

/** Returns those fields of `changes` that an option stores; anything else is left out. */
function given(changes: Partial<OptionFields>, before: Option): Partial<Option> {
  const { title, description, hours, override, quantity, unit, role, requires, excludes } = changes;
  const fields: Partial<Option> = {
    title,
    description,
    hours: hours === undefined ? undefined : toPoints(hours),
    quantity,
    unit,
    role: role === undefined ? undefined : changedRole(before.role, role),
    requires,
    excludes,
    override: override === undefined ? undefined : toPoints(override),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function checkLinks(fields: Partial<OptionFields>, present: ReadonlySet<string>, faults: Fault[], own?: string): void {
  for (const name of ["requires", "excludes"] as const) {
    fields[name]?.forEach((link, index) => {
      if (link === own) report(faults, `/${name}/${index}`, breaches.ownLink);
      else if (!present.has(link)) report(faults, `/${name}/${index}`, breaches.unknownLink);
    });
  }
}

/** `added` is the number of links by which the tree would grow; an edit that adds none needs no room. */
function checkLinkCount(tree: Tree, added: number, faults: Fault[]): void {
  if (added > 0 && countLinks(tree.nodes) + added > limits.treeLinks) report(faults, "", breaches.treeLinks);
}

function checkCycle(tree: Tree, id: string, requires: readonly string[], faults: Fault[]): void {
  if (requires.length === 0) return;
  const options: Option[] = [];
  walk(tree.nodes, { option: (option) => void options.push(option) });
  const dependants = dependantsOf(id, options);
  requires.forEach((link, index) => {
    if (link !== id && dependants.has(link)) report(faults, `/requires/${index}`, breaches.cycle);
  });
}

function detach(tree: Tree, place: OptionPlace): Tree {
  return withOptions(tree, place.parent, place.parent.node.options.toSpliced(place.index, 1));
}

/** `path` is the place in the request of a fault of the node. */
function insert(
  tree: Tree,
  place: NodePlace,
  option: Option,
  position: number | undefined,
  path: string,
): Outcome<object> {
  const { kind, options } = place.node;
  if (options.length >= limits.nodeOptions) return fault(path, breaches.nodeOptions);
  if (kind === "single" && option.selected && options.some((sibling) => sibling.selected)) {
    return fault(path, breaches.oneSelected);
  }
  if (depthAt(place) + depthOf(option.nodes) > limits.treeDepth) return fault(path, breaches.depth);
  const index = position ?? options.length;
  if (!isPosition(index, options.length)) return fault("/position", breaches.position);
  const grown = withOptions(tree, place, options.toSpliced(index, 0, option));
  return exceedsTreeHours(grown.nodes) ? fault("", breaches.treeHours) : { ok: true, tree: grown };
}
