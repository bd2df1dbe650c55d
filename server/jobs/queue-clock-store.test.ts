import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { start, until } from "../../tests/harness.ts";
import { addJob } from "./add-job.ts";
import { defineJob, type JobRow, runJob, runPeriodically } from "./job.ts";
import { createWorker } from "./worker.ts";

const DAYS = 3 * 86_400;
const HOUR = 3_600;
const note = defineJob<{ readonly text: string }>("note");
const app = await start();

async function work(...jobs: JobRow[]) {
  const services = { pool: app.services.pool, log: pino({ level: "silent" }) };
  const worker = createWorker({ services, jobs, connection: app.connection });
  onTestFinished(worker.stop);
  await worker.start();
}

/** Leaves what a clock that was ahead so many seconds leaves behind: its latest time, and jobs with later ones. */
async function moveAhead(seconds: number): Promise<void> {
  const later = "+ $1 * interval '1 second'";
  for (const statement of [
    `insert into queue_clock values (1, now() ${later}) on conflict (id) do update set latest = excluded.latest`,
    `update worker_pools set seen_at = now() ${later}`,
    `update graphile_worker._private_jobs set run_at = run_at ${later}`,
    `update graphile_worker._private_jobs set locked_at = now() ${later} where locked_by is not null`,
  ])
    await app.pool.query(statement, [seconds]);
}

const waitingJobs = async (): Promise<Record<string, number>> => {
  const { rows } = await app.pool.query(
    `select payload ->> 'text' as text, extract(epoch from run_at - now())::float8 as seconds
     from graphile_worker._private_jobs where payload ->> 'text' is not null`,
  );
  return Object.fromEntries(rows.map(({ text, seconds }) => [text, seconds]));
};

test("where the clock was ahead and is set back, jobs wait no longer than they were meant to", async () => {
  const { pool } = app.services;
  await addJob(pool, note, { text: "soon" });
  await addJob(pool, note, { text: "in an hour" }, { delayMs: HOUR * 1_000 });
  // A job that a worker has in hand which is gone since.
  await addJob(pool, note, { text: "held" });
  await app.pool.query("insert into worker_pools (id) values ('gone')");
  await app.pool.query(
    `update graphile_worker._private_jobs set locked_by = 'gone', locked_at = now(), attempts = 1 where payload ->> 'text' = 'held'`,
  );
  await moveAhead(DAYS);
  const noted: string[] = [];
  let ticks = 0;
  const tick = runPeriodically("tick", HOUR, async () => {
    ticks += 1;
  });
  const noting = runJob(note, async ({ text }) => void noted.push(text));
  await work(noting, tick);
  await until(() => ticks === 1 && noted.length === 2);
  expect(noted.sort()).toEqual(["held", "soon"]);
  const { "in an hour": left, ...others } = await waitingJobs();
  expect(others).toEqual({});
  expect(left).toBeLessThanOrEqual(HOUR);
  expect(left).toBeGreaterThan(0);

  // While a worker runs, too.
  await addJob(pool, note, { text: "later" }, { delayMs: 1 });
  await moveAhead(DAYS);
  await until(() => noted.includes("later"));
  await app.pool.query("update graphile_worker._private_jobs set run_at = now() where key = 'tick'");
  await until(() => ticks === 2);
});

test("a periodic job starts soon where no worker noted that the clock was ahead", async () => {
  await app.pool.query("delete from queue_clock");
  await app.pool.query(
    "select graphile_worker.add_job('tock', job_key => 'tock', run_at => now() + interval '3 days')",
  );
  const tock = runPeriodically("tock", HOUR, async () => {});
  await work(tock);
  const { rows } = await app.pool.query(
    "select run_at - now() <= interval '1 hour' as soon from graphile_worker.jobs where key = 'tock'",
  );
  expect(rows).toEqual([{ soon: true }]);
});
