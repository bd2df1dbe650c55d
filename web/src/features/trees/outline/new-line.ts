import { createNode, deleteNode, moveNode } from "../../../../../domain/tree/edit/edit-nodes.ts";
import { createOption, moveOption, selectOption } from "../../../../../domain/tree/edit/edit-options.ts";
import { findNode, findOption, type OptionPlace } from "../../../../../domain/tree/edit/locate.ts";
import { pointsOf, type Tree } from "../../../../../domain/tree/shape.ts";
import { type Edit, inTurn, remove } from "../sync/edits.ts";
import type { TreeSync } from "../sync/tree-sync.ts";
import { treeTexts } from "../texts.ts";
import type { Row } from "./rows.ts";

const t = treeTexts.editor;

/** Where a new line is: by what is around it, so that it keeps its place while others change the tree. */
export interface NewPlace {
  readonly kind: "node" | "option";
  /** An option for a question, null for the top; a question for an option, null where it is made with it. */
  readonly parentId: string | null;
  /** What it comes after on its level; null for the first. */
  readonly afterId: string | null;
  /** The option that gets a question of its own for this line. */
  readonly impliedIn?: string | undefined;
}

/** A line that is typed and not yet part of the tree: left empty, it leaves nothing behind. */
export interface NewLine extends NewPlace {
  /** Stays the same while its kind, and so its id, changes. */
  readonly key: string;
  readonly id: string;
  /** Ids that were taken for it: of the line as a question and as an option, and of the question that is made with it. */
  readonly ids: Ids;
  /** The line that had the focus before; null for none. */
  readonly from: string | null;
  /** Adds it to a tree, under the title of a new line; leaves a tree that has it as it is. */
  readonly make: Edit;
}

type Ids = Readonly<Partial<Record<"node" | "option" | "implied", string>>>;
type Take = (kind: "node" | "option") => string | null;

/** Returns a new line, or `line` in another place; null if there are no ids for it. */
export function lineIn(
  place: NewPlace,
  line: Pick<NewLine, "ids" | "from"> & Partial<NewLine>,
  take: Take,
): NewLine | null {
  const { kind, afterId, impliedIn } = place;
  const id = line.ids[kind] ?? take(kind);
  const implied = impliedIn === undefined ? line.ids.implied : (line.ids.implied ?? take("node"));
  if (id === null || implied === null) return null;
  const parentId = impliedIn === undefined ? place.parentId : (implied ?? null);
  const ids = { ...line.ids, [kind]: id, ...(implied === undefined ? {} : { implied }) };
  const now = { kind, afterId, impliedIn, parentId, id, ids, key: line.key ?? id, from: line.from };
  return { ...now, make: makeOf(now) };
}

/** Returns the place behind the last of a list, of which others may have removed what the line came after. */
function behind(list: readonly { readonly id: string }[], afterId: string | null): number {
  const at = list.findIndex(({ id }) => id === afterId);
  return afterId !== null && at < 0 ? list.length : at + 1;
}

function makeOf({ id, kind, parentId, afterId, impliedIn }: Omit<NewLine, "make">): Edit {
  const question: Edit = (tree) => {
    const siblings = parentId === null ? tree.nodes : (findOption(tree, parentId)?.option.nodes ?? []);
    const above = siblings.find((each) => each.id === afterId);
    const fields = { title: t.newNode, kind: above?.kind === "group" ? ("group" as const) : ("single" as const) };
    return createNode(tree, { ...fields, parentOptionId: parentId, position: behind(siblings, afterId) }, () => id);
  };
  const option: Edit = (tree) => {
    const node = parentId === null ? undefined : findNode(tree, parentId)?.node;
    const position = behind(node?.options ?? [], afterId);
    const made = createOption(tree, parentId ?? "", { title: t.newOption, position }, () => id);
    // The first option of a question with one answer is that answer.
    return made.ok && node?.kind === "single" && node.options.length === 0 ? selectOption(made.tree, id) : made;
  };
  const edit =
    kind === "node"
      ? question
      : impliedIn === undefined || parentId === null
        ? option
        : inTurn([impliedQuestion(impliedIn, parentId), option]);
  return (tree) => (findNode(tree, id) || findOption(tree, id) ? { ok: true, tree } : edit(tree));
}

/** Gives an option a question of fixed scope with its title, as outlines do that are imported. */
const impliedQuestion =
  (optionId: string, id: string): Edit =>
  (tree) => {
    if (findNode(tree, id)) return { ok: true, tree };
    const title = findOption(tree, optionId)?.option.title ?? t.newNode;
    return createNode(tree, { title, kind: "group", parentOptionId: optionId }, () => id);
  };

