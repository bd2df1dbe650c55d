import { limits } from "../../../contract/limits.ts";
import type { RowNote } from "../../../contract/values/sheet-fields.ts";
import type { Import, LineFault, Taken } from "../content.ts";
import type { CheckShape } from "../import-json.ts";
import { readOutline } from "../outline/read-outline.ts";
import { writeLine } from "../outline-text.ts";
import { type ReadSheet, readSheet } from "./read-sheet.ts";
import { type SheetOutline, writeSheetOutline } from "./sheet-outline.ts";
import type { Table } from "./table.ts";

/** A sheet with what its rows would make. Plain data: it is read in a worker thread. */
export interface SheetReading {
  readonly sheet: ReadSheet;
  readonly outline: SheetOutline;
}

/** Reads the first table that has a row with the names of columns; null if there is none. */
export function readTable(table: Table): SheetReading | null {
  const sheet = readSheet(table);
  return sheet && { sheet, outline: writeSheetOutline(sheet.rows) };
}

/** Names of sheets that say nothing. */
const UNNAMED = /^(?:sheet|worksheet|table|tabelle|tabellenblatt|blatt|estimate|estimation|schätzung)[ _-]?\d*$/i;
/** What an estimation is called if nothing says a title. */
export const UNTITLED = "Untitled";

/** Returns the title of the estimation: what stands above the table, or else the name of its sheet, if that says something. */
export function titleOf({ title, name }: ReadSheet): string | null {
  const called = (name ?? "").replace(/\s+/g, " ").trim();
  return title ?? (called === "" || UNNAMED.test(called) ? null : called);
}

/** Makes an import of it by the rules of outlines. Each fault has the row of the sheet as its line. */
export function importSheet(
  { sheet, outline }: SheetReading,
  given: string | undefined,
  checkShape: CheckShape,
): Import {
  const title = given ?? titleOf(sheet) ?? UNTITLED;
  const faults: LineFault[] = sheet.rows.flatMap(({ row, fault }) =>
    fault === null ? [] : [{ line: row, message: fault, code: "wrong_format" as const }],
  );
  if (outline.lines.length === 0 && faults.length === 0)
    faults.push({ line: sheet.head.row, message: "has no rows with a title below it", code: "too_few" });
  if (faults.length > 0) return { ok: false, faults: faults.slice(0, limits.reportedFaults) };
  const text = [`# ${writeLine(title)}`, ...outline.lines].join("\n");
  const result = readOutline(text, checkShape, { decimal: ".", untitled: UNTITLED, needsTitle: true });
  if (result.ok) return { ...result, taken: takenOf(sheet) };
  return {
    ok: false,
    faults: result.faults.map((fault) => ({ ...fault, line: outline.rows[fault.line - 2] ?? sheet.head.row })),
  };
}

const NOTES: Readonly<Record<RowNote, string>> = {
  total: "is a total, and left out",
  no_title: "has no title, and is left out",
  sum_of_rows_below: "has the hours of the rows below it: they count there",
  merged_hours: "has hours in merged cells, which count here",
  hours_in_title: "has what looks like hours in its title, and has none: give them a column of their own",
};

function takenOf({ rows, head }: ReadSheet): Taken {
  const notes = (isLeftOut: boolean) =>
    rows
      .filter(({ as, note }) => note !== null && (as === "left_out") === isLeftOut)
      .map(({ row, note }) => ({ line: row, message: NOTES[note as RowNote] }))
      .slice(0, limits.reportedFaults);
  const unread = head.columns
    .filter(({ field }) => field === null)
    .map(({ name }) => ({ line: head.row, message: `the column ${name} is not read` }));
  const lines = new Set(rows.filter(({ as }) => as !== "left_out").map(({ row }) => row)).size;
  return { lines, skipped: [...unread, ...notes(true)].slice(0, limits.reportedFaults), noted: notes(false) };
}
