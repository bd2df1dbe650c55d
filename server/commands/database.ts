import type pg from "pg";
import type { Config } from "../config.ts";
import { openDataDirectory } from "../db/data-directory.ts";
import type { Part } from "../db/data-directory-lock.ts";

/** The database that a command works on, whoever runs it. */
export interface OpenDatabase {
  connection: pg.PoolConfig;
  /** For the operator: where the data is. */
  where: string;
  /** Lets a second start on the same data directory name the address of this one. */
  publish(url: string): Promise<void>;
  /** Gives it back, and stops PostgreSQL if it is ours and nobody else uses it. End pools first. */
  close(): Promise<void>;
  /** The same without waiting, for a process that must end at once. */
  abandon(): Promise<void>;
}

/**
 * Opens the server of DATABASE_URL, or else the embedded PostgreSQL of the data directory, of which it takes `parts`.
 * @param onLost the database is lost for good; the command must end.
 * @throws StartFailure with one line that says why not.
 */
export async function openDatabase(
  { databaseUrl, dataDir, runtimeFolder }: Config,
  options: { parts: readonly Part[]; say: (line: string) => void; onLost: (reason: Error) => void },
): Promise<OpenDatabase> {
  if (databaseUrl !== null) {
    const nothing = async () => {};
    // Neither name and password nor parameters, which may hold a password too.
    const where = `PostgreSQL at ${databaseUrl.replace(/\?.*$/s, "").replace(/^.*(@|:\/\/)/s, "")}`;
    return { connection: { connectionString: databaseUrl }, where, publish: nothing, close: nothing, abandon: nothing };
  }
  const { parts, say, onLost } = options;
  const directory = await openDataDirectory({ dataDir, parts, log: say, onLost, runtimeFolder });
  return { ...directory, where: directory.location };
}
