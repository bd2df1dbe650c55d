import { resolve } from "node:path";
import { UnusableBackup } from "../db/backup/format.ts";
import { everyPart } from "../db/data-directory-lock.ts";
import { createPool } from "../db/database.ts";
import { monotonicMs, systemClock } from "../platform/clock.ts";
import { type OpenDatabase, openDatabase } from "./database.ts";
import { fileFault } from "./file-fault.ts";
import type { CommandContext } from "./serve.ts";

/**
 * Fills an empty database with a backup, and returns the exit code. The whole file is checked before a database is opened or
 * made; what is refused later leaves no rows.
 */
export async function restore({ config, log, say }: CommandContext, name: string): Promise<number> {
  const file = resolve(name);
  let database: OpenDatabase | undefined;
  try {
    const { startRestore } = await import("../app.ts");
    const startedMs = monotonicMs();
    const restoring = await startRestore(file, config);
    try {
      const onLost = (reason: Error) => say(reason.message);
      database = await openDatabase(config, { parts: everyPart, say, onLost });
      const pool = createPool(database.connection, log, 2);
      const { tables } = await restoring.into(pool, systemClock.now()).finally(() => pool.end());
      const rows = tables.reduce((sum, table) => sum + table.rows, 0);
      const { header, keepsSessions } = restoring.backup;
      const seconds = ((monotonicMs() - startedMs) / 1_000).toFixed(1);
      say(`Restored ${rows} rows of ${tables.length} tables in ${seconds} s, as they were at ${header.madeAt}`);
      if (!keepsSessions)
        say("SESSION_SECRET is another one than before: to sign everybody out, run: npx node main.js accept-secrets");
      say("No webhook, mail or export is sent until you run: npx node main.js resume");
      return 0;
    } finally {
      await restoring.close();
    }
  } catch (error) {
    if (error instanceof UnusableBackup) throw new Error(`cannot restore ${file}: ${error.message}`, { cause: error });
    throw fileFault(error, `read ${file}`) ?? (database === undefined ? error : await database.explain(error));
  } finally {
    // Connections of the pool may still be ending when PostgreSQL does.
    log.level = "silent";
    await database?.close();
  }
}
