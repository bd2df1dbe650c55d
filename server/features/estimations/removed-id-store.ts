import { and, eq, inArray } from "drizzle-orm";
import type { Tree } from "../../../contract/tree.ts";
import { idsOf, type TreeIds } from "../../../domain/tree/shape.ts";
import type { Queryable } from "../../db/database.ts";
import { removedTreeIds } from "./tables.ts";

/** An id that a caller named, as what kind of thing. */
export interface GivenId {
  readonly kind: "node" | "option";
  readonly id: string;
}

const NO_IDS: TreeIds = { nodes: new Set(), options: new Set() };

/** Far below the 65,535 parameters that one statement may have. */
const ROWS_A_STATEMENT = 5_000;

/** Remembers ids that left the tree. */
export async function rememberRemoved(tx: Queryable, estimationId: string, ids: readonly string[]): Promise<void> {
  for (let at = 0; at < ids.length; at += ROWS_A_STATEMENT) {
    const rows = ids.slice(at, at + ROWS_A_STATEMENT).map((id) => ({ estimationId, id }));
    await tx.insert(removedTreeIds).values(rows).onConflictDoNothing();
  }
}

/** The ids that `givenIds` may be: those of the tree, and of `givenIds` those that were once in it. */
export async function knownIds(
  db: Queryable,
  estimationId: string,
  tree: Tree,
  givenIds: readonly GivenId[],
): Promise<TreeIds> {
  if (givenIds.length === 0) return NO_IDS;
  const known = idsOf(tree.nodes);
  const strange = givenIds.filter(({ kind, id }) => !(kind === "node" ? known.nodes : known.options).has(id));
  for (let at = 0; at < strange.length; at += ROWS_A_STATEMENT) {
    const ids = strange.slice(at, at + ROWS_A_STATEMENT).map(({ id }) => id);
    const rows = await db
      .select({ id: removedTreeIds.id })
      .from(removedTreeIds)
      .where(and(eq(removedTreeIds.estimationId, estimationId), inArray(removedTreeIds.id, ids)));
    for (const { id } of rows) (id.startsWith("nod_") ? known.nodes : known.options).add(id);
  }
  return known;
}
