import { limits } from "../../contract/limits.ts";
import type { NodeInput, OptionInput } from "../../contract/values/tree-input.ts";
import type { LineFault, LineNote } from "./content.ts";
import { type Choice, splitChoice } from "./outline-fields.ts";
import { readText, trimmed } from "./outline-text.ts";
import { numbersOf, type OptionWords, readLine, unreadText } from "./read-line.ts";

/** Where an item stands. */
export interface Place {
  /** Items with a higher key belong to it, until one follows whose key is not higher. */
  readonly key: number;
  /** The least key with which an item belongs to it by the rules of Markdown. */
  readonly inner: number;
  /** Keys of one indentation are equal in this; negative for headings and numbers, which are not indented. */
  readonly indent: number;
}

/** A question or an option that may have further lines below it. */
export interface Level extends Place {
  readonly thing: NodeInput | OptionInput;
  readonly isNode: boolean;
  /** Indentation of the lines below it, once there are any. */
  indentBelow: number | null;
}

/** The part of the outline read so far. */
export interface Outline {
  /** The parent of the root nodes; its title is the estimation's. */
  readonly top: { title: string; nodes: NodeInput[] };
  readonly levels: Level[];
  /** The line of each question and option. */
  readonly lines: Map<object, number>;
  /** Nodes without a line: they hold options that are directly below an option, or at the top. */
  readonly implied: Set<NodeInput>;
  /** Nodes whose line does not give their kind, and whether an option below has a box. */
  readonly open: Map<NodeInput, boolean>;
  /** Nodes and options whose description has started. */
  readonly described: Set<object>;
  /** At most `limits.reportedFaults`, as of the two lists below. */
  readonly faults: LineFault[];
  /** Lines that are left out on purpose. */
  readonly skipped: LineNote[];
  /** Lines that are taken, but should be looked at. */
  readonly noted: LineNote[];
}

/** How the numbers of an outline are written. */
export interface NumberForm {
  readonly decimal: "." | ",";
}

/** No tree is larger; the rest of a longer file is not read. */
export const MOST = limits.treeNodes + limits.treeOptions;

/** Whether the rest of the file would change nothing: it is refused, and no further fault is reported. */
export const isOver = ({ faults, lines }: Outline): boolean =>
  faults.length >= limits.reportedFaults || lines.size > MOST;

export function noteFault({ faults }: Outline, line: number, message: string): void {
  if (faults.length < limits.reportedFaults) faults.push({ line, message });
}

/** Adds to the lines that are left out, or to those that should be looked at. */
export function note(list: LineNote[], line: number, message: string): void {
  if (list.length < limits.reportedFaults) list.push({ line, message });
}

export const newOutline = (): Outline => ({
  top: { title: "", nodes: [] },
  levels: [],
  lines: new Map(),
  implied: new Set(),
  open: new Map(),
  described: new Set(),
  faults: [],
  skipped: [],
  noted: [],
});

/**
 * Adds one item. At the top and below an option a question is expected; below a question, an option. An option (with a
 * box, or hours and the like) where a question is expected joins an implied group, which holds all such options.
 */
export function takeItem(outline: Outline, place: Place, written: string, line: number, form: NumberForm): void {
  const { levels, lines } = outline;
  if (lines.size >= MOST) {
    noteFault(outline, line, `must not come after ${MOST} other items: no tree can have more`);
    lines.set({}, line);
    return;
  }
  const parent = parentOf(outline, place, line);
  if (levels.length >= limits.bodyDepth) {
    noteFault(outline, line, `must not be nested deeper than ${limits.bodyDepth} items`);
    return;
  }
  if (parent) parent.indentBelow ??= place.indent;
  const item = readItem(written, form);
  if (item.title === "") {
    noteFault(outline, line, "has no title");
    return;
  }
  const isOption = parent?.isNode || item.box !== null || item.words !== null;
  if (item.fault) noteFault(outline, line, item.fault);
  if (item.note) note(outline.noted, line, item.note);
  if (parent?.isNode && item.choice) noteFault(outline, line, "a question belongs at the top or below an option");
  const thing = isOption ? optionOf(item) : nodeOf(outline, item);
  lines.set(thing, line);
  if (isOption) putOption(outline, parent, thing as OptionInput, item, line);
  else nodesBelow(outline, parent).push(thing as NodeInput);
  levels.push({ ...place, thing, isNode: !isOption, indentBelow: null });
}

