import type { AccessLevel, Right } from "../../contract/rights.ts";
import type { Tree } from "../../contract/tree.ts";
import { may } from "../../domain/access.ts";
import type { Queryable } from "../db/database.ts";
import { fail } from "./failure.ts";

/** What this folder needs to know of an estimation. */
export interface AccessedRecord {
  readonly revision: number;
  /** The caller's level. */
  readonly access: AccessLevel;
}

/** A record that nobody else changes until the transaction ends; who holds it may write. */
export interface Locked {
  readonly locked: true;
}

/** Finds estimations with the level of `userId`; each function returns null where there is none that the user may see. */
export interface EstimationLookUp<R extends AccessedRecord = AccessedRecord> {
  /** The level alone. */
  levelOf(db: Queryable, id: string, userId: string): Promise<AccessLevel | null>;
  find(db: Queryable, id: string, userId: string): Promise<R | null>;
  /** With the tree as of the same moment: a change between two queries would show a tree under another revision. */
  findWithTree(db: Queryable, id: string, userId: string): Promise<(R & { readonly tree: Tree }) | null>;
  /** Locks the estimation and the level until the transaction ends: changes of one estimation happen one after the other. */
  lock(tx: Queryable, id: string, userId: string): Promise<(R & Locked) | null>;
}

/** Refuses an estimation that the caller may not see (404), or on which the right is missing (403). */
export function demandRight(level: AccessLevel | null, right: Right): void {
  const verdict = may(level, right);
  if (verdict === "unseen") fail("not_found");
  if (verdict === "forbidden") fail("forbidden");
}
