import type { RowNote, SheetField } from "../../../contract/values/sheet-fields.ts";
import { roundHundredth } from "../../tree/hours/round.ts";
import type { ThreePoint } from "../../tree/shape.ts";
import { hoursOfUnit } from "../hours/units.ts";
import type { Column } from "./columns.ts";
import { type Read, readHours, readMark, readQuantity } from "./numbers.ts";
import { type SheetCell, type SheetRow, textOf } from "./table.ts";

/** What the cells of one row say beside its title. */
export interface RowCells {
  readonly hours: ThreePoint | null;
  readonly quantity: number;
  readonly unit: string | null;
  readonly role: string | null;
  readonly description: string;
  readonly selected: boolean | null;
  readonly kind: string;
  readonly isSum: boolean;
  readonly note: RowNote | null;
  /** The first thing that is not understood. */
  readonly fault: string | null;
}

const POINTS = ["optimistic", "likely", "pessimistic"] as const;

/** Reads the cells of a row by their columns. */
export function readCells(row: SheetRow, columns: readonly Column[]): RowCells {
  const faults: string[] = [];
  const column = (field: SheetField) => columns.find((each) => each.field === field);
  const cell = (field: SheetField): SheetCell | null | undefined => {
    const found = column(field);
    return found ? row.cells[found.at] : null;
  };
  const read = <T>(field: SheetField, result: Read<T>): T | null => {
    if ("value" in result) return result.value;
    faults.push(`${column(field)?.letters}${row.row}: ${result.fault}`);
    return null;
  };
  const text = (field: SheetField): string => textOf(cell(field));
  // A column of units beside the hours, where nothing is counted: "5 | PT".
  const effort = column("quantity") ? undefined : hoursOfUnit(text("unit"));
  const hoursIn = (field: SheetField): ThreePoint | null =>
    read(field, readHours(cell(field), effort ?? column(field)?.unit ?? 1));
  const [optimistic, likely, pessimistic] = POINTS.map((field) => {
    const hours = hoursIn(field);
    if (hours !== null && hours.optimistic !== hours.pessimistic)
      faults.push(`${column(field)?.letters}${row.row}: must be one number of hours`);
    return hours?.likely ?? null;
  });
  const whole = hoursIn("hours");
  const hoursCells = [...POINTS, "hours" as const].map(cell);
  return {
    hours: joined(optimistic ?? null, likely ?? null, pessimistic ?? null) ?? whole,
    quantity: read("quantity", readQuantity(cell("quantity"))) ?? 1,
    unit: effort === undefined ? text("unit") || null : null,
    role: text("role") || null,
    description: String(cell("description")?.value ?? "").trim(),
    selected: column("selected") ? read("selected", readMark(cell("selected"))) : null,
    kind: text("kind"),
    isSum: hoursCells.some((each) => each?.isSum),
    note: hoursCells.some((each) => (each?.rows ?? 1) > 1) ? "merged_hours" : null,
    fault: faults[0] ?? null,
  };
}

/** Three points of those that are given. Of the two ends, the likely hours are the mean. */
function joined(optimistic: number | null, likely: number | null, pessimistic: number | null): ThreePoint | null {
  const given = [optimistic, likely, pessimistic].filter((hours) => hours !== null);
  const [first] = given;
  if (first === undefined) return null;
  const mean = optimistic !== null && pessimistic !== null ? roundHundredth((optimistic + pessimistic) / 2) : first;
  const middle = likely ?? mean;
  return {
    optimistic: optimistic ?? Math.min(middle, pessimistic ?? middle),
    likely: middle,
    pessimistic: pessimistic ?? middle,
  };
}
