import type { CsvForm } from "../../contract/values/csv-form.ts";
import type { Content } from "./content.ts";
import { exportCsv } from "./export-csv.ts";
import { exportJson } from "./export-json.ts";
import { exportMarkdown } from "./export-markdown.ts";

const FORMATS = { json: exportJson, csv: exportCsv, markdown: exportMarkdown } as const;

/** Writes an estimation, given as JSON, as a file. Of a large one that takes long, so it runs in worker threads. */
export const exportFile = (input: {
  readonly format: keyof typeof FORMATS;
  readonly content: string;
  readonly csv: CsvForm;
}): string => FORMATS[input.format](JSON.parse(input.content) as Content, input.csv);
