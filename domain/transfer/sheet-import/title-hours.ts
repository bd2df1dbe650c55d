import type { RowNote } from "../../../contract/values/sheet-fields.ts";
import { type Numbers, numberWith, readLine, unreadText } from "../read-line.ts";
import { readHoursText } from "./numbers.ts";
import type { RowCells } from "./row-cells.ts";

interface Titled {
  readonly title: string;
  readonly cells: RowCells;
}

const numbers: Numbers = {
  hours: (text) => readHoursText(text, 1),
  number: (text) => numberWith(".", text),
};

const noted = (cells: RowCells, note: RowNote): RowCells => ({ ...cells, note: cells.note ?? note });

/**
 * Reads what stands behind a title, as `Search: 2d` or `Cart (4h)` in a table without columns of hours; where there are
 * some, what looks like hours is named.
 */
export function withTitleHours(title: string, cells: RowCells, hasColumns: boolean): Titled {
  if (cells.hours !== null || cells.fault !== null) return { title, cells };
  const { title: alone, words, unread, note } = readLine(title, numbers);
  if (hasColumns) {
    const hasHours = words?.hours !== undefined || unread !== null || note !== null;
    return { title, cells: hasHours ? noted(cells, "hours_in_title") : cells };
  }
  if (unread) return { title, cells: { ...cells, fault: `the title ${unreadText(unread)}` } };
  // A table has no hours that replace others.
  if (words?.override) return { title, cells: noted(cells, "hours_in_title") };
  if (!words) return { title, cells: note === null ? cells : noted(cells, "hours_in_title") };
  const { hours = cells.hours, quantity = cells.quantity, unit = cells.unit, role = cells.role } = words;
  return { title: alone.replaceAll("\\:", ":"), cells: { ...cells, hours, quantity, unit, role } };
}
