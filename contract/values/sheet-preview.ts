import Type, { type Static } from "typebox";
import { limits } from "../limits.ts";
import { component, Nullable, OneOf, Shape } from "../shapes.ts";
import { type FaultCode, faultCodes } from "./faults.ts";
import { levelSources, rowMeanings, rowNotes, sheetFields } from "./sheet-fields.ts";
import { pointProperties } from "./tree.ts";

const count = (description: string) => Type.Integer({ minimum: 0, description });
const rowNumber = Type.Integer({ minimum: 1, description: "As programs for spreadsheets count it, from 1" });

const column = Shape({
  column: Type.String({ description: "Its letters" }),
  name: Type.String(),
  field: Nullable(OneOf(sheetFields, { description: "What it is; null: it is not read" })),
  hoursPerUnit: Type.Number({ description: "In a column of hours: what a number without a unit stands for" }),
});

const row = Shape({
  row: rowNumber,
  as: OneOf(rowMeanings, { description: "What it was understood as" }),
  level: count("Counted from 1; 0 for what is left out"),
  title: Type.String(),
  hours: Nullable(Shape(pointProperties, { description: "Hours of one unit" })),
  quantity: Type.Number(),
  unit: Nullable(Type.String()),
  role: Nullable(Type.String()),
  selected: Nullable(Type.Boolean({ description: "Null: no column says" })),
  note: Nullable(OneOf(rowNotes, { description: "Why it is left out, or what is special about its hours" })),
  fault: Nullable(Type.String({ description: "What is wrong with it, as text for people" })),
});

/** What is understood of a spreadsheet that would be imported. */
export const SheetPreview = component(
  "SheetPreview",
  Shape({
    sheet: Nullable(
      Type.String({ description: "The sheet that is read: the first with a row that names columns; null in CSV" }),
    ),
    otherSheets: Type.Array(Type.String(), { description: "Other visible sheets, which are not read" }),
    title: Nullable(
      Type.String({ description: "What stands above the table, or else the name of the sheet; null: `Untitled`" }),
    ),
    headRow: rowNumber,
    columns: Type.Array(column, { maxItems: limits.sheetColumns }),
    levels: OneOf(levelSources, { description: "What levels are read from; `none`: all rows are beside each other" }),
    rows: Type.Array(row, {
      maxItems: limits.previewedRows,
      description: "The first ones. A row that also names a heading is there twice",
    }),
    counts: Shape({
      rows: count("All of `rows`, also those that are not listed"),
      questions: count("Questions among them"),
      options: count("Options among them"),
      leftOut: count("Those that are left out"),
    }),
    faults: Type.Array(
      Shape({
        row: rowNumber,
        code: OneOf(Object.keys(faultCodes) as FaultCode[]),
        message: Type.String({ description: "As text for people" }),
      }),
      { maxItems: limits.reportedFaults, description: "Why the import would be refused; empty if it would not be" },
    ),
    hours: Nullable(
      Shape(
        { expected: Type.Number(), p80: Type.Number() },
        { description: "Of the estimation that would be made; null if the import would be refused" },
      ),
    ),
  }),
);
export type SheetPreview = Static<typeof SheetPreview.schema>;
