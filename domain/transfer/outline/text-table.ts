import { limits } from "../../../contract/limits.ts";
import { eachLine } from "../each-line.ts";
import { findHead } from "../sheet-import/columns.ts";
import type { SheetCell, SheetRow, Table } from "../sheet-import/table.ts";
import { isSetting } from "./head.ts";
import { separatedRows } from "./separated-rows.ts";

/** Lines among which the row of names is sought, and how long it may be. */
const SOUGHT = 50;
const LONGEST_HEAD = 10_000;

const SEPARATORS = ["\t", ";", ","] as const;
/** What is a line of a list, a description or a heading, and no row of names. */
const MARKED = /^\s*(?:[-*+>•](?:\s|$)|#|```)/u;
const TITLE = /^\s*#\s+/;
/** The line below the names in a table of Markdown. */
const RULE = /^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;

/**
 * Returns the table that a text is, with lines as rows: of Markdown, or with cells separated by tabs, semicolons or commas. Its
 * names are in one of the first lines, at least two of which are known. Null for any other text.
 */
export function tableIn(text: string): Table | null {
  const first = firstLines(text);
  const below = first.find(({ text: line }, at) => at > 0 && line.includes("|") && RULE.test(line));
  if (below) return markdownTable(text, below.line - 1);
  // A list may have names of columns in its titles; a table has at most its title above the names.
  const marked = first.findIndex(({ text: line }) => (MARKED.test(line) && !TITLE.test(line)) || isSetting(line));
  const above = marked < 0 ? first : first.slice(0, marked);
  let best: { readonly separator: string; readonly known: number } = { separator: "", known: 1 };
  for (const separator of SEPARATORS) {
    const rows = above.map(({ text: line, line: row }) => rowOf(row, line.split(separator)));
    const known = knownIn(rows);
    if (known > best.known) best = { separator, known };
  }
  return best.separator === "" ? null : separatedTable(text, best.separator);
}

interface FirstLine {
  readonly line: number;
  readonly text: string;
}

function firstLines(text: string): FirstLine[] {
  const lines: FirstLine[] = [];
  let line = 0;
  for (const raw of eachLine(text)) {
    line += 1;
    if (raw.length > LONGEST_HEAD || lines.length >= SOUGHT || line > 4 * SOUGHT) break;
    if (raw.trim() !== "") lines.push({ line, text: raw });
  }
  return lines;
}

const knownIn = (rows: readonly SheetRow[]): number =>
  findHead(rows)?.columns.filter(({ field }) => field !== null).length ?? 0;

/** An apostrophe keeps programs for spreadsheets from reading a formula. */
const KEPT = /^'(?=[=+\-@＝＋－＠])/u;

const rowOf = (row: number, cells: readonly string[]): SheetRow => ({
  ...{ row, grouped: 0 },
  cells: cells
    .slice(0, limits.sheetColumns)
    .map((text): SheetCell | null => (text.trim() === "" ? null : { value: text.replace(KEPT, "") })),
});

const isFilled = ({ cells }: SheetRow): boolean => cells.some((cell) => cell !== null);

/** A text is no table if most of its lines have no second cell. */
function separatedTable(text: string, separator: string): Table | null {
  const rows: SheetRow[] = [];
  for (const { line, cells } of separatedRows(text, separator)) {
    const [only = ""] = cells;
    const row = rowOf(line, cells.length === 1 ? [only.replace(TITLE, "")] : cells);
    if (isFilled(row) && !(line === 1 && only === "sep=")) rows.push(row);
    if (rows.length > limits.sheetRows) break;
  }
  const head = findHead(rows);
  const below = rows.filter(({ row }) => head !== null && row > head.row);
  const several = below.filter(({ cells }) => cells.filter((cell) => cell !== null).length > 1);
  return several.length > 0 && 2 * several.length >= below.length ? { name: null, rows } : null;
}

/** Reads a table of Markdown whose names are in the line `headLine`. What is around it is its title, or else it does not stand alone. */
function markdownTable(text: string, headLine: number): Table | null {
  const rows: SheetRow[] = [];
  let line = 0;
  let hasEdge = false;
  for (const raw of eachLine(text)) {
    line += 1;
    if (line === headLine) hasEdge = raw.trimStart().startsWith("|");
    if (raw.trim() === "" || line === headLine + 1) continue;
    const isTitle = line < headLine && rows.length === 0 && (TITLE.test(raw) || !MARKED.test(raw));
    if (!isTitle && (line < headLine || !raw.includes("|"))) return null;
    rows.push(rowOf(line, isTitle ? [raw.replace(TITLE, "").trim()] : cellsOf(raw, hasEdge)));
    if (rows.length > limits.sheetRows) break;
  }
  return knownIn(rows) > 1 ? { name: null, rows: rows.filter(isFilled) } : null;
}

/** Cells of a row of Markdown; spaces around them only make it look well. `hasEdge`: each row begins with a sign. */
function cellsOf(raw: string, hasEdge: boolean): string[] {
  const row = hasEdge ? raw.trim().replace(/^\|/, "") : raw;
  const cells = row.split(/(?<!\\)\|/);
  if (cells.length > 1 && cells.at(-1)?.trim() === "") cells.pop();
  return cells.map((cell) =>
    cell
      .replace(/^[ \t]+/, "")
      .trimEnd()
      .replaceAll("\\|", "|")
      .replaceAll("&nbsp;", "\u00A0")
      .replace(/^\*\*(.*)\*\*$/s, "$1"),
  );
}
