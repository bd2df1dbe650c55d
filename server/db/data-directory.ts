import pg from "pg";
import { type Clock, every, monotonicMs, sleep, systemClock } from "../platform/clock.ts";
import { type DataDirectoryLock, DirectoryTaken, lockDataDirectory, type Part } from "./data-directory-lock.ts";
import { poll } from "./embedded/poll.ts";
import { readPostmasterFile } from "./embedded/postmaster.ts";
import { type EmbeddedPostgres, explainRoom, StartFailure, startEmbeddedPostgres } from "./embedded.ts";

/** Options of {@link openDataDirectory}. */
export interface DataDirectoryOptions {
  dataDir: string;
  /** The parts that this process runs; none if it only works on the data, beside the processes that run. */
  parts: readonly Part[];
  log: (line: string) => void;
  /** Called when PostgreSQL is lost for good, as another process has taken the directory: this process must end. */
  onLost: (reason: Error) => void;
  /** As in `EmbeddedOptions`. */
  runtimeFolder?: string | undefined;
  /** Resolves when this process is asked to stop: from then on it starts PostgreSQL no more. */
  whenStopped?: Promise<unknown> | undefined;
  /** When to look how PostgreSQL is; the system's by default. */
  clock?: Clock;
}

/** A data directory whose PostgreSQL is running, with the requested parts held by this process. */
export interface DataDirectory {
  connection: pg.PoolConfig;
  connectionString: string;
  /** PostgreSQL's data_directory. */
  location: string;
  /** Records this process's address, so that a second start on this directory can show it. */
  publish(url: string): Promise<void>;
  /** Releases the directory, and stops PostgreSQL unless another process still uses it. End pools first. */
  close(): Promise<void>;
  /** The same for a process that must end at once: tells PostgreSQL to stop and does not wait. */
  abandon(): Promise<void>;
}

/** An earlier holder may be stopping PostgreSQL right now, which takes as long as it has to write out. */
const settleTimeoutMs = 60_000;

/** Pauses between two starts of a PostgreSQL that does not stay, in milliseconds; each is twice as long as the one before. */
const firstPauseMs = 1_000;
const longestPauseMs = 30_000;

/** How often it is looked whether PostgreSQL got SIGTERM: then it refuses connections, and waits for those that there are. */
export const SMART_SHUTDOWN_CHECK_MS = 2_000;

/** If PostgreSQL is still coming back when this process ends, it is left to the next start after this time. */
const longestWaitMs = 10_000;

/**
 * Starts or adopts the PostgreSQL of a data directory and takes the directory for this process. If PostgreSQL ends
 * later, whoever ended it, a process that holds a part starts it again in the same place, where connections find it, for as
 * long as necessary.
 * @throws StartFailure with one line that says why it failed, and who holds the directory if another process does.
 */
export async function openDataDirectory(options: DataDirectoryOptions): Promise<DataDirectory> {
  const { parts, log, onLost, whenStopped, clock = systemClock } = options;
  const stopping = Promise.withResolvers<void>();
  let isStopping = false;
  let published: string | undefined;
  let recovery = Promise.resolve();
  let pauseMs = 0;
  let backAtMs = Number.NEGATIVE_INFINITY;

  const stop = () => {
    isStopping = true;
    stopping.resolve();
  };
  void whenStopped?.then(stop);
  const open = async (mustExist: boolean) => {
    const held = await openOnce({ ...options, mustExist }, () => {
      if (!isStopping) recovery = recover();
    });
    // A connection that breaks here is handled like any other.
    if (published !== undefined) await held.lock.publish(published).catch(() => {});
    return held;
  };
  // Whatever keeps PostgreSQL from coming back (a full disk, an unmounted folder) may pass, and meanwhile every request
  // is told to retry. So this process ends only if another process has taken the directory.
  const recover = async () => {
    log("The connection to PostgreSQL broke: looking after it");
    if (parts.length === 0) return onLost(new StartFailure("the connection to PostgreSQL broke"));
    // One that had run for long is started at once.
    if (monotonicMs() - backAtMs > longestPauseMs) pauseMs = 0;
    let told = "";
    for (;;) {
      await Promise.race([sleep(pauseMs), stopping.promise]);
      if (isStopping) return;
      pauseMs = Math.min(Math.max(2 * pauseMs, firstPauseMs), longestPauseMs);
      try {
        current = await open(true);
        backAtMs = monotonicMs();
        return log("PostgreSQL is back");
      } catch (error) {
        const reason = error instanceof Error ? error : new Error(String(error));
        if (reason instanceof DirectoryTaken) return onLost(reason);
        if (reason.message !== told) log(`${reason.message}; trying again until it works`);
        told = reason.message;
      }
    }
  };

  let current = await open(false);
  // Whoever stops the whole service tells this process as well, and it ends PostgreSQL itself.
  const escalateSmartShutdown = async () => {
    const status = (await readPostmasterFile(current.server.location))?.status;
    if (status === "stopping" && !isStopping) await current.server.stopWithoutWaiting();
  };
  const endChecks = parts.length === 0 ? () => {} : every(clock, SMART_SHUTDOWN_CHECK_MS, escalateSmartShutdown);
  void stopping.promise.then(endChecks);
  return {
    connection: current.server.connection,
    connectionString: current.server.connectionString,
    location: current.server.location,
    async publish(url) {
      published = url;
      await current.lock.publish(url);
    },
    async close() {
      stop();
      await Promise.race([recovery, sleep(longestWaitMs)]);
      // If the lock cannot be asked for, PostgreSQL is left running: the next start adopts it.
      const last = await current.lock.releaseOrHoldAll().catch(() => false);
      // Stopped while holding the lock, so that nobody can take the directory in between.
      if (last) await current.server.stop();
      await current.lock.close();
    },
    async abandon() {
      stop();
      const last = await current.lock.releaseOrHoldAll().catch(() => false);
      if (last) await current.server.stopWithoutWaiting();
    },
  };
}

interface Held {
  server: EmbeddedPostgres;
  lock: DataDirectoryLock;
}

interface Opening extends DataDirectoryOptions {
  mustExist: boolean;
}

async function openOnce(opening: Opening, onBroken: () => void): Promise<Held> {
  const { dataDir, parts, log, mustExist, runtimeFolder } = opening;
  let failure: unknown;
  let started: EmbeddedPostgres | undefined;
  try {
    const held = await poll<Held>(
      async () => {
        const server = await startEmbeddedPostgres({ dataDir, log, mustExist, runtimeFolder });
        if (!server.adopted) started = server;
        try {
          const lock = await lockDataDirectory(server.connection, { dataDir, parts, onLost: onBroken });
          if (server.adopted) log("PostgreSQL was running already: using it");
          return { server, lock };
        } catch (error) {
          if (!isPassing(error)) throw await explainRoom(error, server.location);
          failure = error;
          return undefined;
        }
      },
      { timeoutMs: settleTimeoutMs, intervalMs: 50 },
    );
    if (held !== undefined) return held;
    throw new StartFailure(`cannot connect to the database in ${dataDir}: ${String(failure)}`, { cause: failure });
  } catch (error) {
    // Nobody would end it otherwise; whoever has taken the directory uses it.
    if (!(error instanceof DirectoryTaken)) await started?.stop();
    throw error;
  }
}

/** Returns whether a connection was refused or cut because PostgreSQL is stopping or starting. */
function isPassing(error: unknown): boolean {
  if (error instanceof StartFailure) return false;
  return !(error instanceof pg.DatabaseError) || error.code?.startsWith("57P") === true;
}
