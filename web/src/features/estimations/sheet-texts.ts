import type { LevelSource, RowMeaning, RowNote, SheetField } from "../../../../contract/values/sheet-fields.ts";
import { formatCount, many } from "../../ui/numbers/format.ts";

const fields: Readonly<Record<SheetField, string>> = {
  number: "number",
  level: "level",
  path: "path",
  group: "group",
  title: "title",
  part: "part",
  description: "description",
  kind: "kind",
  selected: "selected",
  role: "role",
  quantity: "quantity",
  unit: "unit",
  optimistic: "low",
  likely: "likely",
  pessimistic: "high",
  hours: "hours",
};

const levels: Readonly<Record<LevelSource, string>> = {
  level: "Levels are from their own column.",
  number: "Levels are from the numbers.",
  path: "Levels are from the paths.",
  columns: "Levels are from the columns with titles.",
  grouping: "Levels are from the grouped rows.",
  indent: "Levels are from the indentation.",
  none: "All rows are on one level.",
};

const meanings: Readonly<Record<RowMeaning, string>> = {
  question: "Question",
  option: "Option",
  left_out: "Left out",
  fault: "Not understood",
};

const notes: Readonly<Record<RowNote, string>> = {
  total: "A total",
  no_title: "No title",
  sum_of_rows_below: "Its hours are those of the rows below",
  merged_hours: "Its hours are merged with rows below: all count here",
  hours_in_title: "Its title looks like hours, but it has none: give them a column of their own",
};

/** Texts of the import of spreadsheets. */
export const sheetTexts = {
  fields,
  levels,
  meanings,
  notes,
  back: "Outline or text file",
  reading: "Reading the file…",
  unusable: (name: string, why: string) => `${name} ${why}.`,
  tooLarge: (mebibytes: number) => `must be at most ${mebibytes} MiB`,
  title: "Title",
  preview: "Preview of the import",
  faults: (count: number) => `Fix ${many(count, "row", "rows")} in the file to import it:`,
  row: (row: number) => `Row ${formatCount(row)}`,
  counts: (questions: number, options: number) =>
    `${many(questions, "question", "questions")}, ${many(options, "option", "options")}`,
  leftOut: (count: number) => `${many(count, "row", "rows")} left out`,
  expected: "Expected",
  sheet: (name: string, others: readonly string[]) =>
    others.length === 0 ? `Sheet “${name}”.` : `Sheet “${name}”; not read: ${others.join(", ")}.`,
  column: (name: string, field: SheetField, hoursPerUnit: number) => {
    const isHours = (["optimistic", "likely", "pessimistic", "hours"] as SheetField[]).includes(field);
    return `${name} as ${fields[field]}${isHours && hoursPerUnit !== 1 ? ` (1 is ${hoursPerUnit} h)` : ""}`;
  },
  columns: (read: readonly string[]) => `Columns: ${read.join(", ")}.`,
  otherColumns: (names: readonly string[]) => `Not read: ${names.join(", ")}.`,
  head: { row: "Row", title: "Title", meaning: "Understood as", hours: "Hours", more: "Notes" },
  more: (count: number) => `${many(count, "more row", "more rows")}`,
  notSelected: "Not selected",
  again: "Choose another file",
  action: "Import",
} as const;