/**
 * Leaves the levels that an item does not belong to, and returns the last that is left. Where its indentation is that of no
 * line above it, it belongs to the item whose text begins at it or before it, as in Markdown.
 */
function parentOf({ levels, noted }: Outline, { key, indent }: Place, line: number): Level | null {
  while (levels.length > 0 && (levels.at(-1) as Level).key >= key) levels.pop();
  const above = levels.at(-1) ?? null;
  if (above === null || above.indent < 0 || (above.indentBelow ?? indent) === indent) return above;
  if (key < above.inner) levels.pop();
  const parent = levels.at(-1) ?? null;
  note(
    noted,
    line,
    `is indented as no line above it: read ${parent ? `below “${shortened(parent.thing.title)}”` : "at the top"}`,
  );
  return parent;
}

/** A title in a message. */
export const shortened = (title: string): string => (title.length > 60 ? `${title.slice(0, 59)}…` : title);

/** Gives every node without a stated kind the kind that its options show. */
export function settleKinds({ open }: Outline): void {
  for (const [node, hasBoxes] of open) node.kind = hasBoxes ? "multi" : "group";
}

interface Item {
  title: string;
  /** Null without a box. */
  box: boolean | null;
  words: OptionWords | null;
  choice: Choice | null;
  /** Text that looks like a box or like hours, but is neither. */
  fault: string | null;
  /** What should be looked at, although it was read. */
  note: string | null;
}

const UNREAD_BOX = "must begin with [ ] or [x] for a box; if that belongs to the title, write \\[ instead of [";

const NO_HOURS = "a question has no hours of its own: write them behind its options";

function readItem(written: string, { decimal }: NumberForm): Item {
  const boxed = /^\[([ xX])\](?: +|$)/.exec(written);
  const rest = trimmed(boxed ? written.slice(boxed[0].length) : written);
  const { title, words, unread, note } = readLine(rest, numbersOf(decimal));
  const split = boxed ? null : splitChoice(words ? title : rest);
  return {
    title: readText(trimmed(split ? split.title : title)),
    box: boxed ? boxed[1] !== " " : null,
    words: split ? null : words,
    choice: split?.choice ?? null,
    fault:
      (split && words && NO_HOURS) ||
      (unread && !split && unreadText(unread)) ||
      (!boxed && /^\[.?\](?: |$)/u.test(rest) && UNREAD_BOX) ||
      null,
    note,
  };
}

function optionOf({ title, box, words }: Item): OptionInput {
  return { title, description: "", ...words, selected: box ?? false, nodes: [] };
}

function nodeOf({ open }: Outline, { title, choice }: Item): NodeInput {
  const { kind, ...fields } = choice ?? { kind: null, required: false, min: null, max: null };
  const node: NodeInput = { title, description: "", kind: kind ?? "group", ...fields, options: [] };
  if (kind === null) open.set(node, false);
  return node;
}

function putOption(outline: Outline, parent: Level | null, option: OptionInput, { box }: Item, line: number): void {
  const node = parent?.isNode ? (parent.thing as NodeInput) : impliedGroup(outline, parent, line);
  (node.options as OptionInput[]).push(option);
  if (box !== null && outline.open.has(node)) outline.open.set(node, true);
}

function impliedGroup(outline: Outline, parent: Level | null, line: number): NodeInput {
  const nodes = nodesBelow(outline, parent);
  const last = nodes.at(-1);
  if (last && outline.implied.has(last)) return last;
  const title = (parent ? parent.thing.title : outline.top.title) || "Scope";
  const node: NodeInput = { title, description: "", kind: "group", required: false, min: null, max: null, options: [] };
  outline.implied.add(node);
  outline.open.set(node, false);
  outline.lines.set(node, line);
  nodes.push(node);
  return node;
}

function nodesBelow({ top }: Outline, parent: Level | null): NodeInput[] {
  return parent ? ((parent.thing as OptionInput).nodes as NodeInput[]) : top.nodes;
}
