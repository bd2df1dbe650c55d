import { createPool, drizzleOver } from "../db/database.ts";
import { migrateDatabase } from "../db/migrate.ts";
import { systemClock } from "../platform/clock.ts";
import { openDatabase } from "./database.ts";
import type { CommandContext } from "./serve.ts";

/** Accepts the current secrets although the database was used with others before. Returns the exit code. */
export async function acceptSecrets({ config, log, say }: CommandContext): Promise<number> {
  const database = await openDatabase(config, { parts: [], say, onLost: (reason) => say(reason.message) });
  try {
    const pool = createPool(database.connection, log, 2);
    try {
      await migrateDatabase(pool);
      const { replaceSecrets } = await import("../app.ts");
      await replaceSecrets(drizzleOver(pool), config, systemClock.now());
      say("SESSION_SECRET and ENCRYPTION_KEY are accepted as they are now; restart every process of the service");
      return 0;
    } finally {
      await pool.end();
    }
  } finally {
    await database.close();
  }
}
