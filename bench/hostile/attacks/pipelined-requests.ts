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
/** Sends as many at once as a connection may, again and again, without a pause. */
const STEADY_SENDER = "127.0.0.88";
const STEADY_CONNECTIONS = 12;
const STEADY_REQUESTS = 4;

export const attack: Attack = {
  what: `${REQUESTS} requests at once on each of ${SENDERS.length * CONNECTIONS} connections, every ${EVERY_MS / 1_000} s, and ${STEADY_REQUESTS} at once on ${STEADY_CONNECTIONS} without a pause`,
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
    /** Sends the next ones as soon as all are answered. */
    const sendSteadily = () => {
      const socket = connect(STEADY_SENDER);
      const together = Buffer.from(REQUEST.repeat(STEADY_REQUESTS));
      let answers = 0;
      socket.setEncoding("latin1").on("data", (text: string) => {
        answers += text.split("HTTP/1.1 ").length - 1;
        if (answers < STEADY_REQUESTS) return;
        answers = 0;
        socket.write(together);
      });
      socket.write(together);
    };
    for (let at = 0; at < STEADY_CONNECTIONS; at += 1) sendSteadily();
    await Promise.all(SENDERS.map(sendAll));
  },
};
