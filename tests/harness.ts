import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { type Logger, pino } from "pino";
import { inject } from "vitest";
import type { Method } from "../contract/endpoint.ts";
import type { ApiParts } from "../server/api.ts";
import { type ServiceOptions, startService } from "../server/app.ts";
import { type Config, loadConfig } from "../server/config.ts";
import { preparePages } from "../server/pages/index.ts";
import type { HashCost } from "../server/platform/passwords.ts";
import type { Services } from "../server/services/index.ts";
import { createFakeClock, type FakeClock } from "./fake-clock.ts";
import { judgeResponsesOf, sendRequest } from "./judged-fetch.ts";
import { atEndOfFile } from "./support/end-of-file.ts";
import { patient } from "./support/patience.ts";
import { ObservedClient } from "./support/refused-writes.ts";
import { TEMPLATE } from "./template.ts";

/** A JSON value whose fields a test reads without declaring a type. A missing field is undefined, and the test fails. */
export interface Json {
  readonly [name: string]: Json;
  readonly [index: number]: Json;
}

export interface Response {
  readonly status: number;
  readonly headers: Headers;
  /** The response's JSON. */
  readonly body: Json;
  readonly data: Json;
  readonly text: string;
}

export interface RequestOptions {
  /** Bearer credential. */
  readonly token?: string;
  /** Sent as JSON; text and bytes are sent unchanged. */
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

export interface TestUser {
  readonly token: string;
  readonly userId: string;
  readonly email: string;
  readonly password: string;
}

/** The service on its own database, with a clock that stands still. */
export interface TestApp {
  readonly url: string;
  readonly services: Services;
  readonly clock: FakeClock;
  /** Connections to the app's database, to look at what was stored. */
  readonly pool: pg.Pool;
  readonly connection: pg.PoolConfig;
  request(method: Method | string, path: string, options?: RequestOptions): Promise<Response>;
  signUp(email?: string): Promise<TestUser>;
  /** Creates an API key of `user` with `scopes`; returns its plaintext. */
  makeKey(user: TestUser, scopes: readonly string[]): Promise<string>;
  stop(): Promise<void>;
}

export interface StartOptions {
  readonly config?: Partial<Config>;
  /** Runs the background worker too. */
  readonly worker?: boolean;
  /** Receives the log; by default nothing is logged. */
  readonly log?: Logger;
  /** Hashes passwords at the service's cost; by default at a low one, because nearly every test creates users. */
  readonly fullPasswordCost?: boolean;
  /** Serves the web application too, built if it is not. */
  readonly pages?: boolean;
  /** Plants faults in the API. */
  readonly plant?: (parts: ApiParts) => ApiParts;
  /** How long requests wait for a lock in the database; by default so long that a busy machine makes no test fail. */
  readonly lockMs?: number;
  /** How names of other servers are resolved. */
  readonly resolve?: ServiceOptions["resolve"];
  /** How long a proxy has to close its idle connections. */
  readonly proxyIdleMs?: number;
  /** When it is; by default now, because the database, which schedules jobs, uses the real time. */
  readonly at?: string;
}

const LOW_COST: HashCost = { memoryKib: 64, passes: 1, parallelism: 1 };

/** In seconds. Threads measure it by the machine's clock, which a busy machine must not make fail tests. */
const REQUEST_TIMEOUT = "600";
const LOCK_MS = 600_000;
/** How long requests, and the worker's queue, wait for a connection at least: as long as by default outside of tests. */
const CONNECTION_MS = 5_000;

/** Starts the service for a test file; it is stopped after the file's last test. */
export async function start({
  config = {},
  worker = false,
  log = pino({ level: "silent" }),
  fullPasswordCost = false,
  pages = false,
  plant,
  lockMs = LOCK_MS,
  resolve,
  proxyIdleMs = 0,
  at,
}: StartOptions = {}): Promise<TestApp> {
  const dataDir = await mkdtemp(join(tmpdir(), "estimation-test-"));
  const database = await cloneDatabase();
  const clock = createFakeClock(at === undefined ? undefined : new Date(at));
  const service = await startService({
    config: {
      ...loadConfig({ DATA_DIR: dataDir, PORT: "0", RATE_LIMIT_PER_MINUTE: "1000000", REQUEST_TIMEOUT }),
      ...config,
    },
    connection: {
      ...database.connection,
      lock_timeout: lockMs,
      connectionTimeoutMillis: Math.max(CONNECTION_MS, lockMs),
      Client: ObservedClient,
    },
    log,
    only: worker ? undefined : "api",
    pages: pages ? await preparePages() : undefined,
    clock,
    resolve,
    passwordCost: fullPasswordCost ? undefined : LOW_COST,
    adjust: plant,
    proxyIdleMs,
  });
  const pool = new pg.Pool({ ...database.connection, max: 4 });
  pool.on("error", () => {});
  const endJudging = judgeResponsesOf(service.url);
  let stopped = false;
  const app: TestApp = {
    url: service.url,
    services: service.services,
    clock,
    pool,
    connection: database.connection,
    request: (method, path, options) => request(service.url, method, path, options),
    async signUp(email = `${randomBytes(6).toString("hex")}@example.com`) {
      const password = "correct horse battery";
      const { status, data, text } = await app.request("POST", "/api/auth/register", { body: { email, password } });
      if (status !== 201) throw new Error(`registering returned ${status}: ${text}`);
      return { token: String(data.token), userId: String(data.user?.id), email, password };
    },
    async makeKey({ token }, scopes) {
      const { data, text } = await app.request("POST", "/api/api-keys", { token, body: { name: "test", scopes } });
      if (!data.plaintext) throw new Error(`making a key failed: ${text}`);
      return String(data.plaintext);
    },
    async stop() {
      if (stopped) return;
      stopped = true;
      await service.stop();
      endJudging();
      await pool.end();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  atEndOfFile(app.stop);
  return app;
}

/** Sends one request to `url` and reads the response. */
export async function request(
  url: string,
  method: string,
  path: string,
  options: RequestOptions = {},
): Promise<Response> {
  const { token, body, headers = {} } = options;
  const raw = typeof body === "string" || body instanceof Uint8Array;
  const { text, ...response } = await sendRequest(url + path, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      // As `fetch` asks for them, responses would be compressed, and their tags weak.
      "accept-encoding": "identity",
      ...headers,
    },
    ...(body === undefined ? {} : { body: raw ? body : JSON.stringify(body) }),
  });
  const parsed = response.headers.get("content-type")?.startsWith("application/json")
    ? (JSON.parse(text) as Json)
    : ({} as Json);
  return { ...response, body: parsed, data: parsed.data ?? ({} as Json), text };
}

/**
 * Waits, in real time and at most `timeoutMs` milliseconds, until `condition` returns something other than false, null or
 * undefined. It asks every 20 ms at first, and less often the longer it takes: most conditions are requests, which would
 * keep a busy machine busier.
 */
export async function until<T>(
  condition: () => Promise<T | false | null | undefined> | T | false | null | undefined,
  timeoutMs = patient(150_000),
): Promise<T> {
  const begin = performance.now();
  for (;;) {
    const value = await condition();
    if (value !== false && value !== null && value !== undefined) return value;
    const waitedMs = performance.now() - begin;
    if (waitedMs > timeoutMs) throw new Error(`nothing came of it within ${timeoutMs} ms: ${condition}`);
    await wait(Math.min(20 + waitedMs / 20, 150));
  }
}

async function cloneDatabase() {
  const cluster = inject("cluster");
  const name = `test_${randomBytes(8).toString("hex")}`;
  await asAdmin(cluster, `create database ${name} template ${TEMPLATE} strategy file_copy`);
  return {
    connection: { ...cluster, database: name },
    drop: () => asAdmin(cluster, `drop database if exists ${name} with (force)`),
  };
}

async function asAdmin(cluster: pg.PoolConfig, statement: string): Promise<void> {
  const client = new pg.Client(cluster);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
