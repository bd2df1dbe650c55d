import { setTimeout as wait } from "node:timers/promises";
import type { Attack } from "../attack.ts";

const LOGINS = 900;
const TREES = 115;
/** What is refused comes again so much later. */
const AGAIN_MS = 2_000;
const MEBIBYTE = Buffer.alloc(1024 * 1024, " ");

let token = "";
let path = "";

const head = (method: string, url: string, bytes: number, more = "") =>
  `${method} ${url} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n${more}\r\n`;

export const attack: Attack = {
  what: `bodies that never end: ${LOGINS} of 1 MiB to login, and ${TREES} of 16 MiB by one user`,
  memoryMiB: 2_048,
  seconds: 20,
  async prepare({ signUp, send }) {
    ({ token } = await signUp());
    const made = await send("POST", "/api/estimations", { token, body: { title: "Large" } });
    path = `/api/estimations/${JSON.parse(made.text).data.estimation.id}/tree`;
  },
  async run({ connect, repeat }) {
    /** Sends all of a body but its last byte, and waits until the connection is closed. */
    const hold = async (start: string, mebibytes: number) => {
      const socket = connect();
      const closed = new Promise((resolve) => socket.once("close", resolve));
      socket.write(start);
      for (let sent = 0; sent < mebibytes && !socket.destroyed; sent += 1) {
        const part = sent === mebibytes - 1 ? MEBIBYTE.subarray(1) : MEBIBYTE;
        await Promise.race([new Promise((resolve) => socket.write(part, resolve)), closed]);
      }
      await Promise.all([closed, wait(AGAIN_MS)]);
    };
    await Promise.all([
      repeat(LOGINS, () => hold(head("POST", "/api/auth/login", MEBIBYTE.length), 1)),
      repeat(TREES, () => hold(head("PUT", path, 16 * MEBIBYTE.length, `Authorization: Bearer ${token}\r\n`), 16)),
    ]);
  },
};
