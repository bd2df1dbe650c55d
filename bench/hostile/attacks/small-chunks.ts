import type { Attack } from "../attack.ts";

const LOGINS = 8;
const LOGIN_BYTES = 16 * 1024;
const TREES = 4;
const TREE_BYTES = 1024 * 1024;
/** Written at once; each chunk is one byte. */
const CHUNKS = 4_096;
const SMALL = Buffer.from("1\r\n \r\n".repeat(CHUNKS));

let token = "";
let path = "";

const head = (method: string, url: string, more = "") =>
  `${method} ${url} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n${more}\r\n`;

export const attack: Attack = {
  what: `bodies in chunks of one byte: ${LOGINS} at once to login, and ${TREES} at once by a user`,
  async prepare({ signUp, send }) {
    ({ token } = await signUp());
    const made = await send("POST", "/api/estimations", { token, body: { title: "Chunks" } });
    path = `/api/estimations/${JSON.parse(made.text).data.estimation.id}`;
  },
  async run({ connect, repeat }) {
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
    await Promise.all([
      repeat(LOGINS, () => send(head("POST", "/api/auth/login"), LOGIN_BYTES)),
      repeat(TREES, () =>
        send(head("PUT", `${path}/tree`, `Authorization: Bearer ${token}\r\n`), TREE_BYTES, "127.0.0.67"),
      ),
    ]);
  },
};
