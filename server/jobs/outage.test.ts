import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { until } from "../../tests/harness.ts";
import { createPool, drizzleOver } from "../db/database.ts";
import { startEmbeddedPostgres } from "../db/embedded.ts";
import { migrateDatabase } from "../db/migrate.ts";
import { defineJob, runJob } from "./job.ts";
import { addJob, sweepJobs } from "./job-store.ts";
import { createWorker } from "./worker.ts";

const note = defineJob<{ at: number }>("note");

test("a worker survives an outage of its database: no job added before or after is lost, and only running jobs may run twice", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "estimation-outage-"));
  const options = { dataDir, log: () => {} };
  let postgres = await startEmbeddedPostgres(options);
  const log = pino({ level: "silent" });
  const pool = createPool(postgres.connection, log);
  const db = drizzleOver(pool);
  await migrateDatabase(pool);
  const runs: number[] = [];
  const underWay = Promise.withResolvers<void>();
  const jobs = [
    runJob(note, async ({ at }) => {
      if (at === 0) await underWay.promise;
      runs.push(at);
    }),
  ];
  const worker = createWorker({ services: { pool: db, log }, jobs, connection: postgres.connection, concurrency: 5 });
  onTestFinished(async () => {
    await worker.stop();
    await pool.end();
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  await worker.start();
  for (const at of [0, 1, 2]) await addJob(db, note, { at });
  await until(() => runs.length === 2);
  // Their end is written, too: only one is under way.
  await until(async () => (await pool.query("select from job_leases")).rowCount === 1);

  await postgres.stop();
  // The job under way ends while the database cannot be told.
  underWay.resolve();
  await until(() => runs.length === 3);
  await expect(addJob(db, note, { at: 3 })).rejects.toThrow();
  postgres = await startEmbeddedPostgres(options);
  await until(() =>
    addJob(db, note, { at: 4 }).then(
      () => true,
      () => false,
    ),
  );
  await until(() => runs.includes(4));
  // The end of the job under way could not be written: as time does.
  await pool.query("update job_leases set leased_until = now()");
  await sweepJobs(db, 0);
  await until(async () => (await pool.query("select from job_leases")).rowCount === 0);
  expect(runs.filter((at) => at !== 0).toSorted()).toEqual([1, 2, 4]);
});

test("a worker stops while its database is unreachable", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "estimation-outage-"));
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => {} });
  const log = pino({ level: "silent" });
  const pool = createPool(postgres.connection, log);
  await migrateDatabase(pool);
  const services = { pool: drizzleOver(pool), log };
  const worker = createWorker({ services, jobs: [runJob(note, async () => {})], connection: postgres.connection });
  await worker.start();
  await postgres.stop();
  // The queue itself would wait for the database without end.
  await worker.stop();
  await pool.end();
  await rm(dataDir, { recursive: true, force: true });
});
