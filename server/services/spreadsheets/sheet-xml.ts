import { limits } from "../../../contract/limits.ts";
import type { SheetCell, SheetRow } from "../../../domain/transfer/sheet-import/table.ts";
import { boundedText, Unreadable } from "./unzip.ts";
import { type CellStyle, decoded } from "./workbook-parts.ts";
import { readXml } from "./xml.ts";

interface Parts {
  readonly strings: readonly string[];
  readonly styles: readonly CellStyle[];
}

/** A cell while it is read. */
interface RawCell {
  readonly column: number;
  readonly type: string;
  readonly style: CellStyle | undefined;
  value: string;
  text: string;
  formula: string | null;
}

/** Ranges of merged cells that are looked at. */
const MERGED = 20_000;
/** Characters of all cells: many cells may refer to one long text, of which each gets a copy. */
const CHARACTERS = 20_000_000;
/** Numbers of rows; without one, or with something else, it is the next row. */
const ROW_NUMBER = /^[1-9]\d{0,6}$/;

/** Reads the rows of a sheet that have a value in one of the columns that are read. */
export function readSheetXml(xml: string, { strings, styles }: Parts): SheetRow[] {
  const rows: { row: number; cells: (SheetCell | null)[]; grouped: number }[] = [];
  const merged: string[] = [];
  let row = 0;
  let grouped = 0;
  let cells: (SheetCell | null)[] = [];
  let column = -1;
  let cell: RawCell | null = null;
  /** What text is for. */
  let part = "";
  let spoken = 0;
  let characters = 0;
  readXml(xml, {
    open(name, attributes) {
      if (name === "row") {
        const { r, outlineLevel } = attributes();
        row = ROW_NUMBER.test(r ?? "") ? Number(r) : row + 1;
        grouped = Number(outlineLevel) || 0;
        cells = [];
        column = -1;
      } else if (name === "c") {
        const { r = "", t = "n", s } = attributes();
        column = columnOf(r) ?? column + 1;
        cell = { column, type: t, style: styles[Number(s ?? -1)], value: "", text: "", formula: null };
      } else if (name === "f" && cell) cell.formula = "";
      else if (name === "rPh") spoken += 1;
      else if (name === "mergeCell" && merged.length < MERGED) merged.push(attributes().ref ?? "");
      if (name === "v" || name === "f" || name === "t") part = name;
    },
    text(value) {
      if (!cell) return;
      if (part === "v") cell.value = boundedText(cell.value + value);
      else if (part === "f" && cell.formula !== null) cell.formula = boundedText(cell.formula + value);
      else if (part === "t" && spoken === 0) cell.text = boundedText(cell.text + value);
    },
    close(name) {
      if (name === "v" || name === "f" || name === "t") part = "";
      else if (name === "rPh") spoken -= 1;
      else if (name === "c" && cell) {
        const read = cell.column < limits.sheetColumns ? cellOf(cell, strings) : null;
        if (read) cells[cell.column] = read;
        characters += typeof read?.value === "string" ? read.value.length : 0;
        if (characters > CHARACTERS)
          throw new Unreadable(
            `must not have more than ${CHARACTERS} characters in its cells`,
            "too_large",
            CHARACTERS,
          );
        cell = null;
      } else if (name === "row" && cells.length > 0) {
        if (rows.length >= limits.sheetRows)
          throw new Unreadable(`must not have more than ${limits.sheetRows} rows`, "too_many", limits.sheetRows);
        rows.push({ row, cells, grouped });
      }
    },
  });
  markMerged(rows, merged);
  return rows;
}

const ADD = /^\s*\+?(?:SUM|SUBTOTAL|AGGREGATE)\(/i;

function cellOf({ type, style, value, text, formula }: RawCell, strings: readonly string[]): SheetCell | null {
  const more = {
    ...(style?.indent ? { indent: style.indent } : {}),
    ...(formula !== null && ADD.test(formula) ? { isSum: true as const } : {}),
  };
  const content = type === "s" ? (strings[Number(value)] ?? "") : type === "inlineStr" ? decoded(text) : decoded(value);
  if (type === "e") return { ...more, value: content, unread: "error" };
  if (type === "b") return { ...more, value: value === "1" ? "true" : "false" };
  if (type === "d") return { ...more, value: content, shows: "date" };
  if (type === "n") {
    const number = Number(value);
    if (value.trim() === "" || !Number.isFinite(number))
      return formula === null ? null : { ...more, value: "", unread: "formula" };
    return { ...more, value: number, ...(style?.shows ? { shows: style.shows } : {}) };
  }
  return content.trim() === "" ? null : { ...more, value: content };
}

/** The column of an address such as `AB12`, counted from 0. */
function columnOf(address: string): number | null {
  const letters = /^[A-Z]{1,3}(?=\d)/.exec(address)?.[0];
  if (letters === undefined) return null;
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

/** Notes how many rows a merged cell covers; only its first cell has a value. */
function markMerged(
  rows: readonly { readonly row: number; readonly cells: (SheetCell | null)[] }[],
  merged: readonly string[],
) {
  const byRow = new Map(rows.map(({ row, cells }) => [row, cells]));
  for (const range of merged) {
    const [, begin = "", first = "", last = ""] = /^([A-Z]+)(\d+):[A-Z]+(\d+)$/.exec(range) ?? [];
    const covered = Number(last) - Number(first) + 1;
    const cell = byRow.get(Number(first))?.[columnOf(`${begin}1`) ?? -1];
    if (cell && covered > 1) cell.rows = covered;
  }
}
