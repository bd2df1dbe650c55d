import { createPool } from "../db/database.ts";
import { migrateDatabase } from "../db/migrate.ts";
import { openExisting } from "./database.ts";
import type { CommandContext } from "./serve.ts";

/** Lets webhooks, mails and exports go out again after a restore, also while the service runs. Returns the exit code. */
export async function resume({ config, log, say }: CommandContext): Promise<number> {
  const database = await openExisting(config, { parts: [], say, onLost: (reason) => say(reason.message) });
  try {
    const pool = createPool(database.connection, log, 2);
    try {
      await migrateDatabase(pool);
      const { resumeSending } = await import("../app.ts");
      const since = await resumeSending(pool);
      say(
        since === null
          ? "Nothing was held"
          : `Webhooks, mails and exports, which were held since ${since.toISOString()}, are sent again`,
      );
      return 0;
    } finally {
      await pool.end();
    }
  } finally {
    // Connections of the pool may still be ending when PostgreSQL does.
    log.level = "silent";
    await database.close();
  }
}
