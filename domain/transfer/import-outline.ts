import type { Import } from "./content.ts";
import type { CheckShape } from "./import-json.ts";
import { type OutlineOptions, readOutline } from "./outline/read-outline.ts";

/**
 * Reads an estimation written as an outline, as described in `docs/import-export.md`: Markdown, plain text or Org. Every
 * fault is reported with its line; reading ends after as many faults as are reported, or more items than a tree may have. Rules
 * that span several lines are checked as for every import, and reported for the line that caused the fault.
 */
export function importOutline(text: string, checkShape: CheckShape, options: OutlineOptions): Import {
  return readOutline(text.replace(/^\uFEFF/, ""), checkShape, options);
}
