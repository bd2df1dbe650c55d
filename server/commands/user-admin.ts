import { createPool, drizzleOver } from "../db/database.ts";
import { migrateDatabase } from "../db/migrate.ts";
import { systemClock } from "../platform/clock.ts";
import { openExisting } from "./database.ts";
import type { CommandContext } from "./serve.ts";

/** Arguments and options of the command line. */
export interface UserToAppoint {
  readonly email: string;
  /** Whether the user is to be no administrator any more. */
  readonly remove: boolean;
}

/** Makes a user an administrator, or an ordinary user again, also while the service runs, and returns the exit code. */
export async function appointUser(
  { config, log, say }: CommandContext,
  { email, remove }: UserToAppoint,
): Promise<number> {
  const database = await openExisting(config, { parts: [], say, onLost: (reason) => say(reason.message) });
  try {
    const pool = createPool(database.connection, log, 2);
    try {
      await migrateDatabase(pool);
      const { appointAdministrator } = await import("../app.ts");
      const done = await appointAdministrator(drizzleOver(pool), { clock: systemClock }, { email, remove });
      if ("refused" in done) throw new Error(done.refused);
      const state = remove ? "no administrator" : "an administrator";
      say(`${done.email} (${done.id}) is ${done.hasChanged ? "now" : "already"} ${state}`);
      if (done.remaining === 0) say("Nobody is an administrator now");
      return 0;
    } finally {
      await pool.end();
    }
  } finally {
    await database.close();
  }
}
