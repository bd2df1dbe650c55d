import { sql } from "drizzle-orm";
import type { Database, Queryable } from "./database.ts";
import { dataMigrations } from "./tables.ts";

/** A change of stored data that needs more than SQL. Its name must never change. */
export interface DataMigration {
  readonly name: string;
  /** Makes the change within the transaction `tx`. */
  run(tx: Queryable): Promise<void>;
}

/** Makes the changes not yet made to this database, each once, however many processes start at the same time. */
export async function migrateData(pool: Database, migrations: readonly DataMigration[]): Promise<void> {
  for (const { name, run } of migrations) {
    await pool.transaction(async (tx) => {
      // A second process waits here for the first to end, then finds the change made.
      const noted = await tx
        .insert(dataMigrations)
        .values({ name, doneAt: sql`now()` })
        .onConflictDoNothing()
        .returning();
      if (noted.length > 0) await run(tx);
    });
  }
}
