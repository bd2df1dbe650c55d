/**
 * Innocent users, in a process of their own: steady requests at fixed times, whatever becomes of the earlier ones, each
 * timed from when it was due. Told a number of seconds, it returns how each went.
 */
import { Agent, request } from "node:http";
import { createClient } from "../../contract/client/client.ts";
import { doSteadily, type Ended, type Ending, serve, TIMEOUT_MS } from "./fared.ts";

const USERS = 5;
const EVERY_MS = 20;

const url = process.argv[2] ?? "";
const agent = new Agent({ keepAlive: true });

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

/** Sends one request; returns how it ended. */
function send(method: string, path: string, token: string, body?: object): Promise<Ending> {
  const { promise, resolve } = Promise.withResolvers<Ending>();
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const sent = request(url + path, { method, agent, headers, timeout: TIMEOUT_MS }, (response) => {
    response.resume().on("end", () => resolve(endingOf(response.statusCode ?? 500)));
  });
  sent.on("timeout", () => sent.destroy());
  sent.on("error", () => resolve("failed"));
  sent.end(body && JSON.stringify(body));
  return promise;
}

function endingOf(status: number): Ending {
  if (status < 300) return "done";
  return status === 503 ? "refused" : "failed";
}

/** What they do in turn: read a list, read an estimation, write one. */
const requests = ({ token, path }: User) => [
  () => send("GET", "/api/estimations", token),
  () => send("GET", path, token),
  () => send("PUT", path, token, { description: `at ${performance.now()}` }),
];

function work(users: readonly User[], seconds: number): Promise<Ended[]> {
  const sends = users.map(requests);
  return doSteadily(EVERY_MS, seconds, (at) => {
    const turns = sends[at % sends.length] ?? [];
    const turn = turns[Math.floor(at / sends.length) % turns.length];
    return turn?.() ?? Promise.resolve("failed");
  });
}

const users = await Promise.all(Array.from({ length: USERS }, (_, at) => signUp(at)));
serve((seconds) => work(users, seconds));
