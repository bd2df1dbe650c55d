import pg from "pg";
import type { Config } from "../config.ts";
import { openDataDirectory } from "../db/data-directory.ts";
import type { Part } from "../db/data-directory-lock.ts";
import { explainRoom, hasCluster, StartFailure } from "../db/embedded.ts";
import { databaseFault } from "./database-faults.ts";

/** The database that a command works on, whoever runs it. */
export interface OpenDatabase {
  connection: pg.PoolConfig;
  /** Where the data is, to show to the operator. */
  where: string;
  /** Returns the error that says that the disk is full, if that is why a command failed; else the error. */
  explain(error: unknown): Promise<unknown>;
  /** Stores this process's address, so that a refused second start on the same data directory can show it. */
  publish(url: string): Promise<void>;
  /** Releases it, and stops the embedded PostgreSQL if nobody else uses it. End pools first. */
  close(): Promise<void>;
  /** The same without waiting, for a process that must end at once. */
  abandon(): Promise<void>;
}

/**
 * Opens the server of DATABASE_URL, or without that setting the embedded PostgreSQL of the data directory, whose `parts`
 * this process then holds.
 * @param onLost called when the database is lost for good; the command must end.
 * @throws StartFailure with one line that gives the reason.
 */
export async function openDatabase(
  { databaseUrl, dataDir, runtimeFolder }: Config,
  options: {
    parts: readonly Part[];
    say: (line: string) => void;
    onLost: (reason: Error) => void;
    /** Resolves when the command is asked to stop. */
    whenStopped?: Promise<unknown>;
  },
): Promise<OpenDatabase> {
  if (databaseUrl !== null) {
    const nothing = async () => {};
    const kept = { explain: async (error: unknown) => error, publish: nothing, close: nothing, abandon: nothing };
    // Without user name, password and parameters: a parameter can contain a password too.
    const where = `PostgreSQL at ${databaseUrl.replace(/\?.*$/s, "").replace(/^.*(@|:\/\/)/s, "")}`;
    await tryToConnect(databaseUrl);
    return { connection: { connectionString: databaseUrl }, where, ...kept };
  }
  const { parts, say, onLost, whenStopped } = options;
  const directory = await openDataDirectory({ dataDir, parts, log: say, onLost, runtimeFolder, whenStopped });
  const { location: where } = directory;
  return { ...directory, where, explain: (error) => explainRoom(error, where) };
}

/** The same for a command that works on what is stored: it makes no new database. */
export async function openExisting(config: Config, options: Parameters<typeof openDatabase>[1]): Promise<OpenDatabase> {
  if (config.databaseUrl === null && !(await hasCluster(config.dataDir)))
    throw new StartFailure(
      `there is no database in ${config.dataDir}: set DATA_DIR or DATABASE_URL as the service has it`,
    );
  return await openDatabase(config, options);
}

const connectTimeoutMs = 10_000;

/** @throws StartFailure with the line that says what is wrong with DATABASE_URL. */
async function tryToConnect(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: connectTimeoutMs });
  client.on("error", () => {});
  try {
    await client.connect();
  } catch (error) {
    const fault = databaseFault(error, databaseUrl);
    throw fault === undefined ? error : new StartFailure(fault, { cause: error });
  } finally {
    await client.end().catch(() => {});
  }
}
