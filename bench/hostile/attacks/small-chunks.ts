import { setTimeout as wait } from "node:timers/promises";
import type { Attack } from "../attack.ts";

const LOGINS = 8;
const LOGIN_BYTES = 16 * 1024;
const TREES = 4;
const TREE_BYTES = 1024 * 1024;
/** As many connections as an address may have, and one body in each, again and again. */
const BURSTS_FROM = ["127.0.0.80", "127.0.0.81", "127.0.0.82", "127.0.0.83"];
const BURST = 250;
const BURST_BYTES = 10_900;
const BURST_EVERY_MS = 4_000;
/** Written at once; each chunk is one byte. */
const CHUNKS = 4_096;
const SMALL = Buffer.from("1\r\n \r\n".repeat(CHUNKS));

let token = "";
let path = "";

const head = (method: string, url: string, more = "") =>
  `${method} ${url} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n${more}\r\n`;

export const attack: Attack = {
  what: `bodies in chunks of one byte: ${LOGINS} at once to login, ${TREES} at once by a user, and ${BURSTS_FROM.length * BURST} to login every ${BURST_EVERY_MS / 1_000} s`,
  async prepare({ signUp, send }) {
    ({ token } = await signUp());
    const made = await send("POST", "/api/estimations", { token, body: { title: "Chunks" } });
    path = `/api/estimations/${JSON.parse(made.text).data.estimation.id}`;
  },
  async run({ connect, repeat, signal }) {
    /** Sends a body, and waits until the connection is closed. */
    const send = async (start: string, bytes: number, from?: string) => {
      const socket = connect(from);
      const closed = new Promise((resolve) => socket.once("close", resolve));
      socket.once("data", () => socket.destroy());
      socket.write(start);
      for (let left = bytes; left > 0 && !socket.destroyed; left -= CHUNKS)
        await Promise.race([new Promise((resolve) => socket.write(SMALL, resolve)), closed]);
      socket.end("0\r\n\r\n");
      await closed;
    };
    const burst = async (from: string) => {
      while (!signal.aborted) {
        const again = wait(BURST_EVERY_MS);
        await Promise.all(
          Array.from({ length: BURST }, () => send(head("POST", "/api/auth/login"), BURST_BYTES, from)),
        );
        await again;
      }
    };
    await Promise.all([
      ...BURSTS_FROM.map(burst),
      repeat(LOGINS, () => send(head("POST", "/api/auth/login"), LOGIN_BYTES)),
      repeat(TREES, () =>
        send(head("PUT", `${path}/tree`, `Authorization: Bearer ${token}\r\n`), TREE_BYTES, "127.0.0.67"),
      ),
    ]);
  },
};
