import type { NodeInput } from "../../contract/values/tree-input.ts";
import { checkImport } from "../tree/import-tree.ts";
import type { Import, Incoming, LineFault, PathFault } from "./content.ts";
import { eachLine } from "./each-line.ts";
import { lineOfSyntaxFault, linesOf } from "./json-lines.ts";

/** Returns the faults in the shape of a file, by JSON pointers: the caller's validator, because `domain/` has none. */
export type CheckShape = (file: unknown) => readonly PathFault[];

/**
 * Reads an exported JSON file: checks its shape first, then everything that can be checked on the tree alone. Each
 * fault is reported with its line. A large one is read in steps.
 */
export function* importJson(marked: string, checkShape: CheckShape): Generator<void, Import> {
  const text = marked.replace(/^\uFEFF/, "");
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    return { ok: false, faults: [{ line: lineOfSyntaxFault(text) ?? 1, message: "is not JSON from here on" }] };
  }
  yield;
  const wrong = checkShape(file);
  if (wrong.length > 0) return { ok: false, faults: withLines(text, wrong) };
  yield;
  const { estimation, tree } = file as { estimation: Incoming["estimation"]; tree: { nodes: NodeInput[] } };
  const check = checkImport(tree.nodes);
  if (!check.ok) {
    const faults = check.faults.map(({ path, ...fault }) => ({ path: `/tree${path}`, ...fault }));
    return { ok: false, faults: withLines(text, faults) };
  }
  const incoming = { estimation, nodes: tree.nodes, checked: check.checked };
  return { ok: true, incoming, taken: { lines: countWritten(text), skipped: [], noted: [] } };
}

/** Returns the number of lines that are not empty. */
function countWritten(text: string): number {
  let lines = 0;
  for (const line of eachLine(text)) if (line.trim() !== "") lines += 1;
  return lines;
}

/** Characters of a path in a message: more than any path in a valid file has. */
const PATH_LENGTH = 400;

function withLines(text: string, faults: readonly PathFault[]): LineFault[] {
  const lines = linesOf(
    text,
    faults.map(({ path }) => path),
  );
  return faults.map(({ path, message, code }, index) => ({
    line: lines[index] ?? 1,
    message: path === "" ? message : `${cut(path)} ${message}`,
    ...(code ? { code } : {}),
  }));
}

const cut = (path: string) => (path.length > PATH_LENGTH ? `${path.slice(0, PATH_LENGTH - 1)}…` : path);
