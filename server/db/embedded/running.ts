import pg from "pg";
import type { Location } from "./location.ts";
import { poll } from "./poll.ts";
import { identify, isAlive, postmasterFile, readPostmasterFile, removeStaleLock } from "./postmaster.ts";
import { serviceDatabase, serviceRole } from "./settings.ts";
import { connectionTo, leaveSocket, type Socket } from "./socket-folder.ts";

/** Another start may be recovering from a crash, and an earlier stop may be writing out; both end by themselves. */
const settleTimeoutMs = 120_000;

/** A running PostgreSQL that accepts connections. */
export interface Reachable extends Running {
  socket: Socket;
}

/**
 * Finds the PostgreSQL that already runs on this cluster: left by a killed service, or just started by another process.
 * Waits for one that is starting. Ends the connections of one that is stopping. When this returns undefined, one that was
 * stopping or unreachable is gone.
 */
export async function findRunning(location: Location): Promise<Reachable | undefined> {
  const { cluster } = location;
  const file = await readPostmasterFile(cluster);
  if (file === undefined) return undefined;
  if ((await identify(file.pid, cluster)) !== "postgres") {
    // PostgreSQL itself detects a process id that is not in use, but not one that another program uses.
    if (isAlive(file.pid)) await removeStaleLock(postmasterFile(cluster), cluster);
    return undefined;
  }
  const running = { pid: file.pid, cluster, socket: file.socket };
  const socket = await whenReachable(running);
  if (socket !== undefined) return { ...running, socket };
  if (!(await waitUntilGone(running, 0))) await halt(running);
  return undefined;
}

/**
 * Returns where it listens, once it accepts connections; undefined if it has ended, or listens at an unreachable place.
 */
async function whenReachable(running: Running): Promise<Socket | undefined> {
  const { pid, cluster } = running;
  let hurried = false;
  const found = await poll<Socket | "never">(
    async () => {
      const file = await readPostmasterFile(cluster);
      if (file?.pid === pid && file.status === "stopping" && !hurried) {
        // After SIGTERM it would wait for open connections.
        hurried = true;
        await tell(running, "fast");
      }
      if (file?.pid === pid && file.status === "ready" && file.socket !== undefined) {
        const response = await tryToConnect(file.socket);
        if (response !== "later") return response === "listening" ? file.socket : "never";
      }
      return (await identify(pid, cluster)) === "postgres" ? undefined : "never";
    },
    { timeoutMs: settleTimeoutMs },
  );
  return found === "never" ? undefined : found;
}

/**
 * Returns whether a server listens there: not if a cleaner of temporary folders has deleted the socket. A server that
 * is busy, or refuses this one connection, must not be replaced: others may be using it.
 */
async function tryToConnect(socket: Socket): Promise<"listening" | "later" | "nobody"> {
  const connection = connectionTo(socket, serviceRole, serviceDatabase);
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 10_000 });
  client.on("error", () => {});
  try {
    await client.connect();
    return "listening";
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code === "ENOENT" || code === "ECONNREFUSED") return "nobody";
    // "The database system is starting up", or shutting down.
    return code === "57P03" ? "later" : "listening";
  } finally {
    await client.end().catch(() => {});
  }
}

/** When stopping, PostgreSQL writes everything from memory to disk, which can take this long on a slow disk. */
const fastTimeoutMs = 30_000;
const immediateTimeoutMs = 5_000;

/** A running PostgreSQL. */
export interface Running {
  pid: number;
  cluster: string;
  socket: Socket | undefined;
}

/**
 * `fast` ends connections and writes everything out; `immediate` ends at once and leaves recovery to the next start.
 */
type HaltMode = "fast" | "immediate";

/**
 * Stops PostgreSQL: ends open connections, rolls back running transactions, writes everything out. If that takes too
 * long, stops it at once, and it recovers at its next start. Resolves when the process is gone.
 */
export async function halt(running: Running): Promise<void> {
  await tell(running, "fast");
  if (!(await waitUntilGone(running, fastTimeoutMs))) {
    await tell(running, "immediate");
    await waitUntilGone(running, immediateTimeoutMs);
  }
  await leaveSocket(running.socket);
}

/** Tells PostgreSQL to stop, without waiting. Does nothing if it is not running. */
export async function tell({ pid, cluster }: Running, mode: HaltMode): Promise<void> {
  if ((await identify(pid, cluster)) !== "postgres") return;
  try {
    process.kill(pid, mode === "fast" ? "SIGINT" : "SIGQUIT");
  } catch {
    // It ended between the two lines.
  }
}

/** Returns whether PostgreSQL ended within `timeoutMs`. */
async function waitUntilGone({ pid, cluster }: Running, timeoutMs: number): Promise<boolean> {
  const gone = async () => ((await identify(pid, cluster)) === "postgres" ? undefined : true);
  return (await poll(gone, { timeoutMs })) ?? false;
}
