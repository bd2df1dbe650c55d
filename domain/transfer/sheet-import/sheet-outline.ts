import { limits } from "../../../contract/limits.ts";
import { writeChoice, writeTitle, writeWords } from "../outline-fields.ts";
import { sheetTexts } from "../sheets/texts.ts";
import type { ReadRow } from "./read-sheet.ts";

/** The rows of a sheet as the items of an outline, and the row of each line. */
export interface SheetOutline {
  readonly lines: readonly string[];
  readonly rows: readonly number[];
}

/** A row with those below it. */
interface Item {
  readonly row: ReadRow;
  readonly below: Item[];
}

const KINDS = Object.entries(sheetTexts.kinds) as [keyof typeof sheetTexts.kinds, string][];
const kindOf = ({ kind }: ReadRow) => KINDS.find(([, name]) => name.toLowerCase() === kind.toLowerCase())?.[0] ?? null;
const saysOption = ({ kind }: ReadRow): boolean => kind.toLowerCase() === sheetTexts.option.toLowerCase();

/**
 * Writes rows as an outline, whose rules then decide everything else, and notes what each row is: below a question, an option;
 * elsewhere, a question if there are rows below it, and no hours. Work directly at the top or below an option is an option of
 * fixed scope, as in every outline.
 */
export function writeSheetOutline(rows: readonly ReadRow[]): SheetOutline {
  const lines: string[] = [];
  const rowOf: number[] = [];
  const put = (line: string, { row }: ReadRow) => {
    lines.push(line);
    rowOf.push(row);
  };
  const write = (items: readonly Item[], question: ReadRow | null, indent: string): void => {
    const isOption = (item: Item) => question !== null || standsAlone(item);
    const hasBoxes = haveBoxes(items.filter(isOption), question);
    for (const item of items) {
      const { row, below } = item;
      // A question below a question is a fault that the outline reports.
      const isNode = kindOf(row) !== null || !(saysOption(row) || isOption(item));
      if (row.as === "option" && isNode) row.as = "question";
      put(`${indent}- ${isNode ? nodeLine(row) : optionLine(row, hasBoxes, question === null)}`, row);
      for (const line of row.description === "" ? [] : row.description.split(/\r\n|\r|\n/))
        put(`${indent}  > ${line}`, row);
      write(below, isNode ? row : null, `${indent}  `);
    }
  };
  write(nested(rows), null, "");
  return { lines, rows: rowOf };
}

function nested(rows: readonly ReadRow[]): Item[] {
  const top: Item[] = [];
  const open: Item[] = [];
  for (const row of rows) {
    if (row.level === 0 || row.level > limits.bodyDepth) continue;
    while (open.length > 0 && (open.at(-1) as Item).row.level >= row.level) open.pop();
    const item: Item = { row, below: [] };
    (open.at(-1)?.below ?? top).push(item);
    open.push(item);
  }
  return top;
}

/** Whether a row is an option where a question could stand. */
const standsAlone = ({ row, below }: Item): boolean =>
  kindOf(row) === null && (saysOption(row) || below.length === 0 || row.hours !== null);

function nodeLine(row: ReadRow): string {
  const kind = kindOf(row);
  return `${writeTitle(row.title)}${kind === null ? "" : writeChoice({ kind, required: false, min: null, max: null })}`;
}

/** Options have boxes if one of those beside it is not chosen, unless the question says that all are. */
function haveBoxes(options: readonly Item[], question: ReadRow | null): boolean {
  const kind = question && kindOf(question);
  return kind ? kind !== "group" : options.some(({ row }) => row.selected === false);
}

function optionLine(row: ReadRow, hasBox: boolean, couldBeQuestion: boolean): string {
  const { hours, quantity, unit, role, selected } = row;
  const words = writeWords({ hours, override: null, quantity, unit, role });
  const box = hasBox ? `[${selected === true ? "x" : " "}] ` : "";
  // Where a question could stand, a quantity of one shows that it is an option.
  if (words === "")
    return `${box}${couldBeQuestion && !hasBox ? `${writeTitle(row.title, true)}: x1` : writeTitle(row.title)}`;
  return `${box}${writeTitle(row.title, true)}: ${words}`;
}
