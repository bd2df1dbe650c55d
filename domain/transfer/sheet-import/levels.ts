import type { LevelSource, SheetField } from "../../../contract/values/sheet-fields.ts";
import { endOf } from "../export-csv.ts";
import type { Column } from "./columns.ts";
import { type SheetCell, type SheetRow, textOf } from "./table.ts";

/** A row, or a heading that a row names above it, in the order of the tree. */
export interface Entry {
  readonly row: SheetRow;
  readonly title: string;
  /** Counted from 1. */
  readonly level: number;
  /** Only names what rows are below; its row has an entry of its own. */
  readonly isHeading: boolean;
}

export interface Levels {
  readonly source: LevelSource;
  readonly entries: readonly Entry[];
  /** What is wrong with the cell that says the level, by rows. */
  readonly faults: ReadonlyMap<number, string>;
}

type CellOf = (row: SheetRow, column: Column | undefined) => SheetCell | null | undefined;
const cellOf: CellOf = ({ cells }, column) => (column ? cells[column.at] : null);

/** A number of an outline, such as `1.2.3`, `A.1` or `2)`. */
const NUMBERED = /^(?:\d{1,4}|\p{L}{1,3}|[ivx]+)(?:[.,\-–]\d{1,4}|[.\-–][a-z])*[.)]?$/iu;
/** The same before a title. */
const BEFORE_TITLE = /^(\d{1,3}(?:\.\d{1,3})*)[.)]?\s+(?=\S)/;
const BULLET = /^[•◦▪‣]\s*/;

/**
 * Finds the levels of rows: from a column for them or with numbers such as 1.2.3, from several columns with titles, from grouped
 * rows, from indentation, or from numbers before the titles; the first of these that shows more than one level. What stands
 * deeper than the row above it is below that row, however much deeper.
 */
export function findLevels(rows: readonly SheetRow[], columns: readonly Column[]): Levels {
  const of = (field: SheetField) => columns.find((column) => column.field === field);
  const titles = columns.filter(({ field }) => field === "group" || field === "title" || field === "part");
  const main = of("title") ?? titles.at(-1);
  const behind = titles.filter(({ field, at }) => field === "group" && main?.field === "title" && at > main.at);
  const before = titles.filter((column) => !behind.includes(column));
  const titled = rows.filter((row) => textOf(cellOf(row, main)) !== "");
  const faults = new Map<number, string>();
  const within = (source: LevelSource, keys: readonly number[], titleOf = plainTitle): Levels | null =>
    new Set(keys).size < 2 ? null : { source, faults, entries: entriesOf(rows, main, keys, titleOf) };
  const path = of("path");
  const byPath = path && titles.length >= 2 ? fromPaths(rows, path, titles) : null;
  return (
    byPath ??
    within("level", keysOfColumn(titled, of("level"), faults)) ??
    within("number", keysOfColumn(titled, of("number"), faults)) ??
    (titles.length >= 2 ? fromColumns(gathered(rows, behind), [...behind, ...before]) : null) ??
    within(
      "grouping",
      titled.map(({ grouped }) => grouped),
    ) ??
    within(
      "indent",
      titled.map((row) => indentOf(cellOf(row, main))),
    ) ??
    within("number", keysBefore(titled, main), unnumbered) ?? {
      source: "none",
      faults,
      entries: entriesOf(
        rows,
        main,
        titled.map(() => 0),
        plainTitle,
      ),
    }
  );
}

const plainTitle = (cell: SheetCell | null | undefined): string => textOf(cell).replace(BULLET, "");
const unnumbered: typeof plainTitle = (cell) => textOf(cell).replace(BEFORE_TITLE, "");

/** Returns levels of keys that rise with depth: each is below the nearest smaller one above it. */
function depthsOf(keys: readonly number[]): number[] {
  const open: number[] = [];
  return keys.map((key) => {
    while (open.length > 0 && (open.at(-1) as number) >= key) open.pop();
    return open.push(key);
  });
}

/** `keys` are of the rows with a title; the others stay without a level. */
function entriesOf(
  rows: readonly SheetRow[],
  main: Column | undefined,
  keys: readonly number[],
  titleOf: typeof plainTitle,
): Entry[] {
  const depths = depthsOf(keys);
  let next = 0;
  return rows.map((row) => {
    const title = titleOf(cellOf(row, main));
    return { row, title, level: textOf(cellOf(row, main)) === "" ? 0 : (depths[next++] ?? 1), isHeading: false };
  });
}

/** Reads a column of levels, or of numbers with a part for each level; all equal if there is none. */
function keysOfColumn(rows: readonly SheetRow[], column: Column | undefined, faults: Map<number, string>): number[] {
  const texts = rows.map((row) => textOf(cellOf(row, column)));
  const isParted = column?.field === "number" || texts.some((text) => /^\d+\.\d/.test(text));
  let last = 0;
  const keys = texts.map((text) => {
    const depth = isParted ? partsOf(text) : Number(/^(?:\p{L}+ ?)?(\d{1,3})$/u.exec(text)?.[1] ?? Number.NaN);
    // Rows without a number are below the last one with a number; without a level, beside it.
    if (Number.isNaN(depth)) return isParted ? last + 1 : last;
    last = depth;
    return depth;
  });
  // Numbers that only count the rows say nothing of levels.
  if (isParted && !texts.some((text) => partsOf(text) > 1)) return rows.map(() => 0);
  if (new Set(keys).size > 1)
    for (const row of rows)
      if (cellOf(row, column)?.shows === "date")
        faults.set(
          row.row,
          `${column?.letters}${row.row}: is a date: a program may have made it of something like 1.2.3; format the cell as text`,
        );
  return keys;
}

