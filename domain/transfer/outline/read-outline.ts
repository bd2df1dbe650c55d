import { limits } from "../../../contract/limits.ts";
import { checkImport } from "../../tree/import-tree.ts";
import type { Import, Incoming, LineFault, PathFault } from "../content.ts";
import { withColon } from "../hours/looks-like-hours.ts";
import type { CheckShape } from "../import-json.ts";
import {
  isOver,
  MOST,
  type NumberForm,
  newOutline,
  note,
  noteFault,
  type Outline,
  settleKinds,
  shortened,
  takeItem,
} from "../outline-items.ts";
import { describe, type Head, isSetting, newHead, takeSetting, takeTitle } from "./head.ts";
import type { ItemLine, OutlineLine } from "./line.ts";
import { markdownLines } from "./markdown-lines.ts";
import { type Numbering, newNumbering } from "./numbering.ts";
import { isOrg, orgLines } from "./org-lines.ts";
import { noteRepeatedHours } from "./repeated-hours.ts";
import { isHeadingKey, placeOfHeading, placeOfItem, placeOfNumber, type Survey, survey } from "./survey.ts";
import { tidied } from "./tidy.ts";

/** How an outline is read. */
export interface OutlineOptions extends NumberForm {
  /** What it is called if it has no title. */
  readonly untitled: string;
  /** Refuses an outline without `# Title`, as where a lost title would rename something. */
  readonly needsTitle?: boolean;
  /** It is added to an estimation: no line without a sign is taken for its title. */
  readonly isPart?: boolean;
}

/** What is read so far. */
interface Reading {
  readonly outline: Outline;
  readonly head: Head;
  readonly seen: Survey;
  readonly numbering: Numbering;
  readonly options: OutlineOptions;
  /** How many lines were taken. */
  taken: number;
  /** The last number of a list, by indentation. */
  readonly counted: Map<number, number>;
}

/** Reads the lines of an outline in Markdown, plain text or Org. */
export function readOutline(text: string, checkShape: CheckShape, options: OutlineOptions): Import {
  const linesOf = isOrg(text) ? () => orgLines(text) : () => markdownLines(text);
  const outline = newOutline();
  const head = newHead();
  outline.top.title = options.untitled;
  const reading: Reading = {
    ...{ outline, head, options, seen: survey(linesOf, MOST), numbering: newNumbering() },
    ...{ taken: 0, counted: new Map() },
  };
  for (const line of linesOf()) {
    takeLine(reading, line);
    if (isOver(outline)) break;
  }
  settleKinds(outline);
  const { faults, top } = outline;
  if (faults.length === 0 && !head.fields.title) noteMissingTitle(reading);
  if (faults.length > 0) return { ok: false, faults };
  const incoming: Incoming = {
    estimation: { ...head.fields, title: head.fields.title ?? options.untitled },
    nodes: top.nodes,
  };
  const file = { estimation: incoming.estimation, tree: { nodes: top.nodes } };
  const wrong = checkShape(file);
  if (wrong.length > 0) return { ok: false, faults: wrong.map((fault) => atLine(fault, file, outline, head)) };
  const check = checkImport(top.nodes);
  if (!check.ok) {
    const tree = check.faults.map(({ path, ...fault }) => ({ path: `/tree${path}`, ...fault }));
    return { ok: false, faults: tree.map((fault) => atLine(fault, file, outline, head)) };
  }
  noteRepeatedHours(outline);
  const noted = outline.noted.toSorted((a, b) => a.line - b.line).slice(0, limits.reportedFaults);
  const taken = { lines: reading.taken, skipped: outline.skipped, noted };
  return { ok: true, incoming: { ...incoming, checked: check.checked }, taken };
}

function noteMissingTitle({ outline, head, options }: Reading): void {
  if (options.needsTitle || head.fields.title !== undefined)
    noteFault(outline, 1, "the first line must be # and a title");
  else if (outline.lines.size === 0) noteFault(outline, 1, "has neither a title nor an item");
}

function takeLine(reading: Reading, line: OutlineLine): void {
  const { outline, seen, options } = reading;
  const isTitle = line.line === seen.titleLine && !(options.isPart && line.kind === "item");
  if (line.kind === "refused") noteFault(outline, line.line, line.message);
  else if (line.kind === "skipped") note(outline.skipped, line.line, line.message);
  else {
    reading.taken += 1;
    takeText(reading, line, isTitle);
  }
}

function takeText(reading: Reading, line: TextLine, isTitle: boolean): void {
  const { outline, head, options } = reading;
  if (line.kind === "quote") describe(outline, head, line.text);
  else if (line.kind === "title") takeTitle(outline, head, line.text, line.line);
  else if (line.kind === "heading") takeHeading(reading, line, isTitle);
  else if (isTitle && !options.needsTitle) takeTitle(outline, head, tidied(line.text), line.line);
  else takeItemLine(reading, line);
}

