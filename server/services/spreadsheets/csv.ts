import Papa from "papaparse";
import { limits } from "../../../contract/limits.ts";
import { findHead } from "../../../domain/transfer/sheet-import/columns.ts";
import type { SheetCell, SheetRow, Table } from "../../../domain/transfer/sheet-import/table.ts";
import { boundedText, Unreadable } from "./unzip.ts";

const SEPARATORS = [";", ",", "\t", "|"] as const;
/** Rows by which the separator is found, and characters: for one that does not occur, all are searched again and again. */
const TRIED = 60;
const TRIED_LENGTH = 200_000;

/** Reads a file with separated values; the separator is the one with which most columns have known names. */
export function readCsv(content: string): Table {
  const text = content.replace(/^\uFEFF/, "");
  // Programs for spreadsheets write it into a line of its own, which they do not show.
  const [said = "", separator] = /^sep=(.)(?:\r\n|\r|\n)/.exec(text) ?? [];
  const body = text.slice(said.length);
  const rows = rowsOf(body, separator ?? separatorOf(body), limits.sheetRows + 1);
  if (rows.length > limits.sheetRows)
    throw new Unreadable(`must not have more than ${limits.sheetRows} rows`, "too_many", limits.sheetRows);
  return { name: null, rows: filled(rows) };
}

function separatorOf(whole: string): string {
  const text = whole.slice(0, TRIED_LENGTH);
  let best: { readonly separator: string; readonly known: number } = { separator: ",", known: 0 };
  for (const separator of SEPARATORS) {
    const head = findHead(filled(rowsOf(text, separator, TRIED)));
    const known = head?.columns.filter(({ field }) => field !== null).length ?? 0;
    if (known > best.known) best = { separator, known };
  }
  return best.separator;
}

function rowsOf(text: string, delimiter: string, most: number): string[][] {
  const { data } = Papa.parse<string[]>(text, { delimiter, preview: most });
  // What stands after the end of the last line.
  return data.at(-1)?.join("") === "" ? data.slice(0, -1) : data;
}

/** An apostrophe keeps programs for spreadsheets from reading a formula. */
const KEPT = /^'(?=[=+\-@＝＋－＠])/;

const filled = (rows: readonly (readonly string[])[]): SheetRow[] =>
  rows.flatMap((texts, index) => {
    const cells = texts
      .slice(0, limits.sheetColumns)
      .map((text): SheetCell | null => (boundedText(text).trim() === "" ? null : { value: text.replace(KEPT, "") }));
    return cells.some((cell) => cell !== null) ? [{ row: index + 1, cells, grouped: 0 }] : [];
  });
