import { randomBytes } from "node:crypto";
import { createPool } from "../db/database.ts";
import { migrateDatabase } from "../db/migrate.ts";
import { openDatabase } from "./database.ts";
import type { CommandContext } from "./serve.ts";

const PASSWORD_BYTES = 15;

/** Makes an account with examples, also while the service runs, prints its password, and returns the exit code. */
export async function makeDemo({ config, log, say }: CommandContext, email: string): Promise<number> {
  const password = randomBytes(PASSWORD_BYTES).toString("base64url");
  const database = await openDatabase(config, { parts: [], say, onLost: (reason) => say(reason.message) });
  try {
    const pool = createPool(database.connection, log, 2);
    try {
      await migrateDatabase(pool);
      const { createDemo } = await import("../app.ts");
      const made = await createDemo(pool, { config, log }, { email, password });
      if ("refused" in made) throw new Error(made.refused);
      say(`Made the account ${made.email} (${made.id}) with three examples`);
      say(`Password: ${password}`);
      say(`Sign in at ${config.webUrl}`);
      return 0;
    } finally {
      await pool.end();
    }
  } finally {
    await database.close();
  }
}
