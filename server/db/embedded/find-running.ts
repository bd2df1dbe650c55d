import pg from "pg";
import { connectionTo, type Endpoint } from "./endpoint.ts";
import { halt, type Running, waitUntilGone } from "./halt.ts";
import type { Location } from "./location.ts";
import { poll } from "./poll.ts";
import { postmasterFile, readPostmasterFile, removeStaleLock } from "./postmaster-file.ts";
import { identify, isAlive } from "./process-identity.ts";
import { serviceDatabase, serviceRole } from "./settings.ts";

/** Another start may be replaying what a crash left, and an earlier stop may be writing out; both end by themselves. */
const settleTimeoutMs = 120_000;

/** A running PostgreSQL that accepts connections. */
export interface Reachable extends Running {
  endpoint: Endpoint;
}

/**
 * Finds the PostgreSQL that runs on this cluster already: left by a service that was killed, or started a moment ago
 * by another. One that is starting is waited for; one that is stopping, or cannot be connected to, is gone when this
 * answers undefined.
 */
export async function findRunning(location: Location, pgCtl: string): Promise<Reachable | undefined> {
  const { cluster } = location;
  const file = await readPostmasterFile(cluster);
  if (file === undefined) return undefined;
  if ((await identify(file.pid, cluster)) !== "postgres") {
    // PostgreSQL itself sees through the number of no process, but not through one that is taken.
    if (isAlive(file.pid)) await removeStaleLock(postmasterFile(cluster), cluster);
    return undefined;
  }
  const running = { pid: file.pid, cluster, endpoint: file.endpoint, pgCtl };
  const endpoint = await whenReady(running);
  if (endpoint !== undefined && (await accepts(endpoint, location))) return { ...running, endpoint };
  if (!(await waitUntilGone(running, 0))) await halt(running);
  return undefined;
}

async function whenReady({ pid, cluster }: Running): Promise<Endpoint | undefined> {
  const found = await poll<Endpoint | "gone">(
    async () => {
      const file = await readPostmasterFile(cluster);
      if (file?.pid === pid && file.status === "ready") return file.endpoint ?? "gone";
      return (await identify(pid, cluster)) === "postgres" ? undefined : "gone";
    },
    { timeoutMs: settleTimeoutMs },
  );
  return found === "gone" ? undefined : found;
}

/** Whether a connection can be made, for which a cleaner of temporary folders may have taken away the socket. */
async function accepts(endpoint: Endpoint, location: Location): Promise<boolean> {
  const connection = await connectionTo(endpoint, location, serviceRole, serviceDatabase);
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 5_000 });
  client.on("error", () => {});
  try {
    await client.connect();
    return true;
  } catch (error) {
    // Too many connections also means that it is there.
    return error instanceof pg.DatabaseError && error.code === "53300";
  } finally {
    await client.end().catch(() => {});
  }
}
