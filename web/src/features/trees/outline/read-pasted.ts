import type { LineFault, Taken } from "../../../../../domain/transfer/content.ts";
import { importSheet, readTable, type SheetReading } from "../../../../../domain/transfer/sheet-import/import-sheet.ts";
import { plantTree } from "../../../../../domain/tree/import-tree.ts";
import type { Option, Tree } from "../../../../../domain/tree/shape.ts";
import { checkImport } from "../../estimations/check-import.ts";
import { estimationTexts } from "../../estimations/texts.ts";
import { readPart } from "../insert/read-part.ts";
import { treeTexts } from "../texts.ts";
import { type Decimal, linesOf, type PastedRow, type PastedRows, readCells } from "./pasted-rows.ts";

/** What was understood of a text that is pasted into a tree. */
export type Pasted =
  /** Lines of one level, which become options of a question. */
  | ({ readonly kind: "lines"; readonly taken: Taken | null } & PastedRows)
  /** Lines of several levels. */
  | { readonly kind: "part"; readonly nodes: Tree["nodes"]; readonly taken: Taken }
  | { readonly kind: "faults"; readonly faults: readonly LineFault[] };

/** The question of options that stand alone. */
const UNTITLED = estimationTexts.create.untitled;

/**
 * Reads what was copied from a spreadsheet, with a row of heads or without, or an outline as any program writes it. Lines
 * of one level become options where `hasQuestion` says that there is a question for them.
 */
export function readPasted(text: string, decimal: Decimal | null, hasQuestion: boolean): Pasted {
  const hasCells = /\S[^\S\r\n]*\t[^\S\r\n]*\S/.test(text);
  const sheet = hasCells ? sheetOf(linesOf(text)) : null;
  const table = sheet && importedOf(sheet);
  // There, a number with two readings is asked about.
  const isPlain = sheet === null || (!table?.ok && isFlat(sheet));
  if (hasCells && isPlain && hasQuestion)
    return { kind: "lines", taken: null, ...readCells(inOrder(linesOf(text), sheet), decimal) };
  const read = table ?? readPart(text);
  if (!read.ok) return { kind: "faults", faults: read.faults };
  const options = hasQuestion ? flatOf(read.nodes) : null;
  return options === null
    ? { kind: "part", nodes: read.nodes.map(named), taken: read.taken }
    : { kind: "lines", question: null, rows: options.map(rowOf), taken: read.taken };
}

/** The question of options that stand alone gets the title of a new one. */
const named = (node: Tree["nodes"][number]): Tree["nodes"][number] =>
  node.title === UNTITLED ? { ...node, title: treeTexts.editor.newNode } : node;

/** Reads cells below a row with the names of their columns; null where there is none. */
function sheetOf(lines: readonly (readonly string[])[]): SheetReading | null {
  const rows = lines.map((cells, at) => ({
    row: at + 1,
    cells: cells.map((value) => (value.trim() === "" ? null : { value })),
    grouped: 0,
  }));
  const reading = readTable({ name: null, rows: rows.filter(({ cells }) => cells.some((cell) => cell !== null)) });
  return reading && reading.sheet.head.columns.filter(({ field }) => field !== null).length > 1 ? reading : null;
}

function importedOf(sheet: SheetReading): ReturnType<typeof readPart> {
  const result = importSheet(sheet, UNTITLED, checkImport);
  if (!result.ok) return { ok: false, faults: result.faults };
  let made = 0;
  return {
    ok: true,
    taken: result.taken,
    nodes: plantTree(result.incoming.checked, (kind) => `${kind} ${made++}`).nodes,
  };
}

/** Whether a table says nothing that cells in their usual order cannot say. */
const isFlat = ({ sheet }: SheetReading): boolean =>
  sheet.levels === "none" && sheet.head.columns.every(({ unit }) => unit === 1);

const ORDER = [["title"], ["optimistic", "hours"], ["likely"], ["pessimistic"], ["quantity"], ["role"]] as const;

/** Returns the cells below the head in their usual order; without a head, they are in it. */
function inOrder(lines: readonly (readonly string[])[], read: SheetReading | null): readonly (readonly string[])[] {
  if (read === null) return lines;
  const { row, columns } = read.sheet.head;
  const places = ORDER.map((fields) => columns.find(({ field }) => fields.some((each) => each === field))?.at);
  return lines.slice(row).map((cells) => places.map((at) => (at === undefined ? "" : (cells[at] ?? ""))));
}

type Titled = Pick<Option, "title"> & Partial<Option>;

/** Returns the options of lines without levels: titles alone are read as questions, and those with hours stand in a group. */
function flatOf(nodes: Tree["nodes"]): Titled[] | null {
  const options: Titled[] = [];
  for (const node of nodes) {
    if (node.kind !== "group" || node.options.some(({ nodes: below }) => below.length > 0)) return null;
    const isOwn = node.options.length > 0 && node.title !== UNTITLED;
    if (isOwn) return null;
    options.push(...(node.options.length > 0 ? node.options : [{ title: node.title, description: node.description }]));
  }
  return options;
}

const rowOf = (option: Titled): PastedRow => ({
  title: option.title,
  points: option.hours ?? null,
  quantity: option.quantity ?? 1,
  role: option.role ?? null,
  description: option.description ?? "",
  unit: option.unit ?? null,
  override: option.override ?? null,
  selected: option.selected ?? false,
  fault: null,
});
