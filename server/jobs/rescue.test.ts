import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { pino } from "pino";
import { type TestContext, test } from "vitest";
import { start, type TestApp, until } from "../../tests/harness.ts";
import { addJobs } from "./add-job.ts";
import { defineJob, runJob } from "./job.ts";
import { createWorker } from "./worker.ts";

const hold = defineJob<{ at: number }>("hold");
const JOBS = 20;
/** How often a worker checks the others, 3 seconds apart, until it takes over the jobs of a dead one. */
const MOST_LOOKS = 5;

// The tests mostly wait for such checks, so they run concurrently, each with its own database.
const [killing, pausing] = [await start(), await start()];

/** Starts a worker in a separate process that holds all jobs. */
async function holdAll(app: TestApp, { onTestFinished }: TestContext): Promise<ChildProcess> {
  const script = fileURLToPath(new URL("fixtures/holder.ts", import.meta.url));
  const holder = spawn(process.execPath, [...process.execArgv, script, JSON.stringify(app.connection)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void holder.kill("SIGKILL"));
  let told = "";
  holder.stdout.on("data", (chunk) => {
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

const poolIds = async ({ pool }: TestApp): Promise<string[]> =>
  (await pool.query<{ id: string }>("select id from worker_pools")).rows.map(({ id }) => id);

/** Starts another worker, which ends every job; counts the jobs it got and how often it checked the others. */
async function takeOver(app: TestApp, { onTestFinished }: TestContext) {
  const [holder = ""] = await poolIds(app);
  const taken: number[] = [];
  const services = { pool: app.services.pool, log: pino({ level: "silent" }) };
  const jobs = [runJob(hold, async ({ at }) => void taken.push(at))];
  const worker = createWorker({ services, jobs, connection: app.connection });
  onTestFinished(worker.stop);
  await worker.start();

  /**
   * Waits until it has got all jobs; returns how often it checked the others until it got the first: less often on a busy
   * machine.
   */
  async function looksUntilTaken(): Promise<number> {
    const looks = new Set<string>();
    await until(async () => {
      const seen = "select seen_at::text as at from worker_pools where id <> $1";
      for (const { at } of (await app.pool.query<{ at: string }>(seen, [holder])).rows) looks.add(at);
      return taken.length > 0;
    });
    await until(() => taken.length === JOBS);
    return looks.size - 1;
  }
  return { taken, looksUntilTaken };
}

test.concurrent("the jobs of a worker are left to it while it lives, and soon taken over when it is killed", async (context) => {
  const { expect } = context;
  const { pool } = killing;
  const holder = await holdAll(killing, context);
  await pool.query("update graphile_worker._private_jobs set attempts = max_attempts where payload->>'at' = '0'");
  const { taken, looksUntilTaken } = await takeOver(killing, context);
  const since = (await pool.query("select max(seen_at) as at from worker_pools")).rows[0].at;
  // Four checks of each other: a worker taken for dead would have lost its jobs by now.
  await until(async () => {
    const seen = await pool.query("select from worker_pools where seen_at > $1::timestamptz + interval '11 seconds'", [
      since,
    ]);
    return seen.rowCount === 2;
  });
  expect(taken).toEqual([]);

  holder.kill("SIGKILL");
  await once(holder, "exit");
  expect(await looksUntilTaken()).toBeLessThanOrEqual(MOST_LOOKS);
  // Also the job on its last attempt.
  expect(taken.toSorted((a, b) => a - b)).toEqual(Array.from({ length: JOBS }, (_, at) => at));
});

test.concurrent("the jobs of a paused worker are soon taken over; resumed, it goes on as another", async (context) => {
  const { expect } = context;
  const holder = await holdAll(pausing, context);
  const [former = ""] = await poolIds(pausing);
  const { taken, looksUntilTaken } = await takeOver(pausing, context);
  holder.kill("SIGSTOP");
  expect(await looksUntilTaken()).toBeLessThanOrEqual(MOST_LOOKS);
  await until(async () => (await pausing.pool.query("select from graphile_worker.jobs")).rowCount === 0);
  expect(await poolIds(pausing)).not.toContain(former);

  holder.kill("SIGCONT");
  await until(async () => {
    const ids = await poolIds(pausing);
    return ids.length === 2 && !ids.includes(former);
  });
  expect(taken).toHaveLength(JOBS);
});
