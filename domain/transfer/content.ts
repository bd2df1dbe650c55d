import type { EstimationFields } from "../../contract/endpoints/estimations.ts";
import type { NodeInput } from "../../contract/values/tree-input.ts";
import type { Fault } from "../tree/check/faults.ts";
import type { CheckedImport } from "../tree/import-tree.ts";
import type { Tree } from "../tree/shape.ts";

/** The part of an estimation that is exported: its fields and its tree, without people, times or tasks. */
export interface Content extends EstimationFields {
  tree: Tree;
}

/** The part that is imported: omitted fields get their defaults, and all ids are new. */
export interface Incoming {
  estimation: Partial<EstimationFields> & Pick<EstimationFields, "title">;
  nodes: NodeInput[];
}

/** An import whose tree can be built (`plantTree`). */
export interface CheckedIncoming extends Incoming {
  checked: CheckedImport;
}

/** A fault in a file, and its line, counted from 1. */
export interface LineFault {
  line: number;
  message: string;
  /** What is wrong, if the check says so; otherwise the form of the line. */
  code?: Fault["code"];
}

/** What is said of a line that is no fault. */
export interface LineNote {
  readonly line: number;
  readonly message: string;
}

/** What became of the lines of a file: nothing of it is lost in silence. */
export interface Taken {
  /** How many lines became a part of the estimation. */
  readonly lines: number;
  /** Those that are left out on purpose. At most `limits.reportedFaults`, as of the next list. */
  readonly skipped: readonly LineNote[];
  /** Those that are taken, but should be looked at. */
  readonly noted: readonly LineNote[];
}

/** A fault of any check, by its JSON pointer. */
export type PathFault = Pick<Fault, "path" | "message"> & Partial<Pick<Fault, "code">>;

/** An import is accepted as a whole or not at all. */
export type Import = { ok: true; incoming: CheckedIncoming; taken: Taken } | { ok: false; faults: LineFault[] };
