import { type Breach, type Fault, faultAt } from "../check/faults.ts";
import type { Tree } from "../shape.ts";

/** A refused edit: the tree stays unchanged. `not_found` means that the edited node or option is not in the tree. */
export type Refusal = { ok: false; reason: "not_found" } | { ok: false; reason: "invalid"; faults: Fault[] };

/**
 * The result of an edit: a new tree, which shares unchanged parts with the old one, and the changed part; or a refusal.
 */
export type Outcome<Part> = ({ ok: true; tree: Tree } & Part) | Refusal;

export const notFound: Refusal = { ok: false, reason: "not_found" };

export const invalid = (faults: Fault[]): Refusal => ({ ok: false, reason: "invalid", faults });

/** Returns a refusal with one fault. */
export const fault = (path: string, breach: Breach): Refusal => invalid([faultAt(path, breach)]);
