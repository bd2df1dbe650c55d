import pg from "pg";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { start, until } from "../../tests/harness.ts";
import { addJob } from "./add-job.ts";
import { defineJob, type JobRow, runJob, runPeriodically } from "./job.ts";
import { createPresence } from "./presence.ts";
import { followClock } from "./queue-clock-store.ts";
import { moveJobs } from "./queue-store.ts";
import { createStrays } from "./strays.ts";
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

async function connect(options = ""): Promise<pg.Client> {
  const client = new pg.Client({ ...app.connection, options });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

test("jobs that were written while the clock was ahead are moved too if they are seen, or unlocked, only later", async () => {
  const [session, writer, holder] = [await connect(), await connect(), await connect()];
  const add = (client: pg.Client, text: string) =>
    client.query(
      `with added as (
         select id from graphile_worker.add_job('note', json_build_object('text', $1::text), run_at => now() + interval '3 days 1 hour'))
       update graphile_worker._private_jobs as job set updated_at = now() + interval '3 days' from added where job.id = added.id`,
      [text],
    );
  await app.pool.query("delete from graphile_worker._private_jobs");
  await writer.query("begin");
  // In two steps: a statement does not see what a function in it writes.
  await add(writer, "uncommitted");
  await writer.query("update graphile_worker._private_jobs set updated_at = now() + interval '3 days'");
  await add(holder, "locked");
  await holder.query("update graphile_worker._private_jobs set updated_at = now() + interval '3 days'");
  await holder.query("begin");
  await holder.query("select from graphile_worker._private_jobs for update");
  await app.pool.query(
    "insert into queue_clock values (1, now() + interval '3 days') on conflict (id) do update set latest = excluded.latest",
  );
  expect(Math.round((await followClock(session)) / 60)).toBe(3 * 24 * 60);
  await writer.query("commit");
  await holder.query("commit");
  expect(await followClock(session)).toBe(0);
  for (const left of Object.values(await waitingJobs())) expect(Math.round(left / 60)).toBe(60);
  expect(Object.keys(await waitingJobs()).sort()).toEqual(["locked", "uncommitted"]);
});

test("all jobs are moved, in as many statements as that takes", async () => {
  const session = await connect();
  await app.pool.query("delete from graphile_worker._private_jobs");
  for (let n = 0; n < 7; n += 1) await addJob(app.services.pool, note, { text: `${n}` }, { delayMs: DAYS * 1_000 });
  await moveJobs(session, DAYS - HOUR, 3);
  const waits = Object.values(await waitingJobs());
  expect(waits).toHaveLength(7);
  for (const left of waits) expect(Math.round(left / 60)).toBe(60);
});

test("a clock that is set ahead makes no worker take the others for dead", async () => {
  await app.pool.query(`
    create schema ahead;
    create table ahead.offset_by (span interval not null);
    insert into ahead.offset_by values ('0');
    create function ahead.now() returns timestamptz language sql as 'select pg_catalog.now() + span from ahead.offset_by'`);
  // What it names without a schema is looked for there first.
  const connection = { ...app.connection, options: "-c search_path=ahead,pg_catalog,public" };
  const lost: string[] = [];
  const log = pino({ level: "silent" });
  const begin = async (poolId: string) => {
    const presence = createPresence({
      ...{ poolId, connection, log, strays: createStrays(log) },
      onLost: () => void lost.push(poolId),
    });
    onTestFinished(presence.end);
    await presence.begin({ insist: false });
  };
  await app.pool.query("delete from worker_pools");
  const pass = async (ms: number) => {
    const end = performance.now() + ms;
    await until(() => performance.now() > end);
  };
  await begin("first");
  // They beat in turn, so that one of them is the first to notice.
  await pass(1_500);
  await begin("second");
  await addJob(app.services.pool, note, { text: "in hand" });
  await app.pool.query(
    "update graphile_worker._private_jobs set locked_by = 'second', locked_at = now() where payload ->> 'text' = 'in hand'",
  );
  const seenAfter = (span: string) =>
    until(async () => {
      const { rows } = await app.pool.query(
        "select count(*)::int as n from worker_pools where seen_at > now() + $1::interval",
        [span],
      );
      return rows[0].n === 2 || lost.length > 0;
    });
  // A pool judges nobody in its first seconds.
  await pass(11_000);
  await app.pool.query("update ahead.offset_by set span = '1 hour'");
  await seenAfter("59 minutes");
  await app.pool.query("update ahead.offset_by set span = '2 hours'");
  await seenAfter("119 minutes");
  expect(lost).toEqual([]);
  const { rows } = await app.pool.query(
    "select locked_by from graphile_worker._private_jobs where payload ->> 'text' = 'in hand'",
  );
  expect(rows).toEqual([{ locked_by: "second" }]);
});
