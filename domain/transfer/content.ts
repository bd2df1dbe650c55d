import type { EstimationFields } from "../../contract/estimations.ts";
import type { NodeInput } from "../../contract/tree-input.ts";
import type { Fault } from "../tree/faults.ts";
import type { Tree } from "../tree/shape.ts";

/** What of an estimation leaves the service: its fields and its tree, with no people, times or tasks. */
export interface Content extends EstimationFields {
  tree: Tree;
}

/** What comes in: fields that are left out take their defaults, and ids are given out anew. */
export interface Incoming {
  estimation: Partial<EstimationFields> & Pick<EstimationFields, "title">;
  nodes: NodeInput[];
}

/** What is wrong in a file, and in which line, counted from 1. */
export interface LineFault {
  line: number;
  message: string;
}

/** A fault of any check, by its JSON pointer. */
export type PathFault = Pick<Fault, "path" | "message">;

/** An import is taken as a whole or not at all. */
export type Import = { ok: true; incoming: Incoming } | { ok: false; faults: LineFault[] };
