import { resultOf } from "../../../../domain/steps.ts";
import type { CheckedIncoming, LineFault } from "../../../../domain/transfer/content.ts";
import { importJson } from "../../../../domain/transfer/import-json.ts";
import { importOutline } from "../../../../domain/transfer/import-outline.ts";
import { plantTree } from "../../../../domain/tree/import-tree.ts";
import type { Tree } from "../../../../domain/tree/shape.ts";
import { type AsOutline, asOutline } from "./as-outline.ts";
import { checkImport } from "./check-import.ts";
import { estimationTexts } from "./texts.ts";

/** What a written outline, or an exported file, says; or what is wrong with it, by line. */
export type Understood =
  | { readonly ok: true; readonly estimation: CheckedIncoming["estimation"]; readonly tree: Tree }
  | { readonly ok: false; readonly faults: readonly LineFault[] };

/** An exported file begins with a brace, an outline never does. */
export const formatOf = (content: string): "json" | "outline" => (/^\uFEFF?\s*\{/.test(content) ? "json" : "outline");

/** Returns what is sent of what was written: an exported file as it is, anything else as an outline. */
export const importableOf = (content: string, isPart = false): AsOutline =>
  formatOf(content) === "json"
    ? { content, added: 0 }
    : asOutline(content, { untitled: estimationTexts.create.untitled, isPart });

/** Reads it with the rules of the server, so that what is shown here is taken there. `isPart`: it needs no title. */
export function readImport(written: string, isPart = false): Understood {
  const { content, added } = importableOf(written, isPart);
  const isJson = formatOf(content) === "json";
  const result = isJson ? resultOf(importJson(content, checkImport)) : importOutline(content, checkImport);
  if (!result.ok) return { ok: false, faults: result.faults.map((fault) => ({ ...fault, line: fault.line - added })) };
  const { estimation, checked } = result.incoming;
  let made = 0;
  return { ok: true, estimation, tree: plantTree(checked, (kind) => `${kind} ${made++}`) };
}
