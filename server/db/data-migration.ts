import { sql } from "drizzle-orm";
import type { Database, Queryable } from "./database.ts";
import { dataMigrations } from "./tables.ts";

/** A change of what is stored that needs more than SQL. Its name is never changed. */
export interface DataMigration {
  readonly name: string;
  /** Makes the change within the transaction `tx`. */
  run(tx: Queryable): Promise<void>;
}

/** Makes the changes that were not made to this database yet, each once, however many processes start at the same time. */
export async function migrateData(pool: Database, migrations: readonly DataMigration[]): Promise<void> {
  for (const { name, run } of migrations) {
    await pool.transaction(async (tx) => {
      // A second process waits here for the first to end, and then finds the change made.
      const noted = await tx
        .insert(dataMigrations)
        .values({ name, doneAt: sql`now()` })
        .onConflictDoNothing()
        .returning();
      if (noted.length > 0) await run(tx);
    });
  }
}
