import { randomBytes } from "node:crypto";
import { createPool, drizzleOver } from "../db/database.ts";
import { migrateDatabase } from "../db/migrate.ts";
import { systemClock } from "../platform/clock.ts";
import { createIds } from "../platform/ids.ts";
import { openDatabase } from "./database.ts";
import { readPassword } from "./read-password.ts";
import type { CommandContext } from "./serve.ts";

/** Arguments and options of the command line. */
export interface UserToAdd {
  readonly email: string;
  readonly name: string | undefined;
  readonly verified: boolean;
}

const GENERATED_BYTES = 15;

/**
 * Creates an account, also while the service runs on the same data directory or database, and returns the exit code. The
 * password is asked for at the terminal or read from a pipe; if none is given, one is generated and printed.
 */
export async function addUser({ config, log, say }: CommandContext, user: UserToAdd): Promise<number> {
  const given = await readPassword(process.stdin, (text) => process.stderr.write(text));
  const password = given || randomBytes(GENERATED_BYTES).toString("base64url");
  const database = await openDatabase(config, { parts: [], say, onLost: (reason) => say(reason.message) });
  try {
    const pool = createPool(database.connection, log, 2);
    try {
      await migrateDatabase(pool);
      const { createAccount } = await import("../app.ts");
      const services = { clock: systemClock, ids: createIds(systemClock) };
      const made = await createAccount(drizzleOver(pool), services, { ...user, password });
      if ("refused" in made) throw new Error(made.refused);
      say(`Made the account ${made.email} (${made.id})`);
      if (given === "") say(`Password: ${password}`);
      return 0;
    } finally {
      await pool.end();
    }
  } finally {
    await database.close();
  }
}
