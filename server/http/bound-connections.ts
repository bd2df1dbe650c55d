import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { Clock } from "../platform/clock.ts";
import { addressGroup } from "./client-address.ts";

/** Connections of one address that begin to be read within a period; the others wait for the next one. */
export const BEGUN_IN_PERIOD = 16;
const PERIOD_MS = 10;

export interface ConnectionBound {
  /** Open connections of one address; an IPv6 network of 64 bits counts as one. */
  readonly perAddress: number;
  /** Whether an address is a proxy's, which carries the connections of many. */
  readonly isProxy: (address: string) => boolean;
  readonly clock: Pick<Clock, "after">;
  /** Answers on a connection beyond the bound, and closes it. */
  readonly refuse: (socket: Socket) => void;
}

/**
 * Bounds how many connections each address has open: each costs memory and time, of the service and of the system, before
 * it is known who it is. Beyond the bound connections are refused; where as many are being refused already, they are closed
 * without an answer. Of many new ones at once only a few are read at a time, so that those of other addresses need not wait
 * for all of them.
 */
export function boundConnections(server: Server, { perAddress, isProxy, clock, refuse }: ConnectionBound): void {
  const [open, refused] = [createCounts(), createCounts()];
  // Node's own, which begin to read requests.
  const listeners = server.listeners("connection");
  const begin = inTurns(clock, (socket) => {
    for (const listener of listeners) listener.call(server, socket);
  });
  server.removeAllListeners("connection");
  server.on("connection", (socket: Socket) => {
    const address = socket.remoteAddress ?? "";
    if (isProxy(address)) {
      begin(socket);
      return;
    }
    const group = addressGroup(address);
    const isFree = open.of(group) < perAddress;
    if (!isFree && refused.of(group) >= perAddress) {
      socket.destroy();
      return;
    }
    const counts = isFree ? open : refused;
    counts.add(group, 1);
    socket.once("close", () => counts.add(group, -1));
    if (isFree) {
      begin(socket, group);
    } else {
      refuse(socket);
      // Nothing is read but what has arrived: its sender sees the refusal unless it sends much at once.
      socket.pause();
    }
  });
}

/** Returns what begins a connection: at once, or in a later period if its group has begun enough of them in this one. */
function inTurns(clock: ConnectionBound["clock"], begin: (socket: Socket) => void) {
  const begun = createCounts();
  let waiting: (readonly [Socket, string])[] = [];
  const take = (socket: Socket, group: string) => {
    if (begun.isEmpty()) clock.after(PERIOD_MS, next);
    if (begun.of(group) < BEGUN_IN_PERIOD) {
      begun.add(group, 1);
      begin(socket);
    } else waiting.push([socket, group]);
  };
  const next = () => {
    const all = waiting;
    waiting = [];
    begun.clear();
    for (const [socket, group] of all) if (!socket.destroyed) take(socket, group);
  };
  return (socket: Socket, group?: string): void => {
    if (group === undefined) {
      begin(socket);
    } else {
      // While it waits nobody else hears of its errors.
      socket.on("error", () => {});
      take(socket, group);
    }
  };
}

function createCounts() {
  const counts = new Map<string, number>();
  const of = (name: string) => counts.get(name) ?? 0;
  return {
    of,
    isEmpty: () => counts.size === 0,
    clear: () => counts.clear(),
    add(name: string, more: number): void {
      const count = of(name) + more;
      if (count > 0) counts.set(name, count);
      else counts.delete(name);
    },
  };
}
