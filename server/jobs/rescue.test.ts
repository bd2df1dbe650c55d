import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { pino } from "pino";
import { afterEach, beforeAll, expect, test } from "vitest";
import { start, type TestApp, until } from "../../tests/harness.ts";
import { addJobs } from "./add-job.ts";
import { defineJob, runJob } from "./job.ts";
import { createWorker, type Worker } from "./worker.ts";

const hold = defineJob<{ at: number }>("hold");
const JOBS = 20;

let app: TestApp;
let child: ChildProcess | undefined;
let worker: Worker | undefined;

beforeAll(async () => {
  app = await start();
});
afterEach(async () => {
  child?.kill("SIGKILL");
  await worker?.stop();
  await app.pool.query("delete from graphile_worker._private_jobs");
});

/** A worker in a process of its own that holds all jobs. */
async function holdAll(): Promise<ChildProcess> {
  const script = fileURLToPath(new URL("fixtures/holder.ts", import.meta.url));
  const holder = spawn(process.execPath, [script, JSON.stringify(app.connection)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  child = holder;
  let told = "";
  holder.stdout?.on("data", (chunk) => {
    told += chunk;
  });
  await until(() => told.includes("ready"));
  await addJobs(
    app.services.pool,
    hold,
    Array.from({ length: JOBS }, (_, at) => ({ at })),
  );
  await until(() => told.match(/took/g)?.length === JOBS);
  return holder;
}

/** Another worker, which ends every job; returns what it was given. */
async function takeOver(): Promise<number[]> {
  const taken: number[] = [];
  const services = { pool: app.services.pool, log: pino({ level: "silent" }) };
  const jobs = [runJob(hold, async ({ at }) => void taken.push(at))];
  worker = createWorker({ services, jobs, connection: app.connection });
  await worker.start();
  return taken;
}

test("the jobs of a worker are left to it while it lives, and taken over within 15 seconds when it is killed", async () => {
  const holder = await holdAll();
  await app.pool.query("update graphile_worker._private_jobs set attempts = max_attempts where payload->>'at' = '0'");
  const taken = await takeOver();
  const since = (await app.pool.query("select max(seen_at) as at from worker_pools")).rows[0].at;
  // Four looks at each other: whoever had been taken for dead would have lost its jobs by now.
  await until(async () => {
    const seen = await app.pool.query(
      "select from worker_pools where seen_at > $1::timestamptz + interval '11 seconds'",
      [since],
    );
    return seen.rowCount === 2;
  }, 20_000);
  expect(taken).toEqual([]);

  holder.kill("SIGKILL");
  await once(holder, "exit");
  await until(() => taken.length === JOBS, 15_000);
  // Also the one that was on its last attempt.
  expect(taken.toSorted((a, b) => a - b)).toEqual(Array.from({ length: JOBS }, (_, at) => at));
}, 60_000);

test("the jobs of a paused worker are taken over within 15 seconds; resumed, it goes on as another", async () => {
  const holder = await holdAll();
  const [former] = (await app.pool.query("select id from worker_pools")).rows;
  const taken = await takeOver();
  holder.kill("SIGSTOP");
  await until(() => taken.length === JOBS, 15_000);
  await until(async () => (await app.pool.query("select from graphile_worker.jobs")).rowCount === 0);
  const pools = async () => (await app.pool.query("select id from worker_pools")).rows.map(({ id }) => id);
  expect(await pools()).not.toContain(former.id);

  holder.kill("SIGCONT");
  await until(async () => (await pools()).length === 2 && !(await pools()).includes(former.id), 20_000);
  expect(taken).toHaveLength(JOBS);
}, 60_000);
