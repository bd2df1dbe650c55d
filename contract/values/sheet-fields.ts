/** What a column of an imported spreadsheet may be. */
export const sheetFields = [
  "number",
  "level",
  "path",
  "group",
  "title",
  "part",
  "description",
  "kind",
  "selected",
  "role",
  "quantity",
  "unit",
  "optimistic",
  "likely",
  "pessimistic",
  "hours",
] as const;
export type SheetField = (typeof sheetFields)[number];

/** What the levels of an imported spreadsheet were read from. */
export const levelSources = ["level", "number", "path", "columns", "grouping", "indent", "none"] as const;
export type LevelSource = (typeof levelSources)[number];

/** What a row of an imported spreadsheet was understood as. */
export const rowMeanings = ["question", "option", "left_out", "fault"] as const;
export type RowMeaning = (typeof rowMeanings)[number];

/** What else is said of a row. */
export const rowNotes = ["total", "no_title", "sum_of_rows_below", "merged_hours", "hours_in_title"] as const;
export type RowNote = (typeof rowNotes)[number];
