import { eq, type SQL, sql } from "drizzle-orm";
import type { Queryable } from "../../db/database.ts";
import { estimationReaders } from "./tables.ts";

/** Gives `userId` access to an estimation. */
export async function addReader(tx: Queryable, reader: typeof estimationReaders.$inferInsert): Promise<void> {
  await tx.insert(estimationReaders).values(reader);
}

/** Returns a query of the ids of all users who may read the estimation. */
export const readersOf = (estimationId: string): SQL =>
  sql`select ${estimationReaders.userId} from ${estimationReaders} where ${eq(estimationReaders.estimationId, estimationId)}`;
