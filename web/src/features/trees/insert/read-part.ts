import type { LineFault, Taken } from "../../../../../domain/transfer/content.ts";
import type { Tree } from "../../../../../domain/tree/shape.ts";
import { readImport } from "../../estimations/read-import.ts";

/** What is to be added, with ids that only tell its parts apart; or what is wrong with it, by line. */
export type ReadPart =
  | { readonly ok: true; readonly nodes: Tree["nodes"]; readonly taken: Taken }
  | { readonly ok: false; readonly faults: readonly LineFault[] };

/** Reads an outline or an exported file as the import of whole estimations does; of its head, nothing is taken. */
export function readPart(content: string): ReadPart {
  const read = readImport(content, true);
  return read.ok ? { ok: true, nodes: read.tree.nodes, taken: read.taken } : read;
}
