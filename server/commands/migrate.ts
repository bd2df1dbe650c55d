import { everyPart } from "../db/data-directory-lock.ts";
import { createPool } from "../db/database.ts";
import { migrateDatabase } from "../db/migrate.ts";
import { openDatabase } from "./database.ts";
import type { CommandContext } from "./serve.ts";

/** Brings the database's schema to this version's, and returns the exit code. */
export async function migrate({ config, log, say }: CommandContext): Promise<number> {
  const onLost = (reason: Error) => say(reason.message);
  const database = await openDatabase(config, { parts: everyPart, say, onLost });
  try {
    const pool = createPool(database.connection, log);
    await migrateDatabase(pool).finally(() => pool.end());
    say(`The schema is up to date in ${database.where}`);
    return 0;
  } finally {
    await database.close();
  }
}
