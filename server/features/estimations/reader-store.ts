import { eq } from "drizzle-orm";
import type { Queryable } from "../../db/database.ts";
import { estimationReaders } from "./tables.ts";

/** Gives `userId` access to an estimation. */
export async function addReader(tx: Queryable, reader: typeof estimationReaders.$inferInsert): Promise<void> {
  await tx.insert(estimationReaders).values(reader);
}

/** The users who may read the estimation. */
export async function readersOf(db: Queryable, estimationId: string): Promise<string[]> {
  const rows = await db
    .select({ userId: estimationReaders.userId })
    .from(estimationReaders)
    .where(eq(estimationReaders.estimationId, estimationId));
  return rows.map(({ userId }) => userId);
}
