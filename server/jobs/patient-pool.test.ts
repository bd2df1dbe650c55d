import pg from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { start, until } from "../../tests/harness.ts";
import { addJobs } from "./add-job.ts";
import { defineJob, runJob } from "./job.ts";
import { createPatientPool } from "./patient-pool.ts";
import { createWorker } from "./worker.ts";

const app = await start();
const note = defineJob<{ at: number }>("note");

/** The statement with which the queue takes jobs, as it is sent. */
async function takingStatement(): Promise<{ text: string; values: unknown[] }> {
  const query = vi.spyOn(pg.Client.prototype, "query");
  const { pool, log } = app.services;
  const done: number[] = [];
  const jobs = [runJob(note, async ({ at }) => void done.push(at))];
  const worker = createWorker({ services: { pool, log }, jobs, connection: app.connection });
  await worker.start();
  await addJobs(pool, note, [{ at: 1 }]);
  await until(() => done.length === 1);
  await worker.stop();
  const sent = (query.mock.calls as unknown[][]).map(([given]) => given as { text?: string; values?: unknown[] });
  query.mockRestore();
  const { text = "", values = [] } = sent.find(({ text }) => text?.includes("skip locked")) ?? {};
  return { text, values };
}

test("taking jobs reads only as many as are taken, however many wait and whatever the planner knows about them", async () => {
  const { text, values } = await takingStatement();
  expect(text).toContain("limit 400");
  // Statistics of an almost empty queue.
  await app.pool.query("vacuum analyze graphile_worker._private_jobs");
  await addJobs(
    app.services.pool,
    note,
    Array.from({ length: 5_000 }, (_, at) => ({ at })),
  );
  const pool = createPatientPool({
    connection: app.connection,
    max: 1,
    log: app.services.log,
    onBroken: () => {},
    over: new AbortController().signal,
  });
  onTestFinished(() => pool.end());
  const client = await pool.connect();
  const { rows } = await client.query(`explain (analyze, costs off, timing off) ${text}`, values);
  const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
  const read = [...plan.matchAll(/ on _private_jobs jobs_\d \(actual rows=(\d+)/g)].map(([, rows]) => Number(rows));
  expect(read, plan).toEqual([400]);
});