/** Returns the place one level further in: a question becomes an option of the one above it; null where nothing is above. */
function newPlaceInside(tree: Tree, { kind, afterId }: NewPlace): NewPlace | null {
  if (afterId === null) return null;
  const above = findOption(tree, afterId)?.option;
  const question = kind === "node" ? findNode(tree, afterId)?.node : above?.nodes.at(-1);
  if (question) return { kind: "option", parentId: question.id, afterId: question.options.at(-1)?.id ?? null };
  return above ? { kind: "option", parentId: null, afterId: null, impliedIn: above.id } : null;
}

/** Returns the place one level further out: behind the option that holds it, or as a question at the top; null there. */
function newPlaceOutside(tree: Tree, { kind, parentId, impliedIn }: NewPlace): NewPlace | null {
  const after = (place: OptionPlace | null | undefined): NewPlace | null =>
    place ? { kind: "option", parentId: place.parent.node.id, afterId: place.option.id } : null;
  if (impliedIn !== undefined) return after(findOption(tree, impliedIn));
  if (parentId === null) return null;
  if (kind === "node") return after(findOption(tree, parentId));
  const question = findNode(tree, parentId);
  if (!question) return null;
  return question.parent ? after(question.parent) : { kind: "node", parentId: null, afterId: question.node.id };
}

/** Returns the edit that moves a line of the tree one level in; null where nothing above can hold it. */
function moveInside(tree: Tree, id: string, take: Take): Edit | null {
  const option = findOption(tree, id);
  const above = option?.parent.node.options[option.index - 1];
  if (option && above) {
    const last = above.nodes.at(-1);
    if (last) return (now) => moveOption(now, id, { nodeId: last.id, position: last.options.length });
    const nodeId = take("node");
    if (nodeId === null) return null;
    return inTurn([impliedQuestion(above.id, nodeId), (now) => moveOption(now, id, { nodeId, position: 0 })]);
  }
  const node = findNode(tree, id);
  const siblings = node?.parent ? node.parent.option.nodes : tree.nodes;
  const holder = node && siblings[node.index - 1]?.options.at(-1);
  if (!holder) return null;
  return (now) => moveNode(now, id, { parentOptionId: holder.id, position: holder.nodes.length });
}

/** Returns the edit that moves a line of the tree one level out, behind what holds it; null at the top. */
function moveOutside(tree: Tree, id: string): Edit | null {
  const option = findOption(tree, id);
  if (option) {
    const { node, parent } = option.parent;
    if (!parent) return null;
    const move: Edit = (now) => moveOption(now, id, { nodeId: parent.parent.node.id, position: parent.index + 1 });
    // A question that was made to hold it has nothing left to ask.
    const isImplied = node.kind === "group" && node.title === parent.option.title && node.description === "";
    return isImplied && node.options.length === 1 ? inTurn([move, (now) => deleteNode(now, node.id)]) : move;
  }
  const holder = findNode(tree, id)?.parent;
  if (!holder) return null;
  const target = { parentOptionId: holder.parent.parent?.option.id ?? null, position: holder.parent.index + 1 };
  return (now) => moveNode(now, id, target);
}

/** Returns a new line one level further in or out, or why it cannot be there; null where there is no such place. */
export function shiftNew(sync: TreeSync, line: NewLine, isOut: boolean): NewLine | string | null {
  const { tree } = sync.current();
  const place = isOut ? newPlaceOutside(tree, line) : newPlaceInside(tree, line);
  const next = place && lineIn(place, line, (kind) => sync.ids.take(kind));
  return next && (sync.refusalOf(next.make) ?? next);
}

/** Moves a line of the tree one level in or out, if it can; returns why it is refused, or null. */
export function shiftLine(sync: TreeSync, id: string, isOut: boolean): string | null {
  const { tree } = sync.current();
  const edit = isOut ? moveOutside(tree, id) : moveInside(tree, id, (kind) => sync.ids.take(kind));
  return edit && sync.edit(edit);
}

/** Removes a line of the tree that has nothing but its title; returns whether it did. */
export function removeEmpty(sync: TreeSync, row: Row): boolean {
  const { option, node } = row;
  const holds = option ? option.nodes.length > 0 || pointsOf(option) !== null : node.options.length > 0;
  if (holds || (option ?? node).description !== "") return false;
  const refused = sync.edit(remove(row));
  if (refused) sync.say(refused);
  return refused === null;
}