type TextLine = Exclude<OutlineLine, { readonly kind: "skipped" } | { readonly kind: "refused" }>;
type HeadingLine = Extract<OutlineLine, { readonly kind: "heading" }>;

function takeHeading(reading: Reading, { level, text, line }: HeadingLine, isTitle: boolean): void {
  const { outline, head, numbering, counted, options } = reading;
  numbering.restart();
  counted.clear();
  const isFirst = options.needsTitle && level === 1 && head.fields.title === undefined;
  if (isTitle || isFirst) takeTitle(outline, head, titleText(text), line);
  else if (options.needsTitle && level === 1) noteFault(outline, line, "there is a title already");
  else if (level === 2 && /^assumptions$/i.test(text.trim())) takeAssumptions(reading, line);
  else takeItem(outline, placeOfHeading(level), tidied(text.trim()), line, options);
}

/** A title has no hours, so what is emphasised is all that may be tidied. */
const titleText = (text: string): string => (/^\s*[*_]/.test(text) ? tidied(text.trim()) : text);

function takeAssumptions({ outline, head }: Reading, line: number): void {
  if (outline.lines.size > 0)
    noteFault(outline, line, "must begin with - here: assumptions stand before the first item");
  else if (head.isAssuming) noteFault(outline, line, "is there already");
  head.isAssuming = true;
  head.lines.set("assumptions", line);
}

function takeItemLine(reading: Reading, item: ItemLine): void {
  const { outline, seen, numbering, options } = reading;
  const depth = seen.isNumbered ? numbering.depthOf(item) : null;
  if (depth !== null) takeItem(outline, placeOfNumber(depth), tidied(item.text), item.line, options);
  else if (item.sign === "plain") takePlain(reading, item);
  else {
    if (item.sign === "number") noteNumber(reading, item);
    takeItem(outline, besideSigns(outline, item), tidied(item.text), item.line, options);
  }
}

/** A name with a number alone, which may be hours that were meant. */
const SAYS_NUMBER = /:\s*[\d.,]+\s*$/;

/** A line without a sign is a setting, an item, or the description of the heading above it; or it belongs to nothing. */
function takePlain(reading: Reading, item: ItemLine): void {
  const { outline, head, seen, options } = reading;
  const { line, whole } = item;
  const isBefore = outline.lines.size === 0;
  const last = outline.levels.at(-1);
  if (isBefore && seen.isMarked && isSetting(whole)) takeSetting(outline, head, whole, line);
  else if (seen.isPlain && !options.needsTitle) takeItem(outline, placeOfItem(item), tidied(whole), line, options);
  else if (last && isHeadingKey(last.key) && !options.needsTitle) {
    describe(outline, head, whole);
    note(outline.noted, line, `is read as the description of “${shortened(last.thing.title)}”`);
  } else if (isBefore && options.isPart && !SAYS_NUMBER.test(whole) && withColon(whole) === null) {
    reading.taken -= 1;
    note(outline.skipped, line, "is left out: it stands before the list");
  } else if (isBefore) takeSetting(outline, head, whole, line);
  else noteFault(outline, line, "must begin with - for an item or > for a description");
}

/** A number behind the sign of a list on the same indentation does not stand above it, as in Markdown. */
function besideSigns({ levels }: Outline, item: ItemLine) {
  const beside = levels.filter(({ indent }) => indent === item.indent);
  const own = placeOfItem(item);
  const isMixed = beside.length > 0 && beside.every(({ key }) => key > own.key);
  return isMixed && item.sign !== "bullet" ? { ...own, key: beside[0]?.key ?? own.key } : own;
}

/** The number of a list goes; one that does not go on may have been a part of the title. */
function noteNumber({ outline, counted }: Reading, { indent, numbers, line }: ItemLine): void {
  const number = numbers?.at(-1) ?? 1;
  const before = counted.get(indent);
  counted.set(indent, number);
  if (number > 1 && number !== before && number !== (before ?? 0) + 1)
    note(outline.noted, line, `${numbers?.join(".")} is read as the number of a list, and left out`);
}

/** Returns a fault with the line of the deepest object on its path. */
function atLine({ path, message, code }: PathFault, file: object, outline: Outline, head: Head): LineFault {
  const names = path.split("/").slice(1);
  const field = names[0] === "estimation" ? (names[1] ?? "title") : "title";
  let line = head.lines.get(field) ?? head.lines.get("title") ?? 1;
  let value: unknown = file;
  let rest = names;
  for (const [index, name] of names.entries()) {
    value = (value as Record<string, unknown> | undefined)?.[name];
    const own = typeof value === "object" && value !== null ? outline.lines.get(value) : undefined;
    if (own === undefined) continue;
    line = own;
    rest = names.slice(index + 1);
  }
  return { line, message: [rest.at(-1), message].filter(Boolean).join(" "), ...(code ? { code } : {}) };
}
