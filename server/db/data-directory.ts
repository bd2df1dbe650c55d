import pg from "pg";
import { type DataDirectoryLock, lockDataDirectory, type Part } from "./data-directory-lock.ts";
import { poll } from "./embedded/poll.ts";
import { type EmbeddedPostgres, StartFailure, startEmbeddedPostgres } from "./embedded.ts";

/** What {@link openDataDirectory} is told. */
export interface DataDirectoryOptions {
  dataDir: string;
  /** What this process runs; none: it only works on the data, beside whoever runs. */
  parts: readonly Part[];
  log: (line: string) => void;
  /** The database is lost for good, or another process has taken the directory: this one must end. */
  onLost: (reason: Error) => void;
}

/** A data directory whose PostgreSQL runs, with the parts asked for held by this process. */
export interface DataDirectory {
  connection: pg.PoolConfig;
  connectionString: string;
  /** PostgreSQL's data_directory. */
  location: string;
  /** Lets a second start on this directory name the address of this one. */
  publish(url: string): Promise<void>;
  /** Gives the directory up, and stops PostgreSQL unless another process still uses it. End pools first. */
  close(): Promise<void>;
  /** The same for a process that must end at once: PostgreSQL is told to stop and not waited for. */
  abandon(): Promise<void>;
}

/** An earlier holder may be stopping PostgreSQL just now, which takes as long as it has to write out. */
const settleTimeoutMs = 60_000;

/**
 * Starts or adopts the PostgreSQL of a data directory and takes the directory for this process. Should PostgreSQL
 * break down later, it is started again in the same place, where connections find it.
 * @throws StartFailure with one line that says why not, and who holds the directory if somebody does.
 */
export async function openDataDirectory(options: DataDirectoryOptions): Promise<DataDirectory> {
  const { dataDir, parts, log, onLost } = options;
  let published: string | undefined;
  let closing = false;
  let recovery = Promise.resolve();

  const open = async () => {
    const held = await openOnce(dataDir, parts, log, () => {
      if (!closing) recovery = recover();
    });
    if (published !== undefined) await held.lock.publish(published);
    return held;
  };
  const recover = async () => {
    log("The connection to PostgreSQL broke: looking after it");
    try {
      current = await open();
      log("PostgreSQL is back");
    } catch (error) {
      onLost(error instanceof Error ? error : new Error(String(error)));
    }
  };

  let current = await open();
  return {
    connection: current.server.connection,
    connectionString: current.server.connectionString,
    location: current.server.location,
    async publish(url) {
      published = url;
      await current.lock.publish(url);
    },
    async close() {
      closing = true;
      await recovery;
      // Whoever cannot ask leaves PostgreSQL running: the next start adopts it.
      const last = await current.lock.releaseOrHoldAll().catch(() => false);
      // Stopped while the lock is held, so that nobody can take the directory in between.
      if (last) await current.server.stop();
      await current.lock.close();
    },
    async abandon() {
      closing = true;
      const last = await current.lock.releaseOrHoldAll().catch(() => false);
      if (last) await current.server.stopWithoutWaiting();
    },
  };
}

interface Held {
  server: EmbeddedPostgres;
  lock: DataDirectoryLock;
}

async function openOnce(
  dataDir: string,
  parts: readonly Part[],
  log: (line: string) => void,
  onLost: () => void,
): Promise<Held> {
  let failure: unknown;
  const held = await poll<Held>(
    async () => {
      const server = await startEmbeddedPostgres({ dataDir, log });
      try {
        const lock = await lockDataDirectory(server.connection, { dataDir, parts, onLost });
        if (server.adopted) log("PostgreSQL was running already: using it");
        return { server, lock };
      } catch (error) {
        if (!isPassing(error)) throw error;
        failure = error;
        return undefined;
      }
    },
    { timeoutMs: settleTimeoutMs, intervalMs: 50 },
  );
  if (held !== undefined) return held;
  throw new StartFailure(`cannot connect to the database in ${dataDir}: ${String(failure)}`, { cause: failure });
}

/** Whether a connection was refused or cut because PostgreSQL is being stopped or started. */
function isPassing(error: unknown): boolean {
  if (error instanceof StartFailure) return false;
  return !(error instanceof pg.DatabaseError) || error.code?.startsWith("57P") === true;
}
