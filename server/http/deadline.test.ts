import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { describe, expect, onTestFinished, test } from "vitest";
import { createFakeClock } from "../../tests/fake-clock.ts";
import { type Answer, request, start, until } from "../../tests/harness.ts";
import { changesNothing } from "../../tests/support/dump.ts";
import { startReceiver } from "../../tests/support/receiver.ts";
import { startService } from "../app.ts";
import { loadConfig } from "../config.ts";
import { childrenOf } from "../db/embedded/fixtures/places.ts";
import { startEmbeddedPostgres } from "../db/embedded.ts";

const SECONDS = 5;

describe("a request that waits for a lock", () => {
  test("is aborted at its deadline with its connection, and changes nothing", async () => {
    const app = await start({ config: { requestTimeoutSeconds: SECONDS } });
    const { token } = await app.signUp();
    const make = () => app.request("POST", "/api/estimations", { token, body: { title: "x" } });
    const made = await Promise.all(Array.from({ length: 10 }, make));
    const holder = await app.pool.connect();
    await holder.query("begin");
    await holder.query("select 1 from estimations for update");
    // As many as the service has connections, and one that waits for a connection.
    const ids = made.map(({ data }) => data.estimation?.id);
    const write = (id: unknown) => app.request("PUT", `/api/estimations/${id}`, { token, body: { title: "y" } });
    const waiting =
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and state = 'active'";
    const answers = await changesNothing(app, async () => {
      const writes = [...ids, ids[0]].map(write);
      await until(async () => (await app.pool.query(waiting)).rowCount === 10);
      await app.clock.advance(SECONDS * 1_000);
      return Promise.all(writes);
    });
    for (const answer of answers) {
      expect([answer.status, answer.body.message]).toEqual([503, "service_unavailable"]);
      expect(answer.headers.get("retry-after")).toBe("1");
    }
    // The lock is still held, and other requests are served.
    expect((await app.request("GET", "/api/estimations", { token })).status).toBe(200);
    await holder.query("commit");
    holder.release();
    const { rows } = await app.pool.query("select distinct title from estimations");
    expect(rows).toEqual([{ title: "x" }]);
    expect((await app.request("PUT", `/api/estimations/${ids[0]}`, { token, body: { title: "z" } })).status).toBe(200);
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
    const noted = asked.then((answer) => {
      status = answer.status;
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

test("a request that waits for something else than the database is answered at its deadline too", async () => {
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
  const { status, body: answer } = await asked;
  expect([status, answer.message]).toEqual([503, "service_unavailable"]);
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
    /** Lets time pass until all have answered. */
    const afterDeadlines = async (requests: Promise<Answer>[]) => {
      const answers = Promise.all(requests);
      let answered = false;
      answers.finally(() => (answered = true)).catch(() => {});
      await until(async () => {
        await clock.advance(1_000);
        return answered;
      });
      return (await answers).map(({ status }) => status);
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
    // Another try is refused (409) for as long as PostgreSQL has not given up the one that the service gave up.
    for (const key of keys) await until(async () => (await create(key)).status === 201);
    const { data } = await request(service.url, "GET", "/api/estimations?limit=100", { token });
    const titles = (data.estimations as unknown as { title: string }[]).map(({ title }) => title);
    expect(titles.sort()).toEqual([...keys, "later"].sort());
  });
});
