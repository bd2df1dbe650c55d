import { createPool, drizzleOver } from "../db/database.ts";
import { migrateDatabase } from "../db/migrate.ts";
import { systemClock } from "../platform/clock.ts";
import { openExisting } from "./database.ts";
import type { CommandContext } from "./serve.ts";

/** Writes all that is stored about a person to the standard output, as JSON, and returns the exit code. */
export async function exportUser({ config, log }: CommandContext, email: string): Promise<number> {
  // The standard output is for the document.
  const say = (line: string) => void process.stderr.write(`${line}\n`);
  const database = await openExisting(config, { parts: [], say, onLost: (reason) => say(reason.message) });
  try {
    const pool = createPool(database.connection, log, 2);
    try {
      await migrateDatabase(pool);
      const { exportPerson } = await import("../app.ts");
      const found = await exportPerson(drizzleOver(pool), email, systemClock.now(), async (text) => {
        await new Promise((resolve) => process.stdout.write(text, resolve));
      });
      if (!found) throw new Error(`there is no account of ${email}`);
      return 0;
    } finally {
      await pool.end();
    }
  } finally {
    await database.close();
  }
}
