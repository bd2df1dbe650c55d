import pg from "pg";
import { sleep } from "../platform/clock.ts";
import { type DataDirectoryLock, DirectoryTaken, lockDataDirectory, type Part } from "./data-directory-lock.ts";
import { poll } from "./embedded/poll.ts";
import {
  DISK_FULL,
  type EmbeddedPostgres,
  hasCluster,
  lacksRoom,
  StartFailure,
  startEmbeddedPostgres,
} from "./embedded.ts";
import { createHolderNotes, type HolderNotes } from "./holder-note.ts";
import { tryAgain, untilThereIsRoom } from "./try-again.ts";

/** Options of {@link openDataDirectory}. */
export interface DataDirectoryOptions {
  dataDir: string;
  /** The parts that this process runs; none if it only works on the data, beside the processes that run. */
  parts: readonly Part[];
  log: (line: string) => void;
  /** Called when another process has taken the directory: this process must end. */
  onLost: (reason: Error) => void;
  /** As in `EmbeddedOptions`. */
  runtimeFolder?: string | undefined;
  /** Resolves when this process is asked to stop. */
  whenStopped?: Promise<unknown> | undefined;
}

/** A data directory whose PostgreSQL is running, with the requested parts held by this process. */
export interface DataDirectory {
  connection: pg.PoolConfig;
  connectionString: string;
  /** PostgreSQL's data_directory. */
  location: string;
  /** Records this process's address, so that a second start on this directory can show it. */
  publish(url: string): Promise<void>;
  /**
   * Says that this process was asked to stop. If PostgreSQL was told so too, as systemd tells every process of a service,
   * it may let the requests under way end; otherwise such a PostgreSQL is ended and started again.
   */
  expectStop(): void;
  /** Releases the directory, and stops PostgreSQL unless another process still uses it. End pools first. */
  close(): Promise<void>;
  /** The same for a process that must end at once: tells PostgreSQL to stop and does not wait. */
  abandon(): Promise<void>;
}

/** An earlier holder may be stopping PostgreSQL right now, which takes as long as it has to write out. */
const settleTimeoutMs = 60_000;

/**
 * Time until the first retry of a PostgreSQL that does not come back; it doubles with each retry, up to the longest.
 */
const firstPauseMs = 250;
const longestPauseMs = 4_000;

/** If PostgreSQL is still coming back when this process ends, it is left to the next start after this time. */
const longestWaitMs = 10_000;

/**
 * Starts or adopts the PostgreSQL of a data directory and takes the directory for this process. If PostgreSQL breaks
 * down later, it is restarted in the same place, where connections find it, for as long as necessary. A process that runs a
 * part waits for room on the disk where there is a database already.
 * @throws StartFailure with one line that says why it failed, and who holds the directory if another process does.
 */
export async function openDataDirectory(options: DataDirectoryOptions): Promise<DataDirectory> {
  const { dataDir, parts, log, onLost, runtimeFolder, whenStopped } = options;
  const notes = createHolderNotes(dataDir, parts);
  const whenClosing = Promise.withResolvers<void>();
  let published: string | undefined;
  let closing = false;
  let recovery = Promise.resolve();
  let isStopExpected = false;
  let endWatch = () => {};

  const open = async (mustExist: boolean) => {
    const held = await openOnce({ dataDir, parts, notes, log, mustExist, runtimeFolder }, () => {
      if (!closing) recovery = recover();
    });
    endWatch();
    if (!isStopExpected) endWatch = held.server.hurryWhenToldToStop();
    // A connection that breaks here is handled like any other.
    if (published !== undefined) await held.lock.publish(published).catch(() => {});
    return held;
  };
  // Whatever keeps PostgreSQL from coming back (a full disk, an unmounted folder) may pass, and meanwhile every request
  // is told to retry. So this process ends only if another process has taken the directory.
  const recover = async () => {
    log("The connection to PostgreSQL broke: looking after it");
    const isTaken = async (reason: Error) =>
      reason instanceof DirectoryTaken && (await notes.findOther()) !== undefined;
    try {
      current = await tryAgain(() => open(true), {
        ...{ firstPauseMs, longestPauseMs, log, until: "it works", whenOver: whenClosing.promise },
        mayPass: async (reason) => !(await isTaken(reason)),
      });
      log("PostgreSQL is back");
    } catch (reason) {
      if (!closing) onLost(reason as Error);
    }
  };

  let current = await untilThereIsRoom(() => open(false), {
    ...{ log, whenOver: whenStopped ?? whenClosing.promise },
    mayWait: async (reason) => parts.length > 0 && !(reason instanceof DirectoryTaken) && (await hasCluster(dataDir)),
  });
  return {
    connection: current.server.connection,
    connectionString: current.server.connectionString,
    location: current.server.location,
    async publish(url) {
      published = url;
      await current.lock.publish(url);
    },
    expectStop() {
      isStopExpected = true;
      endWatch();
    },
    async close() {
      closing = true;
      whenClosing.resolve();
      await Promise.race([recovery, sleep(longestWaitMs)]);
      endWatch();
      // If the lock cannot be asked for, PostgreSQL is left running: the next start adopts it.
      const last = await current.lock.releaseOrHoldAll().catch(() => false);
      // Stopped while holding the lock, so that nobody can take the directory in between.
      if (last) await current.server.stop();
      await current.lock.close();
    },
    async abandon() {
      closing = true;
      whenClosing.resolve();
      const last = await current.lock.releaseOrHoldAll().catch(() => false);
      if (last) await current.server.stopWithoutWaiting();
    },
  };
}

interface Held {
  server: EmbeddedPostgres;
  lock: DataDirectoryLock;
}

interface Opening extends Omit<DataDirectoryOptions, "onLost"> {
  notes: HolderNotes;
  mustExist: boolean;
}

async function openOnce(opening: Opening, onLost: () => void): Promise<Held> {
  const { dataDir, parts, notes, log, mustExist, runtimeFolder } = opening;
  let failure: unknown;
  let started: EmbeddedPostgres | undefined;
  try {
    const held = await poll<Held>(
      async () => {
        const server = await startEmbeddedPostgres({ dataDir, log, mustExist, runtimeFolder });
        if (!server.adopted) started = server;
        try {
          const lock = await lockDataDirectory(server.connection, { dataDir, parts, notes, onLost });
          if (server.adopted) log("PostgreSQL was running already: using it");
          return { server, lock };
        } catch (error) {
          if (!isPassing(error)) throw await explainRoom(error, server, dataDir);
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

/** PostgreSQL may run with so little room that it has none for a connection; what it says then does not name the disk. */
async function explainRoom(error: unknown, { location }: EmbeddedPostgres, dataDir: string): Promise<unknown> {
  if (error instanceof StartFailure || !(await lacksRoom(location))) return error;
  return new StartFailure(`cannot open the database in ${dataDir}: ${DISK_FULL}`, { cause: error });
}

/** Returns whether a connection was refused or cut because PostgreSQL is stopping or starting. */
function isPassing(error: unknown): boolean {
  if (error instanceof StartFailure) return false;
  return !(error instanceof pg.DatabaseError) || error.code?.startsWith("57P") === true;
}
