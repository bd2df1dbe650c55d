import pg from "pg";
import { connectionTo, type Endpoint } from "./endpoint.ts";
import { halt, type Running, tell, waitUntilGone } from "./halt.ts";
import type { Location } from "./location.ts";
import { poll } from "./poll.ts";
import { postmasterFile, readPostmasterFile, removeStaleLock } from "./postmaster-file.ts";
import { identify, isAlive } from "./process-identity.ts";
import { serviceDatabase, serviceRole } from "./settings.ts";

/** Another start may be recovering from a crash, and an earlier stop may be writing out; both end by themselves. */
const settleTimeoutMs = 120_000;

/** A running PostgreSQL that accepts connections. */
export interface Reachable extends Running {
  endpoint: Endpoint;
}

/**
 * Finds the PostgreSQL that already runs on this cluster: left by a killed service, or just started by another process.
 * Waits for one that is starting. Ends the connections of one that is stopping. When this returns undefined, one that was
 * stopping or unreachable is gone.
 */
export async function findRunning(location: Location, pgCtl: string): Promise<Reachable | undefined> {
  const { cluster } = location;
  const file = await readPostmasterFile(cluster);
  if (file === undefined) return undefined;
  if ((await identify(file.pid, cluster)) !== "postgres") {
    // PostgreSQL itself detects a process id that is not in use, but not one that another program uses.
    if (isAlive(file.pid)) await removeStaleLock(postmasterFile(cluster), cluster);
    return undefined;
  }
  const running = { pid: file.pid, cluster, endpoint: file.endpoint, pgCtl };
  const endpoint = await whenReachable(running, location);
  if (endpoint !== undefined) return { ...running, endpoint };
  if (!(await waitUntilGone(running, 0))) await halt(running);
  return undefined;
}

/**
 * Returns where it listens, once it accepts connections; undefined if it has ended, or listens at an unreachable place.
 */
async function whenReachable(running: Running, location: Location): Promise<Endpoint | undefined> {
  const { pid, cluster } = running;
  let hurried = false;
  const found = await poll<Endpoint | "never">(
    async () => {
      const file = await readPostmasterFile(cluster);
      if (file?.pid === pid && file.status === "stopping" && !hurried) {
        // After SIGTERM it would wait for open connections.
        hurried = true;
        await tell(running, "fast");
      }
      if (file?.pid === pid && file.status === "ready" && file.endpoint !== undefined) {
        const answer = await tryToConnect(file.endpoint, location);
        if (answer !== "later") return answer === "listening" ? file.endpoint : "never";
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
async function tryToConnect(endpoint: Endpoint, location: Location): Promise<"listening" | "later" | "nobody"> {
  const connection = await connectionTo(endpoint, location, serviceRole, serviceDatabase);
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
