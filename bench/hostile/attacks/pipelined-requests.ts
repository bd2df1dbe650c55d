import { setTimeout as wait } from "node:timers/promises";
import type { Attack } from "../attack.ts";

/** Each opens as many connections as an address may have. */
const SENDERS = ["127.0.0.84", "127.0.0.85", "127.0.0.86", "127.0.0.87"];
const CONNECTIONS = 250;
const REQUEST = "GET /api/auth/me HTTP/1.1\r\nHost: localhost\r\n\r\n";
/** As many as one read of a connection holds. */
const REQUESTS = Math.floor(65_536 / REQUEST.length);
const TOGETHER = Buffer.from(REQUEST.repeat(REQUESTS));
const EVERY_MS = 4_000;

export const attack: Attack = {
  what: `${REQUESTS} requests at once on each of ${SENDERS.length * CONNECTIONS} connections, every ${EVERY_MS / 1_000} s`,
  memoryMiB: 2_048,
  async run({ connect, signal }) {
    const sendAll = async (from: string) => {
      while (!signal.aborted) {
        const again = wait(EVERY_MS);
        const sockets = Array.from({ length: CONNECTIONS }, () => connect(from));
        for (const socket of sockets) socket.resume().write(TOGETHER);
        await again;
        for (const socket of sockets) socket.destroy();
      }
    };
    await Promise.all(SENDERS.map(sendAll));
  },
};
