import type { Duplex } from "node:stream";
import { Client } from "undici";
import type { Connect } from "./connector.ts";

/** A connection to one origin that carries one request at a time; opened when the first one is sent. */
export interface Connection {
  readonly client: Client;
  readonly origin: string;
  /**
   * Calls `onMore` when more than `bytes` have been received from now on, whatever they stand for: an HTTP parser tells
   * nothing of what it skips, such as the extensions of chunks.
   */
  expect(bytes: number, onMore: () => void): void;
  close(): void;
}

export interface Connections {
  /** Returns an idle connection, or a new one. */
  take(origin: string): Connection;
  /** Takes back a connection: keeps it for later requests if its response was read to the end, else closes it. */
  giveBack(connection: Connection, complete: boolean): void;
  /** Closes every connection, including those in use. */
  close(): void;
}

export interface ConnectionsOptions {
  readonly connect: Connect;
  /** How long an idle connection stays open, in milliseconds, whatever the other side promises. */
  readonly idleMs: number;
  /** The most idle connections, to all origins together; beyond that the oldest are closed. */
  readonly idleMax: number;
}

/**
 * Keeps connections. Own code, because undici's agents keep one for every host ever requested, and do not tell which
 * one carries a request.
 */
export function createConnections({ connect, idleMs, idleMax }: ConnectionsOptions): Connections {
  const inUse = new Set<Connection>();
  /** The one used last comes last. */
  const idle: Connection[] = [];

  const closeIdle = (connection: Connection): void => {
    const at = idle.indexOf(connection);
    if (at === -1) return;
    idle.splice(at, 1);
    connection.close();
  };

  return {
    take(origin) {
      // The one used last: the other side is the least likely to close it at this moment.
      const at = idle.findLastIndex((connection) => connection.origin === origin);
      const [reused] = at === -1 ? [] : idle.splice(at, 1);
      const connection = reused ?? openConnection(origin, connect, idleMs);
      inUse.add(connection);
      // In use, undici makes it again for a request that has not been sent.
      if (!reused) connection.client.on("disconnect", () => closeIdle(connection));
      return connection;
    },
    giveBack(connection, complete) {
      if (!inUse.delete(connection)) return;
      if (!complete) return connection.close();
      connection.expect(0, () => closeIdle(connection));
      idle.push(connection);
      if (idle.length > idleMax) closeIdle(idle[0] as Connection);
    },
    close() {
      for (const connection of [...inUse, ...idle]) connection.close();
      inUse.clear();
      idle.length = 0;
    },
  };
}

function openConnection(origin: string, connect: Connect, idleMs: number): Connection {
  let opening: Duplex | undefined;
  let received = () => 0;
  let before = 0;
  let allowed = 0;
  let onMore = () => {};
  const client = new Client(origin, {
    allowH2: false,
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: idleMs,
    keepAliveMaxTimeout: idleMs,
    connect: (options, callback) => {
      opening = connect(options, (...[error, socket]) => {
        if (error !== null) return callback(error, null);
        received = () => socket.bytesRead;
        before = 0;
        // Before undici's own listener, so that nothing is parsed beyond what is allowed.
        socket.on("readable", () => {
          if (socket.bytesRead - before > allowed) onMore();
        });
        callback(null, socket);
      });
    },
  });
  return {
    client,
    origin,
    expect(bytes, action) {
      before = received();
      allowed = bytes;
      onMore = action;
    },
    close() {
      // undici leaves a connection that is still being made alone.
      opening?.destroy();
      void client.destroy();
    },
  };
}
