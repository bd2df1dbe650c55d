import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { start, until } from "../tests/harness.ts";
import { sumOf } from "../tests/support/metrics.ts";
import { plansOf } from "../tests/support/plans.ts";
import { createPool, drizzleOver } from "./db/database.ts";
import { startEmbeddedPostgres } from "./db/embedded.ts";
import { changeInstanceState } from "./db/instance-state.ts";
import { countDueDeliveries } from "./features/webhooks/index.ts";
import { addJob, COUNTED, countDueJobs } from "./jobs/job-store.ts";
import { sendMailJob } from "./jobs/mail-store.ts";
import { createScrape } from "./metrics.ts";
import { createMetrics } from "./platform/metrics/metrics.ts";

const app = await start();
const mail = { kind: "password-reset", facts: {}, askedAt: "2025-01-01T00:00:00Z", cause: "1" } as never;

/** Reads metrics that were not looked at before. */
function fresh(pool = app.services.pool, jobs = app.pool, queuesMs?: number, config = app.services.config) {
  const scrape = createScrape({ config, metrics: createMetrics(), pool }, { jobs }, queuesMs);
  onTestFinished(() => scrape.stop());
  return scrape;
}

test("the queues are counted by kind, with the age of what is due for longest", async () => {
  const { pool } = app.services;
  await addJob(pool, sendMailJob, mail);
  await addJob(pool, sendMailJob, mail);
  await addJob(pool, sendMailJob, mail, { delayMs: 600_000 });
  await app.pool.query("update job_leases set due_at = due_at - interval '7 minutes' where due_at < now()");
  // A run holds it.
  await addJob(pool, { name: "run-export" }, {});
  await app.pool.query(
    "update job_leases set lease = 'x', leased_until = now() + interval '1 hour' where name = 'run-export'",
  );
  const scrape = fresh();
  const text = await scrape.read();
  const depth = (kind: string) => sumOf(text, "estimation_queue_due", { kind });
  expect([depth("send-mail"), depth("run-export"), depth("deliveries")]).toEqual([2, 0, 0]);
  expect(sumOf(text, "estimation_queue_age_seconds", { kind: "send-mail" })).toBeGreaterThanOrEqual(420);
  expect(sumOf(text, "estimation_database_up")).toBe(1);
  // However often they are read, the database is asked only every few seconds.
  await app.pool.query("delete from job_leases");
  expect(sumOf(await scrape.read(), "estimation_queue_due", { kind: "send-mail" })).toBe(2);
  const impatient = fresh(pool, app.pool, 0);
  expect(sumOf(await impatient.read(), "estimation_queue_due", { kind: "send-mail" })).toBe(0);
  await addJob(pool, sendMailJob, mail);
  expect(sumOf(await impatient.read(), "estimation_queue_due", { kind: "send-mail" })).toBe(1);
});

test("the last backup is known as soon as there is one", async () => {
  const at = "estimation_last_backup_timestamp_seconds";
  expect(sumOf(await fresh().read(), at)).toBeUndefined();
  await changeInstanceState(app.services.pool, { backedUpAt: new Date("2025-01-01T00:00:00Z") });
  expect(sumOf(await fresh().read(), at)).toBe(Date.parse("2025-01-01T00:00:00Z") / 1_000);
});

test("the looks at the queues use their indexes, and count a bounded number of rows", async () => {
  await app.pool.query(`
    insert into job_leases (key, name, payload, due_at)
    select 'due' || n, 'send-mail', '{}', now() - n * interval '1 second' from generate_series(1, ${COUNTED + 1}) n`);
  await app.pool.query(`
    insert into job_leases (key, name, payload, due_at)
    select 'later' || n, 'send-mail', '{}', now() + interval '1 day' from generate_series(1, 50000) n`);
  await app.pool.query("analyze job_leases");
  expect(await countDueJobs(app.services.pool)).toMatchObject([{ kind: "send-mail", count: COUNTED }]);
  const plans = await plansOf(app.pool, async (db) => {
    await countDueJobs(db);
    await countDueDeliveries(db);
  });
  await app.pool.query("delete from job_leases");
  expect(plans[0]).toContain("job_leases_due");
  expect(plans.join()).not.toContain("Seq Scan on job_leases");
});

test("pools, memory and the delay of the event loop are those of the moment", async () => {
  const pool = createPool(app.connection, app.services.log, 2);
  onTestFinished(() => pool.end());
  const scrape = fresh(app.services.pool, pool);
  const connection = await pool.connect();
  const busy = await scrape.read();
  connection.release();
  const idle = await scrape.read();
  const connections = (text: string) =>
    ["busy", "idle"].map((state) => sumOf(text, "estimation_database_connections", { pool: "jobs", state }));
  expect([connections(busy), connections(idle)]).toEqual([
    [1, 0],
    [0, 1],
  ]);
  expect(sumOf(idle, "process_resident_memory_bytes")).toBeGreaterThan(10 * 1024 * 1024);
  const longest = (text: string) => Number(sumOf(text, "estimation_event_loop_delay_seconds", { quantile: "1" }));
  await until(async () => {
    // Nothing else runs meanwhile. It is not seen right after a look, before the timer ran for the first time.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600);
    return longest(await scrape.read()) > 0.5;
  });
});

test("without its database a process still has metrics, which say so", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "estimation-metrics-"));
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => {} });
  const pool = createPool(postgres.connection, pino({ level: "silent" }));
  await postgres.stop();
  onTestFinished(async () => {
    await pool.end();
    await rm(dataDir, { recursive: true, force: true });
  });
  const text = await fresh(drizzleOver(pool), pool).read();
  expect(sumOf(text, "estimation_database_up")).toBe(0);
  expect(sumOf(text, "estimation_queue_due")).toBeUndefined();
  expect(sumOf(text, "process_start_time_seconds")).toBeGreaterThan(1e9);
});

test("automatic backups that never succeeded count from the start, and without them there is no time", async () => {
  const other = await start();
  const lastOf = async (backupEveryHours: number | null) =>
    sumOf(
      await fresh(other.services.pool, other.pool, 0, { ...other.services.config, backupEveryHours }).read(),
      "estimation_last_backup_timestamp_seconds",
    );
  expect(await lastOf(null)).toBeUndefined();
  expect(await lastOf(24)).toBeCloseTo(performance.timeOrigin / 1_000, 0);
});
