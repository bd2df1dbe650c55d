import { existsSync } from "node:fs";
import path from "node:path";
import type pg from "pg";
import { findBinaries, reachableBinaries } from "./embedded/binaries.ts";
import { createCluster } from "./embedded/create-cluster.ts";
import { launch } from "./embedded/launch.ts";
import { findCluster, type Location, locate } from "./embedded/location.ts";
import { poll } from "./embedded/poll.ts";
import { readPostmasterFile, removeStaleLock } from "./embedded/postmaster.ts";
import { findRunning, halt, type Reachable, tell } from "./embedded/running.ts";
import { serviceDatabase, serviceRole, writeSettings } from "./embedded/settings.ts";
import {
  asConnectionString,
  connectionTo,
  leaveSocket,
  type Socket,
  socketFolder,
  socketPort,
} from "./embedded/socket-folder.ts";
import { DISK_FULL, explaining, lacksRoom, StartFailure } from "./embedded/start-failure.ts";

export { explainRoom, StartFailure } from "./embedded/start-failure.ts";

/** Options of {@link startEmbeddedPostgres}. */
export interface EmbeddedOptions {
  /** The data directory; created if missing. */
  dataDir: string;
  /** Gets one line for each noteworthy event: first creation, choice of another place, adoption. */
  log: (line: string) => void;
  /** False: a crash of the machine may lose data, which makes tests faster. True by default. */
  durable?: boolean;
  /** True: the cluster existed a moment ago, so a missing one is an error and not created. False by default. */
  mustExist?: boolean;
  /** The user's own folder for sockets, used if the temporary folder is unsuitable. */
  runtimeFolder?: string | undefined;
}

/** A running PostgreSQL of this project. */
export interface EmbeddedPostgres {
  /** How to connect as the owner of the database `estimation`, who may also create databases. */
  connection: pg.PoolConfig;
  /** The same as a string. */
  connectionString: string;
  /** Whether it was already running. */
  adopted: boolean;
  /** PostgreSQL's data_directory. */
  location: string;
  /** Process id of the server. */
  pid: number;
  /**
   * Stops the server, whichever process started it, and resolves when it is gone. End pools first. May be called again.
   */
  stop(): Promise<void>;
  /** Tells the server to stop and does not wait; works even if this process ends at once. */
  stopWithoutWaiting(): Promise<void>;
}

/** What PostgreSQL logs while an earlier server, or remaining processes of a killed one, still hold the cluster. */
const passing =
  /lock file ".*" already exists|pre-existing shared memory block|could not bind|Address already in use|could not create lock file ".*": No such file/;

/** Processes of a killed PostgreSQL end by themselves within one to two seconds. */
const passingTimeoutMs = 30_000;

/**
 * Starts PostgreSQL on the data directory, or adopts the one that is already running there; creates the cluster first
 * if there is none. It keeps running when this process ends without calling `stop`, and the next call adopts it. Two
 * calls at once for one directory, in one process or several, get the same server.
 * @throws StartFailure if it cannot start, with one line that says why.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { log, durable = true, mustExist = false, runtimeFolder } = options;
  const installed = findBinaries();
  const dataDir = path.resolve(options.dataDir);
  if (mustExist && !existsSync(dataDir)) throw new StartFailure(`the data directory ${dataDir} has disappeared`);
  const location = await locate(dataDir, log);
  if (mustExist && !existsSync(location.cluster)) {
    throw new StartFailure(`the database in ${location.cluster} has disappeared`);
  }
  const binaries = await reachableBinaries(installed, location.account, log);
  await createCluster(location, binaries, { durable, log });

  let told = "";
  const found = await poll<{ server: Reachable; adopted: boolean }>(
    async () => {
      const running = await findRunning(location);
      if (running !== undefined) return { server: running, adopted: true };
      const socket = await prepare(location, { durable, runtimeFolder });
      const result = await launch(location, binaries).catch(async (error) => {
        await leaveSocket(socket);
        throw error;
      });
      if (result.ready) {
        const { pid, socket } = result;
        return { server: { pid, socket, cluster: location.cluster }, adopted: false };
      }
      told = result.told;
      if (!passing.test(told)) {
        await leaveSocket(socket);
        if (await lacksRoom(location.cluster)) told = DISK_FULL;
        throw new StartFailure(`PostgreSQL did not start: ${told} (see ${location.logFile})`);
      }
      await removeStaleLock(socketLock(socket), location.cluster);
      return undefined;
    },
    { timeoutMs: passingTimeoutMs, intervalMs: 100 },
  );
  if (found === undefined) throw new StartFailure(`PostgreSQL did not start: ${told} (see ${location.logFile})`);
  const { server, adopted } = found;
  const connection = connectionTo(server.socket, serviceRole, serviceDatabase);
  return {
    connection,
    connectionString: asConnectionString(connection),
    adopted,
    location: location.cluster,
    pid: server.pid,
    stop: () => halt(server),
    stopWithoutWaiting: () => tell(server, "fast"),
  };
}

/** Returns whether a data directory has a database. */
export const hasCluster = async (dataDir: string): Promise<boolean> => (await findCluster(dataDir)) !== undefined;

/** Returns how to connect to the PostgreSQL that runs on a data directory; undefined if none does. Starts nothing. */
export async function findEmbeddedPostgres(dataDir: string): Promise<pg.PoolConfig | undefined> {
  const cluster = await findCluster(dataDir);
  const socket = cluster === undefined ? undefined : (await readPostmasterFile(cluster))?.socket;
  return socket === undefined ? undefined : connectionTo(socket, serviceRole, serviceDatabase);
}

async function prepare(
  location: Location,
  { durable, runtimeFolder }: Pick<EmbeddedOptions, "durable" | "runtimeFolder">,
): Promise<Socket> {
  const socket = { folder: await socketFolder(location, runtimeFolder), port: socketPort };
  await explaining(`write to ${location.cluster}`, () => writeSettings(location, socket, { durable: durable ?? true }));
  return socket;
}

/** The file beside a socket that contains PostgreSQL's process id. */
const socketLock = ({ folder, port }: Socket): string => path.join(folder, `.s.PGSQL.${port}.lock`);
