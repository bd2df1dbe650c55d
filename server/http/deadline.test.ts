import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { describe, expect, onTestFinished, test } from "vitest";
import { createFakeClock } from "../../tests/fake-clock.ts";
import { type Response, request, start, until } from "../../tests/harness.ts";
import { childrenOf } from "../../tests/support/embedded/places.ts";
import { startReceiver } from "../../tests/support/receiver.ts";
import { inTransaction, isAnybodyWaiting } from "../../tests/support/transactions.ts";
import { startService } from "../app.ts";
import { loadConfig } from "../config.ts";
import { startEmbeddedPostgres } from "../db/embedded.ts";

const SECONDS = 5;

describe("a request that waits for a lock", () => {
  test("of another process gets 503 with `Retry-After` at its deadline, and changes nothing", async () => {
    const app = await start({ lockMs: 100 });
    const { token } = await app.signUp();
    const make = () => app.request("POST", "/api/estimations", { token, body: { title: "x" } });
    const made = await Promise.all(Array.from({ length: 10 }, make));
    const holder = await app.pool.connect();
    await holder.query("begin");
    await holder.query("select 1 from estimations for update");
    // As many as the service has connections, and one more.
    const ids = made.map(({ data }) => data.estimation?.id);
    const write = (id: unknown) => app.request("PUT", `/api/estimations/${id}`, { token, body: { title: "y" } });
    const responses = await Promise.all([...ids, ids[0]].map(write));
    for (const response of responses) {
      expect([response.status, response.body.message]).toEqual([503, "service_unavailable"]);
      expect(response.headers.get("retry-after")).toBe("1");
    }
    // The lock is still held, and other requests are served.
    expect((await app.request("GET", "/api/estimations", { token })).status).toBe(200);
    await holder.query("commit");
    holder.release();
    expect((await app.request("PUT", `/api/estimations/${ids[0]}`, { token, body: { title: "z" } })).status).toBe(200);
  });

  test("is given up at its deadline, and changes nothing although its work continues", async () => {
    const app = await start({ config: { requestTimeoutSeconds: SECONDS } });
    const { token } = await app.signUp();
    const { data } = await app.request("POST", "/api/estimations", { token, body: { title: "x" } });
    const path = `/api/estimations/${data.estimation?.id}`;
    await inTransaction(app.pool, async (holder) => {
      await holder.query("select 1 from estimations for update");
      const given = app.request("PUT", path, { token, body: { title: "y" } });
      await until(() => isAnybodyWaiting(app.pool));
      await app.clock.advance(SECONDS * 1_000);
      expect((await given).status).toBe(503);
    });
    // Waits for what was given up, which holds the lock until its transaction ends.
    expect((await app.request("PUT", path, { token, body: {} })).data.estimation?.title).toBe("x");
  });
});

test("a request whose caller cannot be looked up is given up at its deadline too, before its body is read", async () => {
  const app = await start({ config: { requestTimeoutSeconds: SECONDS } });
  const { token } = await app.signUp();
  const holder = await app.pool.connect();
  await holder.query("begin; lock table users in access exclusive mode");
  try {
    let status = 0;
    const asked = app.request("POST", "/api/estimations", { token, body: { title: "x" } });
    const noted = asked.then((response) => {
      status = response.status;
    });
    const waiting = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    await until(async () => (await app.pool.query(waiting)).rowCount === 1);
    await app.clock.advance(SECONDS * 1_000);
    await until(() => status !== 0);
    await noted;
    expect(status).toBe(503);
  } finally {
    await holder.query("rollback");
    holder.release();
  }
});

test("a request that waits for anything but the database gets its response at its deadline too", async () => {
  const app = await start({ config: { requestTimeoutSeconds: SECONDS } });
  const tracker = await startReceiver(() => {});
  onTestFinished(() => tracker.close());
  tracker.trustedBy(app.services.config.dataDir);
  const { token } = await app.signUp();
  const body = { target: "github", name: "Silent", token: "ghp_secret", baseUrl: tracker.url };
  const { data } = await app.request("POST", "/api/connections", { token, body });
  const asked = app.request("POST", `/api/connections/${data.connection?.id}/check`, { token });
  await until(() => tracker.requests.length === 1);
  await app.clock.advance(SECONDS * 1_000);
  const { status, body: response } = await asked;
  expect([status, response.message]).toEqual([503, "service_unavailable"]);
});

describe("a database that does not respond", () => {
  test("holds no request beyond its deadline, and the key tells whether a write under way succeeded", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "estimation-paused-"));
    const postgres = await startEmbeddedPostgres({ dataDir, durable: false, log: () => {} });
    const config = { ...loadConfig({ DATA_DIR: dataDir, PORT: "0" }), requestTimeoutSeconds: 1 };
    const log = pino({ level: "silent" });
    const clock = createFakeClock();
    const service = await startService({ config, connection: postgres.connection, only: "api", log, clock });
    onTestFinished(async () => {
      await service.stop();
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    });
    const signalAll = (signal: "SIGSTOP" | "SIGCONT") => {
      for (const pid of [postgres.pid, ...childrenOf(postgres.pid)]) process.kill(pid, signal);
    };
    const account = { body: { email: "a@example.com", password: "correct horse battery" } };
    const token = String((await request(service.url, "POST", "/api/auth/register", account)).data.token);
    const create = (key: string) =>
      request(service.url, "POST", "/api/estimations", {
        token,
        body: { title: key },
        headers: { "idempotency-key": key },
      });
    /** Lets time pass until all have responded. */
    const afterDeadlines = async (requests: Promise<Response>[]) => {
      const responses = Promise.all(requests);
      let responded = false;
      responses.finally(() => (responded = true)).catch(() => {});
      await until(async () => {
        await clock.advance(1_000);
        return responded;
      });
      return (await responses).map(({ status }) => status);
    };
    const keys = Array.from({ length: 12 }, () => randomUUID());
    const underWay = keys.map(create);
    signalAll("SIGSTOP");
    try {
      for (const status of await afterDeadlines(underWay)) expect([201, 503]).toContain(status);
      const later = await afterDeadlines([
        create("later"),
        request(service.url, "GET", "/api/estimations", { token }),
        request(service.url, "POST", "/api/auth/login", account),
      ]);
      expect(later).toEqual([503, 503, 503]);
    } finally {
      signalAll("SIGCONT");
    }
    await until(async () => (await create("later")).status === 201);
    // What was under way when PostgreSQL was paused may have been carried out, or not.
    for (const key of keys) await until(async () => (await create(key)).status === 201);
    const { data } = await request(service.url, "GET", "/api/estimations?limit=100", { token });
    const titles = (data.estimations as unknown as { title: string }[]).map(({ title }) => title);
    expect(titles.sort()).toEqual([...keys, "later"].sort());
  });
});
