import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { start } from "../../tests/harness.ts";
import { addJob } from "./add-job.ts";
import { defineJob } from "./job.ts";
import { unlockStrays } from "./queue-store.ts";
import { release } from "./rescue.ts";

const app = await start();

/** Every column that the service's own statements name, with its type and whether it may be null. */
const COLUMNS = {
  _private_jobs: {
    id: ["bigint", "not null"],
    job_queue_id: ["integer", "null"],
    attempts: ["smallint", "not null"],
    max_attempts: ["smallint", "not null"],
    locked_by: ["text", "null"],
    locked_at: ["timestamp with time zone", "null"],
    run_at: ["timestamp with time zone", "not null"],
    key: ["text", "null"],
  },
  _private_job_queues: {
    id: ["integer", "not null"],
    locked_by: ["text", "null"],
    locked_at: ["timestamp with time zone", "null"],
  },
};

test("the private tables have the columns that the service uses", async () => {
  const { rows } = await app.pool.query<{ table: string; column: string; type: string; nullable: string }>(`
    select table_name as table, column_name as column, data_type as type,
      case is_nullable when 'YES' then 'null' else 'not null' end as nullable
    from information_schema.columns where table_schema = 'graphile_worker'`);
  for (const [table, columns] of Object.entries(COLUMNS)) {
    const there = rows
      .filter((row) => row.table === table)
      .map(({ column, type, nullable }) => [column, [type, nullable]]);
    expect(Object.fromEntries(there), table).toMatchObject(columns);
  }
});

test("a job is found by its id through a primary key, and no other row refers to it", async () => {
  const { rows: keys } = await app.pool.query(`
    select pg_get_constraintdef(oid) as key from pg_constraint
    where conrelid = 'graphile_worker._private_jobs'::regclass and contype = 'p'`);
  expect(keys).toEqual([{ key: "PRIMARY KEY (id)" }]);
  // Deleting a job deletes one row: nothing else stays behind or prevents it.
  const { rows: others } = await app.pool.query(`
    select tgname as name from pg_trigger
    where tgrelid = 'graphile_worker._private_jobs'::regclass and tgtype & 8 = 8 and not tgisinternal
    union all
    select conname from pg_constraint where confrelid = 'graphile_worker._private_jobs'::regclass`);
  expect(others).toEqual([]);
});

test("a job_spec has the fields that `addJobsFrom` fills in, in that order", async () => {
  const { rows } = await app.pool.query(`
    select attname || ' ' || format_type(atttypid, atttypmod) as field from pg_attribute
    where attrelid = 'graphile_worker.job_spec'::regclass and attnum > 0 order by attnum`);
  expect(rows.map(({ field }) => field)).toEqual([
    "identifier text",
    "payload json",
    "queue_name text",
    "run_at timestamp with time zone",
    "max_attempts smallint",
    "job_key text",
    "priority smallint",
    "flags text[]",
  ]);
});

test("no other file of the service names a private table", () => {
  const root = fileURLToPath(new URL("..", import.meta.url));
  const naming = readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !/\.test\.ts$|\/testing\//.test(file))
    .filter((file) => readFileSync(join(root, file), "utf8").includes("_private_"));
  expect(naming).toEqual(["jobs/queue-store.ts"]);
});

test.each([
  {
    by: "the others, after the death of the worker",
    takeBack: (session: pg.Client) => release(session, "gone", 0),
  },
  {
    by: "the worker itself, which does not have it in hand",
    takeBack: (session: pg.Client) => unlockStrays(session, { poolId: "gone", inHand: [], agedMs: 0 }),
  },
])("a job that is taken back by $by frees its queue", async ({ takeBack }) => {
  await addJob(app.services.pool, defineJob<object>("in-turn"), {}, { queue: "in-turn" });
  await app.pool.query("insert into worker_pools (id, seen_at) values ('gone', now() - interval '1 hour')");
  const taken = "set locked_by = 'gone', locked_at = now() - interval '1 hour'";
  for (const table of ["_private_jobs", "_private_job_queues"])
    await app.pool.query(`update graphile_worker.${table} ${taken}`);
  const session = new pg.Client(app.connection);
  await session.connect();
  onTestFinished(() => session.end());
  await takeBack(session);
  const { rows } = await app.pool.query(
    "select j.locked_by as job, q.locked_by as queue from graphile_worker._private_jobs j join graphile_worker._private_job_queues q on q.id = j.job_queue_id",
  );
  expect(rows).toEqual([{ job: null, queue: null }]);
  await app.pool.query("delete from graphile_worker._private_jobs");
  await app.pool.query("delete from worker_pools");
});
