import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Queryable } from "../../db/database.ts";
import { relistFor } from "./listing-store.ts";
import { estimationReaders } from "./tables.ts";

type Reader = typeof estimationReaders.$inferSelect;

/** Gives a user access to a locked estimation, or another level of it. */
export async function setReader(tx: Queryable, reader: Reader): Promise<void> {
  const { estimationId, userId, level } = reader;
  await tx
    .insert(estimationReaders)
    .values(reader)
    .onConflictDoUpdate({ target: [estimationReaders.estimationId, estimationReaders.userId], set: { level } });
  await relistFor(tx, estimationId, userId);
}

/** Takes the access to a locked estimation away from a user. */
export async function removeReader(tx: Queryable, { estimationId, userId }: Omit<Reader, "level">): Promise<void> {
  const isTheirs = and(eq(estimationReaders.estimationId, estimationId), eq(estimationReaders.userId, userId));
  await tx.delete(estimationReaders).where(isTheirs);
  await relistFor(tx, estimationId, userId);
}

/** Returns a query of the ids of all users who may read the estimation. */
export const readersOf = (estimationId: string): SQL =>
  sql`select ${estimationReaders.userId} from ${estimationReaders} where ${eq(estimationReaders.estimationId, estimationId)}`;
