import { meanOf } from "../tree/hours/distribution.ts";
import { counts } from "../tree/hours/evaluate.ts";
import { type Node, type Option, originLast, pointsOf } from "../tree/shape.ts";
import type { Change, Milestone, Place, Settings, Snapshot, Target, ThingRecord } from "./shape.ts";

/** An operation that does not fit the snapshot that it is applied to. */
export class UnfitOperation extends Error {}

type Fields = Node | Option | Milestone | ThingRecord;

/**
 * A node, option or milestone among its siblings, which form a doubly linked list: moving one costs the same at any
 * place.
 */
export interface Item {
  readonly target: Target | "root";
  /** Null for a root. */
  readonly id: string | null;
  /** Its own fields; its original children may still be attached to them, and are ignored. */
  fields: Fields | null;
  parent: Item | null;
  previous: Item | null;
  next: Item | null;
  first: Item | null;
  last: Item | null;
  /**
   * Expected hours of everything that counts in a root or a node; for an option, of one unit with everything counted
   * below.
   */
  hours: number;
}

/**
 * A snapshot that changes step by step between the ends of a diff; meanwhile it need not follow the rules of a tree.
 */
export interface Running {
  settings: Settings;
  /** The parent of the root nodes; its `hours` are the running total. */
  readonly nodes: Item;
  readonly milestones: Item;
  /** By id, in pre-order as far as they were there from the beginning, milestones last. */
  readonly items: Map<string, Item>;
}

export function open({ tree, milestones, ...settings }: Snapshot): Running {
  const running: Running = {
    settings,
    nodes: itemOf("root", null),
    milestones: itemOf("root", null),
    items: new Map(),
  };
  for (const node of tree.nodes) openNode(running, node, running.nodes);
  for (const milestone of milestones)
    link(register(running, "milestone", milestone), running.milestones, running.milestones.last);
  return running;
}

function openNode(running: Running, node: Node, parent: Item): void {
  const item = register(running, "node", node);
  link(item, parent, parent.last);
  for (const option of node.options) {
    const optionItem = register(running, "option", option);
    link(optionItem, item, item.last);
    optionItem.hours = ownHours(option);
    for (const nested of option.nodes) openNode(running, nested, optionItem);
    item.hours += contribution(optionItem);
  }
  parent.hours += item.hours;
}

/** Returns the current snapshot; fields keep their order. */
export function close({ settings, nodes, milestones }: Running): Snapshot {
  const nodesBelow = (parent: Item): Node[] =>
    childrenOf(parent).map((item) => originLast({ ...(item.fields as Node), options: optionsBelow(item) }));
  const optionsBelow = (parent: Item): Option[] =>
    childrenOf(parent).map((item) => originLast({ ...(item.fields as Option), nodes: nodesBelow(item) }));
  return {
    ...settings,
    tree: { nodes: nodesBelow(nodes) },
    milestones: childrenOf(milestones).map(({ fields }) => fields as Milestone),
  };
}

/** Makes one change. Throws `UnfitOperation` if it names something missing, or would move something below itself. */
export function perform(running: Running, change: Change): void {
  if (change.target === "setting") {
    running.settings = withSetting(running.settings, change.field, change.after);
    return;
  }
  if (change.op === "added") {
    if (running.items.has(change.id)) throw new UnfitOperation(`${change.id} already exists`);
    const { parentId, afterId, record } = change.after;
    const item = register(running, change.target, record);
    if (change.target === "option") item.hours = ownHours(record as Option);
    attach(running, item, { parentId, afterId });
    return;
  }
  const item = running.items.get(change.id);
  if (item?.target !== change.target) throw new UnfitOperation(`there is no ${change.target} ${change.id}`);
  if (change.op === "removed") {
    if (item.first) throw new UnfitOperation(`${change.id} still has something below it`);
    detach(item);
    running.items.delete(change.id);
  } else if (change.op === "moved" || change.op === "reordered") {
    detach(item);
    attach(running, item, change.after);
  } else if (change.op === "changed") {
    setField(item, change.field, change.after);
  } else {
    setField(item, "selected", change.op === "selected");
  }
}

