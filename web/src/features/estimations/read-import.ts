import { resultOf } from "../../../../domain/steps.ts";
import type { CheckedIncoming, LineFault } from "../../../../domain/transfer/content.ts";
import { importJson } from "../../../../domain/transfer/import-json.ts";
import { importOutline } from "../../../../domain/transfer/import-outline.ts";
import { plantTree } from "../../../../domain/tree/import-tree.ts";
import type { Tree } from "../../../../domain/tree/shape.ts";
import { checkImport } from "./check-import.ts";

/** What a written outline, or an exported file, says; or what is wrong with it, by line. */
export type Understood =
  | { readonly ok: true; readonly estimation: CheckedIncoming["estimation"]; readonly tree: Tree }
  | { readonly ok: false; readonly faults: readonly LineFault[] };

/** An exported file begins with a brace, an outline never does. */
export const formatOf = (content: string): "json" | "outline" => (/^\uFEFF?\s*\{/.test(content) ? "json" : "outline");

/** Reads it with the rules of the server, so that what is shown here is taken there. */
export function readImport(content: string): Understood {
  const isJson = formatOf(content) === "json";
  const result = isJson ? resultOf(importJson(content, checkImport)) : importOutline(content, checkImport);
  if (!result.ok) return result;
  const { estimation, checked } = result.incoming;
  let made = 0;
  return { ok: true, estimation, tree: plantTree(checked, (kind) => `${kind} ${made++}`) };
}
