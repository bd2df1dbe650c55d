import { limits } from "../../contract/limits.ts";
import type { Import } from "./content.ts";
import type { CheckShape } from "./import-json.ts";
import { type OutlineOptions, readOutline } from "./outline/read-outline.ts";
import { tableIn } from "./outline/text-table.ts";
import { importSheet, readTable, titleOf } from "./sheet-import/import-sheet.ts";

/**
 * Reads an estimation written as an outline, as described in `docs/import-export.md`: Markdown, plain text, Org, or a table.
 * Every fault is reported with its line; reading ends after as many faults as are reported, or more items than a tree may have.
 * Rules that span several lines are checked as for every import, and reported for the line that caused the fault.
 */
export function importOutline(marked: string, checkShape: CheckShape, options: OutlineOptions): Import {
  const text = marked.replace(/^\uFEFF/, "");
  const table = options.needsTitle ? null : tableIn(text);
  const reading = table && readTable(table);
  if (table === null || reading === null) return readOutline(text, checkShape, options);
  if (table.rows.length > limits.sheetRows)
    return {
      ok: false,
      faults: [
        { line: table.rows.at(-1)?.row ?? 1, message: `a table must not have more than ${limits.sheetRows} rows` },
      ],
    };
  return importSheet(reading, titleOf(reading.sheet) ?? options.untitled, checkShape);
}
