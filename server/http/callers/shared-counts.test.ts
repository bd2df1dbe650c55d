import { randomUUID } from "node:crypto";
import pg from "pg";
import { pino } from "pino";
import { describe, expect, onTestFinished, test } from "vitest";
import { createFakeClock } from "../../../tests/fake-clock.ts";
import { start, until } from "../../../tests/harness.ts";
import { inTransaction } from "../../../tests/support/transactions.ts";
import { drizzleOver } from "../../db/database.ts";
import { retentionJobs } from "../../worker.ts";
import type { RateCounter } from "./rate-limit.ts";
import { createRateCounters } from "./shared-counts.ts";

const app = await start();
const { clock } = app;
const MINUTE_MS = 60_000;

/** The counter of a process of its own, under a name that no other test has unless it is given. */
function make(perWindow: number, name: string = randomUUID(), other: Partial<typeof app.services> = {}) {
  const counters = createRateCounters({ ...app.services, ...other });
  onTestFinished(() => counters.stop());
  return { counter: counters.of(name, perWindow, MINUTE_MS), name, stop: counters.stop };
}

const rows = async (): Promise<number> =>
  (await app.pool.query("select count(*)::int as rows from request_counts")).rows[0].rows;

/** How many of so many requests are allowed. */
const allowedOf = (counter: RateCounter, requests: number): number =>
  Array.from({ length: requests }, () => counter.take("a")).filter(({ allowed }) => allowed).length;

describe("counting the use of callers", () => {
  test("a window starts with the first request, and refused requests use nothing", async () => {
    const { counter } = make(2);
    expect(counter.take("a")).toEqual({ allowed: true, remaining: 1, resetMs: 60_000 });
    await clock.advance(20_000);
    expect(counter.take("a")).toEqual({ allowed: true, remaining: 0, resetMs: 40_000 });
    for (let n = 0; n < 5; n += 1) expect(counter.take("a")).toMatchObject({ allowed: false, remaining: 0 });
    expect(counter.take("b")).toMatchObject({ allowed: true });
    await clock.advance(40_000);
    expect(counter.take("a")).toEqual({ allowed: true, remaining: 1, resetMs: 60_000 });
  });

  test("use beyond a window's units is taken from the next windows, but never a whole window", async () => {
    const { counter } = make(10);
    counter.take("a");
    counter.charge("a", 13);
    expect(counter.take("a")).toMatchObject({ allowed: false });
    await clock.advance(MINUTE_MS);
    expect(counter.take("a")).toMatchObject({ allowed: true, remaining: 10 - 4 - 1 });
    counter.charge("a", 1_000);
    await clock.advance(MINUTE_MS);
    expect(counter.take("a")).toMatchObject({ allowed: true, remaining: 0 });
    await clock.advance(2 * MINUTE_MS);
    expect(counter.take("a")).toMatchObject({ allowed: true, remaining: 9 });
  });

  test("returned units are available again", async () => {
    const { counter } = make(2);
    counter.take("a");
    counter.charge("a", -1);
    counter.charge("a", -1);
    expect(counter.take("a")).toMatchObject({ allowed: true, remaining: 1 });
  });
});

