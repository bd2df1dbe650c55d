import type { ReviewState } from "../../../contract/endpoints/estimations.ts";
import type { AccessLevel, Right } from "../../../contract/rights.ts";
import type { Tree } from "../../../contract/values/tree.ts";
import type { Queryable } from "../../db/database.ts";

/** What this folder needs to know about an estimation. */
export interface AccessedRecord {
  readonly revision: number;
  /** The caller's access level. */
  readonly access: AccessLevel;
  readonly reviewState: ReviewState;
  readonly reviewStale: boolean;
}

/** A record that nobody else changes until the transaction ends: its holder may write it. */
export interface Locked {
  readonly locked: true;
}

/**
 * Finds estimations with the access level of `userId`, who needs `right`: each function returns null if there is none that
 * the user may see, and refuses (403) a user who lacks the right.
 */
export interface EstimationLookUp<R extends AccessedRecord = AccessedRecord> {
  find(db: Queryable, id: string, userId: string, right: Right): Promise<R | null>;
  /** With the tree of the same moment: after a change between two queries, the tree would not match the revision. */
  findWithTree(db: Queryable, id: string, userId: string, right: Right): Promise<(R & { readonly tree: Tree }) | null>;
  /**
   * Locks the estimation and the level until the transaction ends: changes of one estimation happen one after the
   * other. With the right to restore it finds a deleted one too, but only for its owner.
   */
  lock(tx: Queryable, id: string, userId: string, right: Right): Promise<(R & Locked) | null>;
}
