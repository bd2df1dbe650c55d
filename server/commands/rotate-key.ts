import { createPool, drizzleOver } from "../db/database.ts";
import { migrateDatabase } from "../db/migrate.ts";
import { systemClock } from "../platform/clock.ts";
import { openExisting } from "./database.ts";
import type { CommandContext } from "./serve.ts";

/**
 * Changes SESSION_SECRET and ENCRYPTION_KEY to the new ones while the service runs, and returns the exit code. It may be
 * stopped at any point, and run again.
 */
export async function rotateKey({ config, log, say }: CommandContext): Promise<number> {
  const database = await openExisting(config, { parts: [], say, onLost: (reason) => say(reason.message) });
  try {
    const pool = createPool(database.connection, log, 2);
    try {
      await migrateDatabase(pool);
      const { rotateSecrets } = await import("../app.ts");
      const { sealed, unreadable, sessionsUntil } = await rotateSecrets(drizzleOver(pool), config, systemClock.now());
      say("The new secrets are in use");
      say(`Stored secrets that were encrypted anew: ${sealed}`);
      if (unreadable > 0) say(`Stored secrets that neither key opens, left as they are: ${unreadable}`);
      const from =
        sessionsUntil === null ? "" : ` from ${sessionsUntil.toISOString()} on, when the last session has ended`;
      say(`The former secrets can be removed${from}: unset them, and restart the processes one after the other`);
      return 0;
    } finally {
      await pool.end();
    }
  } finally {
    await database.close();
  }
}
