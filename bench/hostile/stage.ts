import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { Agent, request } from "node:http";
import { connect } from "node:net";
import { constants, setPriority } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import pg from "pg";
import type { Answer, Sending, Stage } from "./attack.ts";
import { shapeOf } from "./shape-of.ts";

/** Every address of 127.0.0.0/8 is this machine: the attacker's is another one than the innocent users'. */
const ATTACKER = "127.0.0.66";

interface Setting {
  readonly url: string;
  readonly dataDir: string;
  readonly connection: pg.PoolConfig;
  readonly signal: AbortSignal;
}

/** A stage that is to be closed. */
interface OpenStage extends Stage {
  /** The last answer to each kind of request. */
  readonly answers: Readonly<Record<string, Answer>>;
  close(): Promise<void>;
}

/** Gives an attack its means. */
export async function setStage({ url, dataDir, connection, signal }: Setting): Promise<OpenStage> {
  // The attacker's own work is not what is measured: elsewhere it would have a machine of its own.
  setPriority(process.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  const agent = new Agent({ keepAlive: true });
  const pool = new pg.Pool({ ...connection, max: 2 });
  pool.on("error", () => {});
  const { hostname, port } = new URL(url);
  const answers: Record<string, Answer> = {};

  const send = async (
    method: string,
    path: string,
    { token, body, headers = {}, from = ATTACKER }: Sending = {},
  ): Promise<Answer> => {
    const raw = typeof body === "string" || body instanceof Uint8Array;
    const sent = request(url + path, {
      method,
      agent,
      localAddress: from,
      signal,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
    });
    try {
      const answered = once(sent, "response");
      sent.end(body === undefined || raw ? body : JSON.stringify(body));
      const [response] = await answered;
      const answer = { status: response.statusCode, text: await text(response), headers: response.headers };
      answers[shapeOf(method, path)] = answer;
      return answer;
    } catch {
      return { status: 0, text: "", headers: {} };
    }
  };

  return {
    url,
    dataDir,
    pool,
    postgresPid: Number.parseInt(await readFile(join(dataDir, "postgresql", "postmaster.pid"), "utf8"), 10),
    signal,
    answers,
    send,
    connect(from = ATTACKER) {
      const socket = connect({ host: hostname, port: Number(port), localAddress: from });
      socket.on("error", () => {}).resume();
      signal.addEventListener("abort", () => socket.destroy(), { once: true });
      return socket;
    },
    async signUp() {
      const body = { email: `${randomUUID()}@example.com`, password: "correct horse battery" };
      const answer = await send("POST", "/api/auth/register", { body });
      const { data } = JSON.parse(answer.text);
      return { token: data.token, userId: data.user.id };
    },
    async repeat(atOnce, work) {
      const one = async () => {
        while (!signal.aborted) await work();
      };
      await Promise.all(Array.from({ length: atOnce }, one));
    },
    async close() {
      agent.destroy();
      await pool.end();
    },
  };
}
