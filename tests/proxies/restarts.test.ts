import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { limits } from "../../contract/limits.ts";
import { monotonicMs } from "../../server/platform/clock.ts";
import { start, until } from "../harness.ts";
import { runAnother } from "../support/another-process.ts";
import { freePort } from "../support/free-port.ts";
import { patient } from "../support/patience.ts";
import { startReceiver } from "../support/receiver.ts";
import type { ServiceProcess } from "../support/service-process.ts";
import { clientAt, type Response, startProxy } from "./proxy.ts";

const APIS = 3;
const WORKERS = 2;
const USERS = 6;
/** Before a refused request is repeated, in milliseconds. */
const PAUSE_MS = 20;
/** Between two generations of tasks of a user, in milliseconds: however fast the machine, within the limit. */
const GENERATE_EVERY_MS = 60_000 / limits.generationsPerMinute;
/** So many requests of every user are accepted before the next process ends. */
const BETWEEN = 5;

const app = await start();
const receiver = await startReceiver();
const ports = await Promise.all(Array.from({ length: APIS }, () => freePort()));
const nginx = await startProxy("nginx", ...ports);

/** Runs a process until it is restarted, and again. */
async function runAgain(name: string, args: string[], environment: Record<string, string> = {}) {
  const dataDir = join(app.services.config.dataDir, name);
  const run = async (): Promise<ServiceProcess> => {
    const service = await runAnother(app, ["serve", ...args], {
      DATA_DIR: dataDir,
      BASE_URL: `https://localhost:${nginx.port}`,
      TRUST_PROXY: "127.0.0.1/32",
      WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8",
      // Leases of a worker that was killed last as much longer.
      WEBHOOK_TIMEOUT: "1",
      RATE_LIMIT_AUTH_PER_MINUTE: "1000000",
      RATE_LIMIT_PER_MINUTE: "1000000",
      ...environment,
    });
    await until(() => /Ctrl-C stops it/.test(service.output.out) || !service.isRunning());
    if (!service.isRunning()) throw new Error(`${name} did not start:\n${service.output.out}\n${service.output.err}`);
    return service;
  };
  let service = await run();
  return {
    async restart(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
      service.send(signal);
      expect(await service.exitCode, service.output.err).toBe(signal === "SIGTERM" ? 0 : null);
      service = await run();
    },
  };
}

interface Kept {
  readonly id: string;
  readonly title: string;
  readonly generated: boolean;
}

/** A user who makes and changes estimations, one request after the other, until `isOver`. What was refused is repeated. */
async function beginUser(at: number) {
  const send = clientAt(nginx, `127.0.0.${10 + at}`);
  const json = (value: unknown) => JSON.stringify(value);
  const signedUp = await send("POST", "/api/auth/register", {
    body: json({ email: `user${at}@example.com`, password: "correct horse battery" }),
  });
  const { token } = JSON.parse(signedUp.text).data;
  const { text: hooked } = await send("POST", "/api/webhooks", {
    token,
    body: json({ url: `${receiver.url}/${at}`, events: ["estimation.tasks_generated"] }),
  });
  if (!JSON.parse(hooked).success) throw new Error(hooked);
  const kept: Kept[] = [];
  const refused: string[] = [];
  let accepted = 0;
  let isOver = false;

  /** Sends a request until it is accepted, under one key; another response than a refusal for now fails the test. */
  async function insist(method: string, path: string, key: string, body?: unknown): Promise<Response> {
    for (;;) {
      const given = { token, headers: { "idempotency-key": key }, ...(body === undefined ? {} : { body: json(body) }) };
      const response = await send(method, path, given).catch((error) => String(error));
      if (typeof response === "string" || response.status === 503) {
        refused.push(`${method} ${path}: ${typeof response === "string" ? response : response.text}`);
        await wait(PAUSE_MS);
        continue;
      }
      if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${response.text}`);
      accepted += 1;
      return response;
    }
  }

  const work = async () => {
    let generatedAt = Number.NEGATIVE_INFINITY;
    for (let n = 0; !isOver; n += 1) {
      const made = await insist("POST", "/api/estimations", `make-${n}`, { title: `${n}` });
      const { id } = JSON.parse(made.text).data.estimation;
      const path = `/api/estimations/${id}`;
      const title = `${n} of ${at}`;
      await insist("PUT", path, `title-${n}`, { title });
      await insist("GET", path, `read-${n}`);
      const generated = monotonicMs() >= generatedAt + GENERATE_EVERY_MS;
      if (generated) {
        await insist("POST", `${path}/tasks/generate`, `generate-${n}`);
        generatedAt = monotonicMs();
      }
      kept.push({ id, title, generated });
    }
  };
  const done = work();
  // Whoever waits for it fails with it.
  done.catch(() => {});
  return {
    token,
    kept,
    refused,
    accepted: () => accepted,
    done,
    end: () => {
      isOver = true;
      return done;
    },
  };
}

test("processes are restarted, and killed, in turn without losing a write, a delivery or, at restarts, a request", {
  timeout: patient(150_000),
}, async () => {
  const apis = await Promise.all(
    ports.map((port, at) => runAgain(`api-${at}`, ["--only", "api"], { PORT: String(port) })),
  );
  for (let at = 0; at < WORKERS; at += 1) receiver.trustedBy(join(app.services.config.dataDir, `worker-${at}`));
  const workers = await Promise.all(
    Array.from({ length: WORKERS }, (_, at) => runAgain(`worker-${at}`, ["--only", "worker"])),
  );
  const users = await Promise.all(Array.from({ length: USERS }, (_, at) => beginUser(at)));

  /** Waits until each user had some more requests accepted. @throws why a user has failed. */
  const underLoad = async () => {
    const before = users.map(({ accepted }) => accepted());
    const isLoaded = until(() => users.every(({ accepted }, at) => accepted() >= Number(before[at]) + BETWEEN));
    await Promise.race([isLoaded, Promise.all(users.map(({ done }) => done))]);
  };
  const inTurn = async (signal: "SIGTERM" | "SIGKILL") => {
    for (const [at, api] of apis.entries()) {
      await underLoad();
      await Promise.all([api.restart(signal), workers[at]?.restart(signal)]);
    }
    await underLoad();
  };

  await inTurn("SIGTERM");
  expect(users.flatMap(({ refused }) => refused)).toEqual([]);
  await inTurn("SIGKILL");
  await Promise.all(users.map(({ end }) => end()));

  const stored = new Map(
    (await app.pool.query<{ id: string; title: string }>("select id, title from estimations")).rows.map((row) => [
      row.id,
      row.title,
    ]),
  );
  const kept = users.flatMap((user) => user.kept);
  // Nothing acknowledged is lost, and what was repeated is there once.
  expect(kept.filter(({ id, title }) => stored.get(id) !== title)).toEqual([]);
  expect(stored.size).toBe(kept.length);
  const awaited = new Set(kept.filter(({ generated }) => generated).map(({ id }) => id));
  await until(() => {
    for (const { body } of receiver.requests.splice(0)) awaited.delete(JSON.parse(body).estimationId);
    return awaited.size === 0;
  }).catch(() => {});
  expect([...awaited]).toEqual([]);
  console.log(
    `${kept.length} estimations, ${users.flatMap(({ refused }) => refused).length} requests repeated after kills`,
  );
});
