/** What is read of a spreadsheet, whatever kind of file it is in. */

/** A cell: its text or number, as stored. */
export interface SheetCell {
  value: string | number;
  /** How a number shows. Days and durations are stored as numbers. */
  shows?: "date" | "time";
  /** Levels by which the cell's format moves its text to the right. */
  indent?: number;
  /** The value comes from a formula that adds up. */
  isSum?: true;
  /** Why there is no value. */
  unread?: "formula" | "error";
  /** Rows that it covers, if it is merged with cells below. */
  rows?: number;
}

export interface SheetRow {
  /** As the program for spreadsheets counts it, from 1. */
  readonly row: number;
  /** By columns; some are absent. */
  readonly cells: readonly (SheetCell | null | undefined)[];
  /** Levels of grouping that the row is in. */
  readonly grouped: number;
}

/** A sheet, without empty rows. */
export interface Table {
  /** Null for a file without sheets. */
  readonly name: string | null;
  readonly rows: readonly SheetRow[];
}

/** The text of a cell on one line; empty for none. */
export const textOf = (cell: SheetCell | null | undefined): string =>
  String(cell?.value ?? "")
    .replace(/\s+/g, " ")
    .trim();

/** Returns the letters of a column, counted from 0. */
export function lettersOf(column: number): string {
  const last = String.fromCharCode(65 + (column % 26));
  return column < 26 ? last : lettersOf(Math.floor(column / 26) - 1) + last;
}
