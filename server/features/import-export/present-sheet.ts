import { limits } from "../../../contract/limits.ts";
import type { SheetPreview } from "../../../contract/values/sheet-preview.ts";
import { titleOf } from "../../../domain/transfer/sheet-import/import-sheet.ts";
import { summaryHours } from "../../../domain/tree/hours/roll-up.ts";
import { plantTree } from "../../../domain/tree/import-tree.ts";
import { DEFAULTS } from "../estimations/index.ts";
import type { SheetFile } from "./read-file.ts";

/** Characters shown of a text: a cell may have so many that a preview of all would be as large as the file. */
const SHOWN = 600;

const cut = (text: string): string => (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);
const cutOrNull = (text: string | null): string | null => text && cut(text);

/** Returns what the API shows of a spreadsheet. */
export function presentSheet({ reading, otherSheets, outcome }: SheetFile): SheetPreview {
  const { name, head, levels, rows } = reading.sheet;
  const faults = outcome.ok ? [] : outcome.faults.toSorted((a, b) => a.line - b.line);
  const messages = new Map(faults.map(({ line, message }) => [line, message]));
  const shown = rows.slice(0, limits.previewedRows).map((each) => {
    const { row, as, level, hours, quantity, unit, role, selected, note } = each;
    const fault = each.fault ?? (as === "left_out" ? undefined : messages.get(row)) ?? null;
    return {
      row,
      as: fault ? ("fault" as const) : as,
      level,
      title: cut(each.title),
      hours,
      quantity,
      unit: cutOrNull(unit),
      role: cutOrNull(role),
      selected,
      note,
      fault,
    };
  });
  const counted = (meaning: string) => rows.filter(({ as }) => as === meaning).length;
  return {
    sheet: name,
    otherSheets: [...otherSheets],
    title: titleOf(reading.sheet),
    headRow: head.row,
    columns: head.columns.map(({ letters, name: called, field, unit }) => ({
      column: letters,
      name: called,
      field,
      hoursPerUnit: unit,
    })),
    levels,
    rows: shown,
    counts: {
      rows: rows.length,
      questions: counted("question"),
      options: counted("option"),
      leftOut: counted("left_out"),
    },
    faults: faults.map(({ line, message, code = "wrong_format" }) => ({ row: line, code, message })),
    hours: outcome.ok ? hoursOf(outcome.incoming.checked) : null,
  };
}

function hoursOf(checked: Parameters<typeof plantTree>[0]) {
  let made = 0;
  const tree = plantTree(checked, (kind) => `${kind} ${made++}`);
  const { expected, p80 } = summaryHours(tree, DEFAULTS);
  return { expected, p80 };
}
