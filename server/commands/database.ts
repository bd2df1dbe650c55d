import pg from "pg";
import type { Config } from "../config.ts";
import { openDataDirectory } from "../db/data-directory.ts";
import { type Part, takenBy } from "../db/data-directory-lock.ts";
import { lacksRoom, StartFailure } from "../db/embedded.ts";
import { createHolderNotes } from "../db/holder-note.ts";
import { databaseFault } from "./database-faults.ts";

/** The database that a command works on, whoever runs it. */
export interface OpenDatabase {
  connection: pg.PoolConfig;
  /** Where the data is, to show to the operator. */
  where: string;
  /** Returns whether the database lacks room on its disk, as far as this machine can tell. */
  lacksRoom(): Promise<boolean>;
  /** Stores this process's address, so that a refused second start on the same data directory can show it. */
  publish(url: string): Promise<void>;
  /** Says that this process was asked to stop, and that PostgreSQL may have been told so too. */
  expectStop(): void;
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
    const kept = {
      lacksRoom: async () => false,
      publish: nothing,
      expectStop: () => {},
      close: nothing,
      abandon: nothing,
    };
    // Without user name, password and parameters: a parameter can contain a password too.
    const where = `PostgreSQL at ${databaseUrl.replace(/\?.*$/s, "").replace(/^.*(@|:\/\/)/s, "")}`;
    await tryToConnect(databaseUrl);
    return { connection: { connectionString: databaseUrl }, where, ...kept };
  }
  const { parts, say, onLost, whenStopped } = options;
  const directory = await openDataDirectory({ dataDir, parts, log: say, onLost, runtimeFolder, whenStopped });
  const { location: where } = directory;
  return { ...directory, where, lacksRoom: () => lacksRoom(where) };
}

/** Refuses where another process holds one of the `parts` of the data directory. Makes no query. */
export async function holderOf({ databaseUrl, dataDir }: Config, parts: readonly Part[]): Promise<Error | undefined> {
  const pid = databaseUrl === null ? await createHolderNotes(dataDir, parts).findOther() : undefined;
  return pid === undefined ? undefined : takenBy(dataDir, `process ${pid}`);
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
