/**
 * Innocent users, in a process of their own: steady requests at fixed times, whatever becomes of the earlier ones, each
 * timed from when it was due. Told a number of seconds, it returns how they fared.
 */
import { Agent, request } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { createClient } from "../../contract/client.ts";

export interface Fared {
  readonly p50: number;
  readonly p99: number;
  readonly sent: number;
  /** Requests that were not answered, or with an error. */
  readonly failed: number;
}

const USERS = 5;
const EVERY_MS = 20;
const TIMEOUT_MS = 10_000;

const url = process.argv[2] ?? "";
const agent = new Agent({ keepAlive: true, maxSockets: 64 });

interface User {
  readonly token: string;
  readonly path: string;
}

async function signUp(at: number): Promise<User> {
  let token: string | null = null;
  const client = createClient(url, () => token);
  const email = `innocent-${at}@example.com`;
  ({
    data: { token },
  } = await client.registerUser({ body: { email, password: "correct horse battery" } }));
  const { data } = await client.createEstimation({ body: { title: "A shop" } });
  return { token, path: `/api/estimations/${data.estimation.id}` };
}

/** Sends one request; returns whether it succeeded. */
function send(method: string, path: string, token: string, body?: object): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const sent = request(url + path, { method, agent, headers, timeout: TIMEOUT_MS }, (answer) => {
    answer.resume().on("end", () => resolve((answer.statusCode ?? 500) < 300));
  });
  sent.on("timeout", () => sent.destroy());
  sent.on("error", () => resolve(false));
  sent.end(body && JSON.stringify(body));
  return promise;
}

/** What they do in turn: read a list, read an estimation, write one. */
const requests = ({ token, path }: User) => [
  () => send("GET", "/api/estimations", token),
  () => send("GET", path, token),
  () => send("PUT", path, token, { description: `at ${performance.now()}` }),
];

async function work(users: readonly User[], seconds: number): Promise<Fared> {
  const sends = users.map(requests);
  const begin = performance.now();
  const under: Promise<{ ms: number; ok: boolean }>[] = [];
  for (let at = 0; at * EVERY_MS < seconds * 1_000; at += 1) {
    const due = begin + at * EVERY_MS;
    if (due > performance.now()) await wait(due - performance.now());
    const turns = sends[at % sends.length] ?? [];
    const turn = turns[Math.floor(at / sends.length) % turns.length];
    const ended = turn?.() ?? Promise.resolve(false);
    under.push(ended.then((ok) => ({ ms: ok ? performance.now() - due : TIMEOUT_MS, ok })));
  }
  const all = await Promise.all(under);
  const times = all.map(({ ms }) => ms).sort((a, b) => a - b);
  const rank = (share: number) => times[Math.ceil(times.length * share) - 1] ?? 0;
  return { p50: rank(0.5), p99: rank(0.99), sent: all.length, failed: all.filter(({ ok }) => !ok).length };
}

const users = await Promise.all(Array.from({ length: USERS }, (_, at) => signUp(at)));
process.on("message", async ({ seconds }: { seconds: number }) => process.send?.(await work(users, seconds)));
process.on("disconnect", () => process.exit(0));
process.on("SIGINT", () => process.exit(0));
process.send?.("ready");
