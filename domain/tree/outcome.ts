import { type Breach, type Fault, faultAt } from "./faults.ts";
import type { Tree } from "./shape.ts";

/** An edit refused: the tree stays as it was. `not_found` means that the thing to edit is not in the tree. */
export type Refusal = { ok: false; reason: "not_found" } | { ok: false; reason: "invalid"; faults: Fault[] };

/** What an edit comes to: a new tree, sharing what did not change with the old one, and the changed part; or a refusal. */
export type Outcome<Part> = ({ ok: true; tree: Tree } & Part) | Refusal;

export const notFound: Refusal = { ok: false, reason: "not_found" };

export const invalid = (faults: Fault[]): Refusal => ({ ok: false, reason: "invalid", faults });

/** A refusal for one fault. */
export const fault = (path: string, breach: Breach): Refusal => invalid([faultAt(path, breach)]);