/** The parts of a number; a last part of zero, as in 1.0, is none. */
function partsOf(text: string): number {
  if (!NUMBERED.test(text)) return Number.NaN;
  const parts = text.replace(/[.)]$/, "").split(/[.,\-–]/);
  while (parts.length > 1 && /^0+$/.test(parts.at(-1) ?? "")) parts.pop();
  return parts.length;
}

function keysBefore(rows: readonly SheetRow[], main: Column | undefined): number[] {
  const numbers = rows.map((row) => BEFORE_TITLE.exec(textOf(cellOf(row, main)))?.[1]);
  const isNumbered = numbers.filter((number) => number !== undefined).length >= rows.length * 0.8;
  let last = 0;
  return numbers.map((number) => {
    if (!isNumbered) return 0;
    if (number === undefined) return last + 1;
    last = partsOf(number);
    return last;
  });
}

/** What a level of the format counts, in spaces: more than any text begins with. */
const FORMATTED = 1_000;

function indentOf(cell: SheetCell | null | undefined): number {
  const spaces = /^\s*/.exec(String(cell?.value ?? ""))?.[0].replaceAll("\t", "    ").length ?? 0;
  return (cell?.indent ?? 0) * FORMATTED + Math.min(spaces, FORMATTED - 1);
}

/**
 * A group behind the titles, as in a list of tasks with their phase, says what a row belongs to: rows of one group stand
 * together, those of none first.
 */
function gathered(rows: readonly SheetRow[], groups: readonly Column[]): readonly SheetRow[] {
  return groups.reduceRight((all, column) => {
    const byGroup = new Map<string, SheetRow[]>([["", []]]);
    for (const row of all) {
      const group = plainTitle(cellOf(row, column));
      const rowsOfGroup = byGroup.get(group);
      if (rowsOfGroup) rowsOfGroup.push(row);
      else byGroup.set(group, [row]);
    }
    return [...byGroup.values()].flat();
  }, rows);
}

/** Each column is a level. What stands in an earlier one heads the rows until it changes; an empty cell changes nothing. */
function fromColumns(rows: readonly SheetRow[], titles: readonly Column[]): Levels | null {
  const open: string[] = [];
  const entries: Entry[] = [];
  for (const row of rows) {
    const texts = titles.map((column) => plainTitle(cellOf(row, column)));
    const last = texts.findLastIndex((text) => text !== "");
    if (last < 0) {
      entries.push({ row, title: "", level: 0, isHeading: false });
      continue;
    }
    for (const [at, title] of texts.slice(0, last + 1).entries()) {
      if (title === "" || (at < last && open[at] === title)) continue;
      open.length = Math.min(open.length, at);
      open[at] = title;
      entries.push({ row, title, level: at + 1, isHeading: at < last });
    }
  }
  const levels = depthsOf(entries.filter(({ level }) => level > 0).map(({ level }) => level));
  let next = 0;
  const settled = entries.map((entry) => (entry.level === 0 ? entry : { ...entry, level: levels[next++] ?? 1 }));
  return new Set(levels).size < 2 ? null : { source: "columns", faults: new Map(), entries: settled };
}

/** The CSV that the service exports: the path of a row is the options above it, of which the last part is enough. */
function fromPaths(rows: readonly SheetRow[], path: Column, titles: readonly Column[]): Levels {
  const entries: Entry[] = [];
  const open: { readonly within: string; readonly node: string; readonly path: string }[] = [];
  const [nodeColumn, optionColumn] = titles;
  for (const row of rows) {
    const within = String(cellOf(row, path)?.value ?? "");
    const [node = "", option = ""] = [nodeColumn, optionColumn].map((column) =>
      String(cellOf(row, column)?.value ?? ""),
    );
    if (node.trim() === "" || option.trim() === "") {
      entries.push({ row, title: "", level: 0, isHeading: false });
      continue;
    }
    const above = within === "" ? 0 : open.findLastIndex((each) => each.path === within) + 1;
    const beside = open[above];
    if (beside?.within !== within || beside.node !== node)
      entries.push({ row, title: plainTitle(cellOf(row, nodeColumn)), level: above * 2 + 1, isHeading: true });
    entries.push({ row, title: plainTitle(cellOf(row, optionColumn)), level: above * 2 + 2, isHeading: false });
    open.length = above;
    open.push({ within, node, path: endOf(`${within === "" ? "" : `${within} / `}${node}: ${option}`) });
  }
  return { source: "path", faults: new Map(), entries };
}
