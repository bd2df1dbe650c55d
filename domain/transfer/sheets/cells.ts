/** How a cell looks. */
export interface Look {
  readonly bold?: boolean;
  /** The head of a table. */
  readonly head?: boolean;
  /** The title of a sheet. */
  readonly title?: boolean;
  /** Levels by which a text is moved to the right. */
  readonly indent?: number;
  /** A number format of spreadsheets. */
  readonly format?: string;
}

/**
 * A cell: a text, which is never a formula; a number; or, with `formula`, what the formula results in. A formula has no `=` in
 * front and no text of a user, only addresses. Null is empty.
 */
export type Cell = (Look & { readonly value: string | number; readonly formula?: string }) | null;

/** A sheet of a workbook. */
export interface Sheet {
  readonly name: string;
  readonly rows: readonly (readonly Cell[])[];
  /** Widths of the columns, in characters. */
  readonly widths: readonly number[];
  /** Rows and columns that stay in view. */
  readonly frozen: { readonly rows: number; readonly columns: number };
}

export const HOURS: Look = { format: "#,##0.00" };

/** What no spreadsheet stores in a text: control characters but for tabs and ends of lines, and what is no character. */
const UNSTORABLE = /(?![\t\n\r])[\p{Cc}\p{Noncharacter_Code_Point}\uFFFD]/gu;

/** What a spreadsheet reads as the code of a character; its underscore is written as one. */
const CODE = /_(?=x[0-9a-f]{4}_)/gi;

/** Where a spreadsheet would see the beginning of a formula when somebody edits the text. */
const FORMULA = /^[=+\-@]/;

/** Returns a cell with a text; null for none. Text that begins like a formula has the format for texts, so that it stays one. */
export function text(value: string, look: Look = {}): Cell {
  const stored = value.replace(UNSTORABLE, "").replace(CODE, "_x005F_");
  if (stored === "") return null;
  return { value: stored, ...(FORMULA.test(stored) ? { format: "@" } : {}), ...look };
}

export const number = (value: number, look: Look = {}): Cell => ({ value, ...look });

/** Returns a cell with a formula and what it results in now, which is shown where nothing is computed. */
export const formula = (source: string, value: string | number, look: Look = {}): Cell => ({
  value,
  formula: source,
  ...look,
});
