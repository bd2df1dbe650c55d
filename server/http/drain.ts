import type { Server as HttpServer } from "node:http";
import { Server } from "node:net";
import { pause, systemClock } from "../platform/clock.ts";

/** How often to look whether connections are left, in milliseconds. */
const LOOK_MS = 50;

/**
 * Takes no new connection from now on, and waits until those that are open are closed, for `idleMs` milliseconds at most. A
 * proxy sends requests on connections that it keeps, also at the moment when they are closed, and must not repeat a POST that
 * was lost so. Every response says that its connection ends, and the proxy closes the others by itself.
 */
export async function drain(server: HttpServer, idleMs: number): Promise<void> {
  if (idleMs === 0) return;
  // That of HTTP would close idle connections at once.
  Server.prototype.close.call(server);
  const open = () =>
    new Promise<number>((resolve) => server.getConnections((error, count) => resolve(error ? 0 : count)));
  for (let waitedMs = 0; waitedMs < idleMs && (await open()) > 0; waitedMs += LOOK_MS)
    await pause(systemClock, LOOK_MS);
}
