import { setTimeout as wait } from "node:timers/promises";
import type { Attack } from "../attack.ts";

const LOGINS = 900;
const LOGIN_BYTES = 16 * 1024;
const TREES = 115;
const TREE_BYTES = 16 * 1024 * 1024;
/** What is refused comes again so much later. */
const AGAIN_MS = 2_000;
const CHUNK = Buffer.alloc(1024 * 1024, " ");

/** Those who send trees, each from an address of its own. */
const HOLDERS = ["127.0.0.66", "127.0.0.67", "127.0.0.68", "127.0.0.69"];
/** Somebody who finishes a large body now and then. */
const OTHER = "127.0.0.70";
const LARGE = JSON.stringify({ description: "Large" }).padStart(100_000);
const EVERY_MS = 250;

interface Holder {
  readonly from: string;
  readonly token: string;
  readonly path: string;
}

let holders: readonly Holder[] = [];
let other: Holder | undefined;
let answers: number[] = [];

const head = (method: string, url: string, bytes: number, more = "") =>
  `${method} ${url} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n${more}\r\n`;

export const attack: Attack = {
  what: `bodies that never end: ${LOGINS} of 16 KiB to login, and ${TREES} of 16 MiB by ${HOLDERS.length} users`,
  memoryMiB: 2_048,
  seconds: 20,
  async prepare({ signUp, send }) {
    const join = async (from: string): Promise<Holder> => {
      const { token } = await signUp();
      const made = await send("POST", "/api/estimations", { token, body: { title: "Large" }, from });
      return { from, token, path: `/api/estimations/${JSON.parse(made.text).data.estimation.id}` };
    };
    holders = await Promise.all(HOLDERS.map(join));
    other = await join(OTHER);
  },
  async run({ connect, repeat, send, signal }) {
    /** Sends all of a body but its last byte, and waits until the connection is closed. */
    const hold = async (start: string, bytes: number, from?: string) => {
      const socket = connect(from);
      const closed = new Promise((resolve) => socket.once("close", resolve));
      socket.write(start);
      for (let left = bytes - 1; left > 0 && !socket.destroyed; left -= CHUNK.length) {
        const part = CHUNK.subarray(0, left);
        await Promise.race([new Promise((resolve) => socket.write(part, resolve)), closed]);
      }
      await Promise.all([closed, wait(AGAIN_MS)]);
    };
    const holdTree = ({ from, token, path }: Holder) =>
      hold(head("PUT", `${path}/tree`, TREE_BYTES, `Authorization: Bearer ${token}\r\n`), TREE_BYTES, from);
    answers = [];
    const finish = async ({ from, token, path }: Holder) => {
      while (!signal.aborted) {
        const { status } = await send("PATCH", path, { token, body: LARGE, from });
        if (!signal.aborted) answers.push(status);
        await wait(EVERY_MS);
      }
    };
    let next = 0;
    await Promise.all([
      repeat(LOGINS, () => hold(head("POST", "/api/auth/login", LOGIN_BYTES), LOGIN_BYTES)),
      repeat(TREES, () => {
        next += 1;
        return holdTree(holders[next % holders.length] as Holder);
      }),
      finish(other as Holder),
    ]);
  },
  async find() {
    const refused = answers.filter((status) => status !== 200);
    const line = `of ${answers.length} large bodies of another user, ${refused.length} were refused`;
    return [{ line, ok: answers.length > 0 && refused.length === 0 }];
  },
};
