import { resultOf } from "../../../../domain/steps.ts";
import type { CheckedIncoming, LineFault, Taken } from "../../../../domain/transfer/content.ts";
import type { DecimalSign } from "../../../../domain/transfer/hours/conventions.ts";
import { importJson } from "../../../../domain/transfer/import-json.ts";
import { importOutline } from "../../../../domain/transfer/import-outline.ts";
import { plantTree } from "../../../../domain/tree/import-tree.ts";
import type { Tree } from "../../../../domain/tree/shape.ts";
import { numberStyle } from "../../ui/numbers/format.ts";
import { checkImport } from "./check-import.ts";
import { estimationTexts } from "./texts.ts";

/** What a written outline, or an exported file, says; or what is wrong with it, by line. */
export type Understood =
  | {
      readonly ok: true;
      readonly estimation: CheckedIncoming["estimation"];
      readonly tree: Tree;
      readonly taken: Taken;
      /** The decimal sign that an outline has. */
      readonly decimal: DecimalSign;
    }
  | { readonly ok: false; readonly faults: readonly LineFault[] };

/** An exported file begins with a brace, an outline never does. */
export const formatOf = (content: string): "json" | "outline" => (/^\uFEFF?\s*\{/.test(content) ? "json" : "outline");

/**
 * Reads it with the rules of the server, so that what is shown here is taken there. `isPart`: it needs no title. An outline
 * that cannot be read as numbers are written here may be of elsewhere: no number is one under both signs.
 */
export function readImport(written: string, isPart = false): Understood {
  const own = numberStyle.decimal === "," ? "," : ".";
  const read = readUnder(written, isPart, own);
  if (read.ok || formatOf(written) === "json") return read;
  const elsewhere = readUnder(written, isPart, own === "," ? "." : ",");
  return elsewhere.ok ? elsewhere : read;
}

function readUnder(written: string, isPart: boolean, decimal: DecimalSign): Understood {
  const options = { decimal, untitled: estimationTexts.create.untitled, isPart };
  const isJson = formatOf(written) === "json";
  const result = isJson ? resultOf(importJson(written, checkImport)) : importOutline(written, checkImport, options);
  if (!result.ok) return { ok: false, faults: result.faults };
  const { incoming, taken } = result;
  let made = 0;
  const tree = plantTree(incoming.checked, (kind) => `${kind} ${made++}`);
  return { ok: true, estimation: incoming.estimation, tree, taken, decimal };
}