/** The present place of a thing. */
export function placeOf({ parent, previous }: Item): Place {
  return { parentId: parent?.id ?? null, afterId: previous?.id ?? null };
}

export function childrenOf({ first }: Item): Item[] {
  const children: Item[] = [];
  for (let item = first; item; item = item.next) children.push(item);
  return children;
}

function itemOf(target: Item["target"], fields: Fields | null): Item {
  const id = fields?.id ?? null;
  return { target, id, fields, parent: null, previous: null, next: null, first: null, last: null, hours: 0 };
}

function register(running: Running, target: Target, fields: Fields): Item {
  const item = itemOf(target, fields);
  running.items.set(fields.id, item);
  return item;
}

function attach(running: Running, item: Item, { parentId, afterId }: Place): void {
  const parent = parentFor(running, item, parentId);
  const after = afterId === null ? null : running.items.get(afterId);
  if (after === undefined || (after && after.parent !== parent)) {
    throw new UnfitOperation(`${afterId} is not where ${item.id} is to follow it`);
  }
  for (let above: Item | null = parent; above; above = above.parent) {
    if (above === item) throw new UnfitOperation(`${item.id} cannot be below itself`);
  }
  link(item, parent, after);
  raise(parent, contribution(item));
}

function parentFor({ items, nodes, milestones }: Running, { target, id }: Item, parentId: string | null): Item {
  if (parentId === null && target === "node") return nodes;
  if (parentId === null && target === "milestone") return milestones;
  const parent = parentId === null ? undefined : items.get(parentId);
  const fits = target === "node" ? parent?.target === "option" : target === "option" && parent?.target === "node";
  if (!parent || !fits) throw new UnfitOperation(`${parentId} cannot contain the ${target} ${id}`);
  return parent;
}

function detach(item: Item): void {
  const { parent, previous, next } = item;
  if (!parent) return;
  raise(parent, -contribution(item));
  if (previous) previous.next = next;
  else parent.first = next;
  if (next) next.previous = previous;
  else parent.last = previous;
  item.parent = null;
}

function link(item: Item, parent: Item, after: Item | null): void {
  const next = after ? after.next : parent.first;
  item.parent = parent;
  item.previous = after;
  item.next = next;
  if (after) after.next = item;
  else parent.first = item;
  if (next) next.previous = item;
  else parent.last = item;
}

function setField(item: Item, field: string, value: unknown): void {
  const before = contribution(item);
  const ownBefore = item.target === "option" ? ownHours(item.fields as Option) : 0;
  item.fields = { ...(item.fields as Fields), [field]: value } as Fields;
  if (item.target === "option") item.hours += ownHours(item.fields as Option) - ownBefore;
  if (item.target === "node" && field === "kind") {
    item.hours = childrenOf(item).reduce((sum, option) => sum + contribution(option), 0);
  }
  if (item.parent) raise(item.parent, contribution(item) - before);
}

function withSetting(settings: Settings, field: string, value: unknown): Settings {
  if (!field.startsWith(TIMELINE)) return { ...settings, [field]: value };
  const name = field.slice(TIMELINE.length);
  const { [name]: _, ...others } = settings.timeline ?? {};
  return { ...settings, timeline: value === undefined ? others : { ...settings.timeline, [name]: value } };
}

/** Prefix of the name of a timeline setting. */
export const TIMELINE = "timeline.";

/** Returns what an object adds to the hours of its parent. */
function contribution({ target, fields, parent, hours }: Item): number {
  if (target === "node") return hours;
  if (target !== "option") return 0;
  const option = fields as Option;
  return parent?.fields && counts(parent.fields as Node, option) ? option.quantity * hours : 0;
}

/** Adds hours to `parent` and to everything above it in which they count. */
function raise(parent: Item, by: number): void {
  let change = by;
  for (let item: Item | null = parent; item && change !== 0; item = item.parent) {
    item.hours += change;
    if (item.target !== "option") continue;
    const option = item.fields as Option;
    if (!item.parent?.fields || !counts(item.parent.fields as Node, option)) return;
    change *= option.quantity;
  }
}

function ownHours(option: Pick<Option, "hours" | "override">): number {
  const points = pointsOf(option);
  return points ? meanOf(points) : 0;
}
