import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { createPool } from "../db/database.ts";
import { monotonicMs, systemClock } from "../platform/clock.ts";
import { openExisting } from "./database.ts";
import { fileFault } from "./file-fault.ts";
import type { CommandContext } from "./serve.ts";
import { watchForStop } from "./stop-request.ts";

/** Makes a backup, also while the service runs, and returns the exit code. A file that exists is left as it is. */
export async function backup({ config, log, say }: CommandContext, name: string): Promise<number> {
  const file = resolve(name);
  if (existsSync(file)) throw new Error(`${file} exists already: choose another name`);
  const stopping = new AbortController();
  const stop = watchForStop(() => process.exit(1));
  void stop.whenRequested.then(() => stopping.abort(new Error("stopped; no backup was made")));
  const database = await openExisting(config, { parts: [], say, onLost: (reason) => stopping.abort(reason) });
  try {
    const pool = createPool(database.connection, log, 1);
    try {
      const { makeBackup } = await import("../app.ts");
      const startedMs = monotonicMs();
      const options = { config, now: systemClock.now(), signal: stopping.signal };
      const { bytes, tables } = await makeBackup(pool, file, options);
      const rows = tables.reduce((sum, table) => sum + table.rows, 0);
      const seconds = (monotonicMs() - startedMs) / 1_000;
      say(`Backed up ${rows} rows of ${tables.length} tables in ${seconds.toFixed(1)} s: ${file} (${sizeOf(bytes)})`);
      say("Keep ENCRYPTION_KEY and SESSION_SECRET as well, in another place: it cannot be restored without them");
      return 0;
    } finally {
      await pool.end();
    }
  } catch (error) {
    throw fileFault(error, `write ${file}`) ?? error;
  } finally {
    // Connections of the pool may still be ending when PostgreSQL does.
    log.level = "silent";
    await database.close();
    stop.dispose();
  }
}

const sizeOf = (bytes: number): string =>
  bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
