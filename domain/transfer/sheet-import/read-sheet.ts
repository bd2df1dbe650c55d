import { limits } from "../../../contract/limits.ts";
import type { LevelSource, RowMeaning, RowNote, SheetField } from "../../../contract/values/sheet-fields.ts";
import type { ThreePoint } from "../../tree/shape.ts";
import { findHead, type Head } from "./columns.ts";
import { findLevels } from "./levels.ts";
import { isNone } from "./numbers.ts";
import { type RowCells, readCells } from "./row-cells.ts";
import { type SheetRow, type Table, textOf } from "./table.ts";
import { withTitleHours } from "./title-hours.ts";

/** A row of the table, as it was understood. */
export interface ReadRow {
  readonly row: number;
  as: RowMeaning;
  /** Counted from 1; 0 for a row that is left out. */
  readonly level: number;
  readonly title: string;
  hours: ThreePoint | null;
  readonly quantity: number;
  readonly unit: string | null;
  readonly role: string | null;
  readonly description: string;
  /** Null where no column says. */
  readonly selected: boolean | null;
  /** What the column of kinds says. */
  readonly kind: string;
  note: RowNote | null;
  fault: string | null;
  /** Its hours are the result of a formula that adds up. */
  readonly isSum: boolean;
}

/** What was understood of a sheet. */
export interface ReadSheet {
  readonly name: string | null;
  /** What stands above the table. */
  readonly title: string | null;
  readonly head: Head;
  readonly levels: LevelSource;
  readonly rows: readonly ReadRow[];
}

/** Reads a table made by people, each row on its own: what does not fit together shows in the tree (`writeSheetOutline`). */
export function readSheet(table: Table): ReadSheet | null {
  const head = findHead(table.rows);
  if (head === null) return null;
  const below = table.rows.filter(({ row }) => row > head.row);
  const { source, entries, faults } = findLevels(below, head.columns);
  const hasHours = head.columns.some(({ field }) => field !== null && HOURS.has(field));
  const rows = entries.map(({ row, title: written, level, isHeading }): ReadRow => {
    const own = isHeading ? noCells : readCells(row, head.columns);
    if (written === "") return untitled(row, own);
    // What the service exports says hours in columns alone.
    const { title, cells } =
      source === "path" ? { title: written, cells: own } : withTitleHours(written, own, hasHours || isHeading);
    const tooDeep = level > limits.bodyDepth ? `is more than ${limits.bodyDepth} levels deep` : null;
    const fault = tooDeep ?? (isHeading ? null : faults.get(row.row)) ?? cells.fault;
    return { ...cells, row: row.row, as: fault ? "fault" : "option", level, title, fault };
  });
  leaveOutTotals(rows);
  // What the service exports says what is its own.
  if (source !== "path") takeSumsBack(rows);
  return { name: table.name, title: titleAbove(table.rows, head), head, levels: source, rows };
}

const HOURS: ReadonlySet<SheetField> = new Set(["optimistic", "likely", "pessimistic", "hours"]);

const noCells: RowCells = {
  hours: null,
  quantity: 1,
  unit: null,
  role: null,
  description: "",
  selected: null,
  kind: "",
  isSum: false,
  note: null,
  fault: null,
};

/** A row without a title is left out; if it has hours, it has to be a sum. */
function untitled(row: SheetRow, cells: RowCells): ReadRow {
  const isLost = (cells.hours !== null || cells.fault !== null) && !cells.isSum && !saysTotal(row);
  return {
    ...cells,
    row: row.row,
    level: 0,
    title: Array.from(row.cells, textOf).find((text) => text !== "") ?? "",
    as: isLost ? "fault" : "left_out",
    note: isLost ? null : cells.hours === null ? "no_title" : "total",
    fault: isLost ? "has hours, but no title" : null,
    hours: isLost ? cells.hours : null,
  };
}

const TOTAL =
  /^(?:(?:sub|grand|zwischen|gesamt)[ -]?)?(?:total|totals|sum|summe|gesamt|insgesamt|gesamtsumme|gesamtaufwand)(?: (?:hours|days|effort|stunden|tage|aufwand|in .*))?(?: ?\(.*\))? ?:?$/i;

/** Longer texts are no names of totals, and would be searched long. */
const isTotal = (text: string): boolean => text.length <= 100 && TOTAL.test(text);

const saysTotal = ({ cells }: SheetRow): boolean => cells.some((cell) => isTotal(textOf(cell)));

/** Rows such as “Total” have no rows below them, and are no work. */
function leaveOutTotals(rows: ReadRow[]): void {
  for (const [index, row] of rows.entries()) {
    const hasBelow = (rows[index + 1]?.level ?? 0) > row.level;
    if (row.level === 0 || hasBelow || !isTotal(row.title)) continue;
    rows[index] = { ...row, level: 0, as: "left_out", note: "total", hours: null, fault: null };
  }
}

/** What rounding to hundredths adds to a sum, for each row. */
const ROUNDED = 0.006;

/** A row with the hours of all rows below it has none of its own: they would count twice. */
function takeSumsBack(rows: readonly ReadRow[]): void {
  /** Hours of the rows below, and their count, by the open row above them. */
  const open: { readonly row: ReadRow; readonly sum: number[]; count: number }[] = [];
  const close = () => {
    const { row, sum, count } = open.pop() as (typeof open)[0];
    const own = row.hours === null ? null : [row.hours.optimistic, row.hours.likely, row.hours.pessimistic];
    const isEqual = own?.every((hours, at) => Math.abs(hours - (sum[at] ?? 0)) <= ROUNDED * (count + 1)) ?? false;
    if (count > 0 && own !== null && row.kind === "" && (isEqual || row.isSum)) {
      row.hours = null;
      row.note = "sum_of_rows_below";
    }
    const above = open.at(-1);
    if (!above) return;
    above.count += count + 1;
    const { optimistic = 0, likely = 0, pessimistic = 0 } = row.hours ?? {};
    for (const [at, hours] of [optimistic, likely, pessimistic].entries())
      above.sum[at] = (above.sum[at] ?? 0) + (sum[at] ?? 0) + hours * row.quantity;
  };
  for (const row of rows) {
    if (row.level === 0) continue;
    while (open.length > 0 && (open.at(-1) as (typeof open)[0]).row.level >= row.level) close();
    open.push({ row, sum: [0, 0, 0], count: 0 });
  }
  while (open.length > 0) close();
}

/** Returns the first text above the table. */
function titleAbove(rows: readonly SheetRow[], head: Head): string | null {
  for (const { row, cells } of rows) {
    if (row >= head.row) break;
    const text = cells
      .filter((cell) => typeof cell?.value === "string")
      .map(textOf)
      .find((each) => !isNone(each));
    if (text !== undefined) return [...text].slice(0, limits.titleLength).join("");
  }
  return null;
}
