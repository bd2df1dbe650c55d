import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { Clock } from "../platform/clock.ts";
import { addressGroup } from "./client-address.ts";

/** New connections of one address that are read within a period; the others wait for the next period. */
export const BEGUN_IN_PERIOD = 4;
const PERIOD_MS = 10;

/** Connections of one address beyond its bound that are being answered; more are closed without an answer. */
export const REFUSED_AT_ONCE = 16;
/** Connections of one address that linger with a refused body; while there are so many, new ones are not read. */
export const LINGERING_AT_ONCE = 32;
/** Connections of one address within {@link EXCESS_MS} that sent more at once than one may; after that, new ones are not read. */
export const EXCESSES_AT_ONCE = 8;
export const EXCESS_MS = 1_000;

export interface ConnectionBound {
  /** Open connections of one address; an IPv6 network of 64 bits counts as one. */
  readonly perAddress: number;
  /** Whether an address belongs to a proxy, which carries the connections of many clients. */
  readonly isProxy: (address: string) => boolean;
  readonly clock: Pick<Clock, "after">;
  /** Answers on a connection beyond the bound, and closes it. */
  readonly refuse: (socket: Socket) => void;
}

/** To be called for connections that others must not wait for. */
export interface Noticed {
  /** It is kept open for the rest of a refused body. */
  onLinger(socket: Socket): void;
  /** It sent more at once than it may. Returns whether few of its address did so within {@link EXCESS_MS}. */
  onExcess(socket: Socket): boolean;
}

/**
 * Bounds how many connections each address has open: each costs memory and time, of the service and of the system, before the caller is known. Connections beyond the bound are refused, and closed without an answer if several are being refused already. Of many new ones at once only a few are read at a time, so that other addresses need not wait for all of them; and none are read while many of the same address are open only to receive the rest of a refused body, or have just sent more at once than they may.
 */
export function boundConnections(server: Server, { perAddress, isProxy, clock, refuse }: ConnectionBound): Noticed {
  const [open, refused, lingering, excesses] = [createCounts(), createCounts(), createCounts(), createCounts()];
  // Node's own, which begin to read requests.
  const listeners = server.listeners("connection");
  const begin = (socket: Socket) => {
    for (const listener of listeners) listener.call(server, socket);
  };
  const mayBegin = (group: string) => lingering.of(group) < LINGERING_AT_ONCE && excesses.of(group) < EXCESSES_AT_ONCE;
  const beginInTurn = inTurns(clock, begin, mayBegin);
  const countUntilClosed = (counts: Counts, socket: Socket, group: string) => {
    counts.add(group, 1);
    socket.once("close", () => counts.add(group, -1));
  };
  server.removeAllListeners("connection");
  server.on("connection", (socket: Socket) => {
    const address = socket.remoteAddress ?? "";
    if (isProxy(address)) {
      begin(socket);
      return;
    }
    const group = addressGroup(address);
    if (open.of(group) < perAddress) {
      countUntilClosed(open, socket, group);
      beginInTurn(socket, group);
    } else if (refused.of(group) < REFUSED_AT_ONCE) {
      countUntilClosed(refused, socket, group);
      refuse(socket);
      // Nothing is read but what has arrived: its sender sees the refusal unless it sends much at once.
      socket.pause();
    } else socket.destroy();
  });
  const groupOf = ({ remoteAddress = "" }: Socket) => addressGroup(remoteAddress);
  return {
    onLinger: (socket) => countUntilClosed(lingering, socket, groupOf(socket)),
    onExcess(socket) {
      const group = groupOf(socket);
      excesses.add(group, 1);
      clock.after(EXCESS_MS, () => excesses.add(group, -1));
      return excesses.of(group) <= EXCESSES_AT_ONCE;
    },
  };
}

/**
 * Returns the function that begins to read a connection: at once, or in a later period if its group has begun enough in
 * this one, or is held back.
 */
function inTurns(
  clock: ConnectionBound["clock"],
  begin: (socket: Socket) => void,
  mayBegin: (group: string) => boolean,
) {
  const begun = createCounts();
  let waiting: (readonly [Socket, string])[] = [];
  let inPeriod = false;
  const take = (socket: Socket, group: string) => {
    if (!inPeriod) clock.after(PERIOD_MS, next);
    inPeriod = true;
    if (begun.of(group) < BEGUN_IN_PERIOD && mayBegin(group)) {
      begun.add(group, 1);
      begin(socket);
    } else waiting.push([socket, group]);
  };
  const next = () => {
    const all = waiting;
    waiting = [];
    begun.clear();
    inPeriod = false;
    for (const [socket, group] of all) if (!socket.destroyed) take(socket, group);
  };
  return (socket: Socket, group: string): void => {
    // While it waits, nothing else listens to its errors.
    socket.on("error", () => {});
    take(socket, group);
  };
}

type Counts = ReturnType<typeof createCounts>;

function createCounts() {
  const counts = new Map<string, number>();
  const of = (name: string) => counts.get(name) ?? 0;
  return {
    of,
    clear: () => counts.clear(),
    add(name: string, more: number): void {
      const count = of(name) + more;
      if (count > 0) counts.set(name, count);
      else counts.delete(name);
    },
  };
}
