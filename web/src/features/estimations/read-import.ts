import { limits } from "../../../../contract/limits.ts";
import { resultOf } from "../../../../domain/steps.ts";
import type { CheckedIncoming, LineFault, PathFault } from "../../../../domain/transfer/content.ts";
import { importJson } from "../../../../domain/transfer/import-json.ts";
import { importOutline } from "../../../../domain/transfer/import-outline.ts";
import { plantTree } from "../../../../domain/tree/import-tree.ts";
import type { Tree } from "../../../../domain/tree/shape.ts";

/** What a written outline, or an exported file, says; or what is wrong with it, by line. */
export type Understood =
  | { readonly ok: true; readonly estimation: CheckedIncoming["estimation"]; readonly tree: Tree }
  | { readonly ok: false; readonly faults: readonly LineFault[] };

/** An exported file begins with a brace, an outline never does. */
export const formatOf = (content: string): "json" | "outline" => (/^\uFEFF?\s*\{/.test(content) ? "json" : "outline");

/** Reads it with the rules of the server, which checks every field again. */
export function readImport(content: string): Understood {
  const isJson = formatOf(content) === "json";
  const result = isJson ? resultOf(importJson(content, checkShape)) : importOutline(content, checkShape);
  if (!result.ok) return result;
  const { estimation, checked } = result.incoming;
  let made = 0;
  return { ok: true, estimation, tree: plantTree(checked, (kind) => `${kind} ${made++}`) };
}

/** Checks what the rules need to be there to work at all. */
function checkShape(file: unknown): readonly PathFault[] {
  const faults: PathFault[] = [];
  const needText = (value: unknown, path: string) => {
    if (typeof value !== "string" || value.trim() === "") faults.push({ path, message: "must be a text" });
  };
  const list = (value: unknown, path: string, isNeeded: boolean): readonly unknown[] => {
    if (Array.isArray(value)) return value;
    if (isNeeded || value !== undefined) faults.push({ path, message: "must be a list" });
    return [];
  };
  const checkNodes = (nodes: readonly unknown[], path: string, depth = 1): void => {
    if (depth > limits.treeDepth) return void faults.push({ path, message: "is nested too deeply" });
    for (const [index, node] of nodes.entries()) {
      const { title, options } = (node ?? {}) as { title?: unknown; options?: unknown };
      needText(title, `${path}/${index}/title`);
      for (const [at, option] of list(options, `${path}/${index}/options`, false).entries()) {
        const below = `${path}/${index}/options/${at}`;
        const { title: name, nodes: nested } = (option ?? {}) as { title?: unknown; nodes?: unknown };
        needText(name, `${below}/title`);
        const inner = list(nested, `${below}/nodes`, false);
        if (inner.length > 0) checkNodes(inner, `${below}/nodes`, depth + 1);
      }
    }
  };
  const { estimation, tree } = (file ?? {}) as { estimation?: { title?: unknown }; tree?: { nodes?: unknown } };
  needText(estimation?.title, "/estimation/title");
  checkNodes(list(tree?.nodes, "/tree/nodes", true), "/tree/nodes");
  return faults;
}
