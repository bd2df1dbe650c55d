import { and, eq, getTableColumns, inArray, isNull, or, type SQL } from "drizzle-orm";
import type { AccessLevel, Right } from "../../../contract/rights.ts";
import type { Tree } from "../../../contract/values/tree.ts";
import { may } from "../../../domain/access.ts";
import type { Queryable } from "../../db/database.ts";
import { loadedText, storedText } from "../../db/stored-text.ts";
import type { AccessedRecord, EstimationLookUp, Locked } from "../../http/callers/estimation-access.ts";
import { fail } from "../../http/failure.ts";
import { inTurn } from "../../platform/compute.ts";
import type { EstimationRow } from "./store.ts";
import { decisionTrees, estimationReaders, estimations } from "./tables.ts";

/** An estimation with its reader's access level. */
export type ReadableEstimation = EstimationRow & { readonly access: AccessLevel };

/** An estimation that its reader may change, until the transaction ends. */
export type LockedEstimation = ReadableEstimation & Locked;

export const EMPTY_TREE: Tree = { nodes: [] };

const columns = { ...getTableColumns(estimations), access: estimationReaders.level };

/** SQL condition: the row of `userId` among the readers of estimation `id`. */
const readerOf = (id: string, userId: string) =>
  and(eq(estimationReaders.estimationId, id), eq(estimationReaders.userId, userId));

const isReader = eq(estimationReaders.estimationId, estimations.id);

const readable = (id: string, userId: string) => and(readerOf(id, userId), isNull(estimations.deletedAt));

/** What is read of a tree. */
export const treeColumns = () => ({
  text: storedText(decisionTrees.tree, decisionTrees.bytes),
  bytes: decisionTrees.bytes,
});

/** Returns the tree that was read as text; null: none was stored yet. */
export const readTree = async (text: string | null): Promise<Tree> =>
  text === null ? EMPTY_TREE : await inTurn(text.length, () => JSON.parse(text) as Tree);

/** Locks the estimations that are not deleted, whoever may read them. It does so in the order of their ids, to avoid deadlocks. */
export function lockEstimations(
  tx: Queryable,
  ids: readonly string[],
): Promise<Pick<EstimationRow, "id" | "ownerId">[]> {
  return tx
    .select({ id: estimations.id, ownerId: estimations.ownerId })
    .from(estimations)
    .where(and(inArray(estimations.id, [...ids]), isNull(estimations.deletedAt)))
    .orderBy(estimations.id)
    .for("update");
}

/** Returns only the level of a reader, of a deleted estimation too. */
export async function levelOf(db: Queryable, id: string, userId: string): Promise<AccessLevel | null> {
  const [found] = await db
    .select({ level: estimationReaders.level })
    .from(estimationReaders)
    .where(readerOf(id, userId));
  return found?.level ?? null;
}

/** Finds estimations, always with the access level of the caller. */
export const estimationLookUp: EstimationLookUp<ReadableEstimation> = {
  async find(db, id, userId, right) {
    const [found] = await db
      .select(columns)
      .from(estimations)
      .innerJoin(estimationReaders, isReader)
      .where(readable(id, userId));
    return withRight(found ?? null, right);
  },

  async findWithTree(db, id, userId, right) {
    const [found] = await db
      .select({ ...columns, ...treeColumns() })
      .from(estimations)
      .innerJoin(estimationReaders, isReader)
      .leftJoin(decisionTrees, eq(decisionTrees.estimationId, estimations.id))
      .where(readable(id, userId));
    if (!found) return null;
    const { text, bytes, ...row } = withRight(found, right);
    return { ...row, tree: await readTree(loadedText({ text, bytes })) };
  },

  async lock(tx, id, userId, right) {
    const isThere = isNull(estimations.deletedAt);
    const isRestorable = right === "restore" ? or(isThere, estimationReaders.owns) : isThere;
    return withRight(await lockWhere(tx, and(readerOf(id, userId), isRestorable)), right);
  },
};

/** Locks an estimation for a caller whom a record of it is about, whether or not with access yet; the level is the lowest then. */
export async function lockForOwnRecord(tx: Queryable, id: string, userId: string): Promise<LockedEstimation | null> {
  const [found] = await tx
    .select(columns)
    .from(estimations)
    .leftJoin(estimationReaders, readerOf(id, userId))
    .where(and(eq(estimations.id, id), isNull(estimations.deletedAt)))
    .for("update", { of: estimations });
  return found ? { ...found, access: found.access ?? "reviewer", locked: true } : null;
}

async function lockWhere(tx: Queryable, condition: SQL | undefined): Promise<LockedEstimation | null> {
  const [found] = await tx
    .select(columns)
    .from(estimations)
    .innerJoin(estimationReaders, isReader)
    .where(condition)
    // Locks both rows: after waiting for a lock, PostgreSQL reads the newest state of a row, but only of the rows that are
    // locked.
    .for("update");
  return found ? { ...found, locked: true } : null;
}

/** Returns what a look-up found, for a caller who has that right. Refuses (403) a caller who sees it without the right. */
function withRight<R extends Pick<AccessedRecord, "access"> | null>(found: R, right: Right): R {
  if (found && may(found.access, right) !== "allowed") fail("forbidden");
  return found;
}
