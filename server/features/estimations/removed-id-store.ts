import { and, eq, inArray, sql } from "drizzle-orm";
import type { Tree } from "../../../contract/values/tree.ts";
import { idsOf, type TreeIds } from "../../../domain/tree/shape.ts";
import type { Queryable } from "../../db/database.ts";
import { isWellFormedId } from "../../platform/ids.ts";
import type { OwnedIds } from "../../platform/owned-ids.ts";
import { decisionTrees, removedTreeIds } from "./tables.ts";

/** An id that a caller named, and its expected kind. */
export interface GivenId {
  readonly kind: "node" | "option";
  readonly id: string;
}

const NO_IDS: TreeIds = { nodes: new Set(), options: new Set() };

/** Far below the 65,535 parameters that one statement may have. */
const ROWS_A_STATEMENT = 5_000;

/** The owner of the ids. `ids` recognises those that prove where they belong and need no row: all but the oldest. */
interface Owner {
  readonly estimationId: string;
  readonly ids: OwnedIds | undefined;
}

/** Remembers ids that were removed from the tree, unless they prove by themselves where they belong. */
export async function rememberRemoved(
  tx: Queryable,
  { estimationId, ids }: Owner,
  removedIds: readonly string[],
): Promise<void> {
  const unproved = removedIds.filter((id) => !ids?.isOwn(id));
  for (let at = 0; at < unproved.length; at += ROWS_A_STATEMENT) {
    const rows = unproved.slice(at, at + ROWS_A_STATEMENT).map((id) => ({ estimationId, id }));
    await tx.insert(removedTreeIds).values(rows).onConflictDoNothing();
  }
}

/** Returns the ids that a request may use: those in the tree, and those of `givenIds` that were once in it. */
export async function knownIds(
  db: Queryable,
  { estimationId, tree, ids }: Owner & { readonly tree: Tree },
  givenIds: readonly GivenId[],
): Promise<TreeIds> {
  if (givenIds.length === 0) return NO_IDS;
  const known = idsOf(tree.nodes);
  const add = (id: string) => (id.startsWith("nod_") ? known.nodes : known.options).add(id);
  const strange = givenIds
    .filter(({ kind, id }) => !(kind === "node" ? known.nodes : known.options).has(id))
    .map(({ id }) => id);
  for (const id of strange) if (ids?.isOwn(id)) add(id);
  const unproved = strange.filter((id) => !known.nodes.has(id) && !known.options.has(id));
  for (let at = 0; at < unproved.length; at += ROWS_A_STATEMENT) {
    const some = unproved.slice(at, at + ROWS_A_STATEMENT);
    const rows = await db
      .select({ id: removedTreeIds.id })
      .from(removedTreeIds)
      .where(and(eq(removedTreeIds.estimationId, estimationId), inArray(removedTreeIds.id, some)));
    for (const { id } of rows) add(id);
  }
  return known;
}

/** Returns whether a node or an option is or was in the tree of an estimation; for most ids without a query. */
export async function isTreeId(db: Queryable, { estimationId, ids }: Owner, { kind, id }: GivenId): Promise<boolean> {
  if (!isWellFormedId(id) || !id.startsWith(kind === "node" ? "nod_" : "opt_")) return false;
  if (ids?.isOwn(id)) return true;
  const { rows } = await db.execute<{ known: boolean }>(sql`select
    exists (select from ${removedTreeIds}
      where ${removedTreeIds.estimationId} = ${estimationId} and ${removedTreeIds.id} = ${id})
    or exists (select from ${decisionTrees}
      where ${decisionTrees.estimationId} = ${estimationId} and position(${`"id":"${id}"`} in ${decisionTrees.tree}::text) > 0)
    as known`);
  return rows[0]?.known === true;
}