describe("counters of several processes", () => {
  test("know what the others counted, and when the window ends", async () => {
    const one = make(10);
    const other = make(10, one.name);
    expect(allowedOf(one.counter, 6)).toBe(6);
    await one.stop();
    await clock.advance(10_000);
    expect(other.counter.take("a")).toMatchObject({ remaining: 9, resetMs: 60_000 });
    await other.stop();
    expect(other.counter.take("a")).toMatchObject({ remaining: 10 - 6 - 1 - 1, resetMs: 50_000 });
  });

  test("store in the background what is a small part of what is left, and the rest every five seconds", async () => {
    const { counter, name } = make(320);
    const others = make(320, name);
    const before = await rows();
    allowedOf(counter, 9);
    expect(await rows()).toBe(before);
    counter.take("a");
    await until(async () => (await rows()) === before + 1);
    counter.take("b");
    await clock.advance(5_000);
    await until(async () => (await rows()) === before + 2);
    others.counter.take("a");
    await others.stop();
    expect(others.counter.take("a").remaining).toBe(320 - 12);
  });

  test("begin a new window together, without what was used too much", async () => {
    const one = make(10);
    const other = make(10, one.name);
    one.counter.take("a");
    one.counter.charge("a", 13);
    await one.stop();
    await clock.advance(MINUTE_MS + 1_000);
    other.counter.take("a");
    await other.stop();
    expect(other.counter.take("a")).toMatchObject({ remaining: 10 - 4 - 1 - 1, resetMs: 60_000 });
  });

  test("keep limits, users and addresses apart, and store neither of them", async () => {
    const one = make(10);
    const other = make(10);
    one.counter.take("198.51.100.7");
    await one.stop();
    other.counter.take("198.51.100.7");
    await other.stop();
    expect(other.counter.take("198.51.100.7").remaining).toBe(8);
    const { rows: stored } = await app.pool.query("select counter from request_counts");
    for (const { counter } of stored) expect(counter).toHaveLength(32);
  });

  test("count alone without the database, and together again afterwards", async () => {
    const one = make(10);
    const other = make(10, one.name);
    await app.pool.query("alter table request_counts rename to away");
    expect(allowedOf(one.counter, 3)).toBe(3);
    await clock.advance(5_000);
    expect(one.counter.take("a")).toMatchObject({ remaining: 10 - 4 });
    await one.stop();
    await app.pool.query("alter table away rename to request_counts");
    await one.stop();
    other.counter.take("a");
    await other.stop();
    expect(other.counter.take("a")).toMatchObject({ remaining: 10 - 4 - 1 - 1 });
  });

  test("try once in an outage, however much there is to store, and keep all of it", async () => {
    const warnings: string[] = [];
    const log = pino({ level: "warn" }, { write: (line) => warnings.push(line) });
    const { counter, stop } = make(320, randomUUID(), { log });
    const before = await rows();
    await app.pool.query("alter table request_counts rename to away");
    for (let n = 0; n < 2_500; n += 1) counter.take(`${n}`);
    await clock.advance(5_000);
    await until(() => warnings.length > 0);
    await Promise.all([stop(), stop()]);
    await app.pool.query("alter table away rename to request_counts");
    expect(warnings).toHaveLength(2);
    await stop();
    expect(await rows()).toBe(before + 2_500);
  });

  test("add nothing twice whose response was lost", async () => {
    const impatient = new pg.Pool({ ...app.connection, query_timeout: 100 });
    onTestFinished(() => impatient.end());
    const one = make(10, randomUUID(), { pool: drizzleOver(impatient) });
    const other = make(10, one.name);
    const before = await rows();
    await inTransaction(app.pool, async (client) => {
      await client.query("lock table request_counts in share mode");
      one.counter.take("a");
      const waiting = `select from pg_locks where not granted and relation = 'request_counts'::regclass
        and database = (select oid from pg_database where datname = current_database())`;
      await Promise.all([until(async () => (await app.pool.query(waiting)).rowCount === 1), one.stop()]);
    });
    await until(async () => (await rows()) === before + 1);
    await one.stop();
    other.counter.take("a");
    await other.stop();
    expect(other.counter.take("a")).toMatchObject({ remaining: 10 - 1 - 1 - 1 });
  });

  test("have windows of the usual length where the clock of one is wrong, and each counts at least what it counted itself", async () => {
    const ahead = make(10, randomUUID(), { clock: createFakeClock(new Date(clock.now().getTime() + 5 * MINUTE_MS)) });
    const right = make(10, ahead.name);
    expect(allowedOf(ahead.counter, 6)).toBe(6);
    await ahead.stop();
    right.counter.take("a");
    await right.stop();
    expect(right.counter.take("a")).toMatchObject({ remaining: 10 - 6 - 1 - 1, resetMs: 60_000 });
    expect(allowedOf(right.counter, 10)).toBe(2);
    await right.stop();
    expect(right.counter.take("a")).toMatchObject({ allowed: false, resetMs: 60_000 });
    await clock.advance(MINUTE_MS);
    right.counter.take("a");
    await right.stop();
    expect(right.counter.take("a")).toMatchObject({ remaining: 10 - 1 - 1, resetMs: 60_000 });
    ahead.counter.take("a");
    await ahead.stop();
    expect(ahead.counter.take("a").remaining).toBe(10 - 6 - 1 - 1);
  });

  test("are removed once their windows are over", async () => {
    const { counter, stop } = make(10);
    counter.take("a");
    await stop();
    await clock.advance(2 * MINUTE_MS - 1);
    const forget = retentionJobs(app.services).find(({ name }) => name === "forget-tries");
    await forget?.run(null, { lease: { key: "", token: "" }, signal: new AbortController().signal });
    const left = await rows();
    expect(left).toBeGreaterThan(0);
    await clock.advance(1);
    await forget?.run(null, { lease: { key: "", token: "" }, signal: new AbortController().signal });
    expect(await rows()).toBeLessThan(left);
  });
});

test("no request waits for its count, or fails because that cannot be stored", async () => {
  const limited = await start({ config: { rateLimitPerMinute: 40 } });
  const { token } = await limited.signUp();
  const send = async () => (await limited.request("GET", "/api/auth/me", { token })).status;
  await inTransaction(limited.pool, async (client) => {
    await client.query("lock table request_counts in access exclusive mode");
    for (let n = 0; n < 40; n += 1) expect(await send()).toBe(200);
    expect(await send()).toBe(429);
  });
});
