import { eq, type SQL, sql } from "drizzle-orm";
import type { Queryable } from "../../db/database.ts";
import { estimationListings, estimationReaders, estimations, estimationTexts } from "./tables.ts";

// Lists are read from tables derived from `estimations` and `estimation_readers` (docs/decisions/lists-of-readers.md).
// Code that writes to those two also calls these functions, in the same transaction and with the estimation locked.

const isOne = (estimationIds: readonly string[]): SQL =>
  sql`${estimations.deletedAt} is null and ${estimations.id} = any(${sql.param(estimationIds)}::text[])`;

/** The listings of all holders of the estimations that meet `condition`. */
const insertListings = (condition: SQL): SQL => sql`
  insert into ${estimationListings} (estimation_id, holder_id, tag, status, level, updated_at, created_at, owner_id)
  select ${estimations.id}, ${estimationReaders.holderId}, tag, ${estimations.status}, ${estimationReaders.level},
    ${estimations.updatedAt}, ${estimations.createdAt}, ${estimations.ownerId}
  from ${estimations} join ${estimationReaders} on ${estimationReaders.estimationId} = ${estimations.id}
  cross join lateral unnest(array_append(${estimations.tags}, '')) as tag
  where ${condition}`;

const insertTexts = (condition: SQL): SQL => sql`
  insert into ${estimationTexts} (estimation_id, readers, text, tags, status, updated_at, created_at, owner_id)
  select ${estimations.id},
    array(select ${estimationReaders.holderId} from ${estimationReaders}
      where ${estimationReaders.estimationId} = ${estimations.id}),
    ${estimations.title} || E'\\n' || coalesce(${estimations.clientName}, ''),
    ${estimations.tags}, ${estimations.status}, ${estimations.updatedAt}, ${estimations.createdAt}, ${estimations.ownerId}
  from ${estimations} where ${condition}
  on conflict (estimation_id) do update set
    readers = excluded.readers, text = excluded.text, tags = excluded.tags, status = excluded.status,
    updated_at = excluded.updated_at, owner_id = excluded.owner_id`;

/** Puts new estimations, with their readers, into the lists. */
export async function addToLists(tx: Queryable, ...estimationIds: readonly string[]): Promise<void> {
  const isNew = isOne(estimationIds);
  await tx.execute(sql`with listed as (${insertListings(isNew)}) ${insertTexts(isNew)}`);
}

/** Takes a deleted estimation out of all lists, and puts it into its owner's list of deleted ones. */
export async function listAsDeleted(tx: Queryable, estimationId: string): Promise<void> {
  await tx.delete(estimationListings).where(eq(estimationListings.estimationId, estimationId));
  await tx.delete(estimationTexts).where(eq(estimationTexts.estimationId, estimationId));
  await tx.execute(sql`
    insert into ${estimationListings} (estimation_id, holder_id, tag, status, level, updated_at, created_at, owner_id)
    select ${estimations.id}, ${estimationReaders.holderId}, '', 'deleted', ${estimationReaders.level},
      ${estimations.updatedAt}, ${estimations.createdAt}, ${estimations.ownerId}
    from ${estimations} join ${estimationReaders} on ${estimationReaders.estimationId} = ${estimations.id}
    where ${estimations.id} = ${estimationId} and ${estimationReaders.owns}`);
}

/** Rewrites the list rows of an estimation after a change to a field that lists filter by. */
export async function relist(tx: Queryable, estimationId: string): Promise<void> {
  await tx.delete(estimationListings).where(eq(estimationListings.estimationId, estimationId));
  await addToLists(tx, estimationId);
}

/** Rewrites the list rows of estimations for one holder whose access to them changed. */
export async function relistFor(tx: Queryable, estimationIds: readonly string[], holderId: string): Promise<void> {
  const { estimationId } = estimationListings;
  const isTheirs = sql`${estimationId} = any(${sql.param(estimationIds)}::text[]) and ${eq(estimationListings.holderId, holderId)}`;
  await tx.delete(estimationListings).where(isTheirs);
  const isOfHolder = sql`${isOne(estimationIds)} and ${eq(estimationReaders.holderId, holderId)}`;
  await tx.execute(sql`with listed as (${insertListings(isOfHolder)}) ${insertTexts(isOne(estimationIds))}`);
}

/** SQL that moves an estimation to the top of all lists sorted by time of update; it becomes part of another statement. */
export function withTouchedLists(tx: Queryable, estimationId: string, updatedAt: Date) {
  const ofListings = tx.update(estimationListings).set({ updatedAt });
  const ofTexts = tx.update(estimationTexts).set({ updatedAt });
  const { tag } = estimationListings;
  return tx.with(
    tx.$with("listings").as(ofListings.where(eq(estimationListings.estimationId, estimationId)).returning({ tag })),
    tx
      .$with("texts")
      .as(ofTexts.where(eq(estimationTexts.estimationId, estimationId)).returning({ text: estimationTexts.text })),
  );
}
