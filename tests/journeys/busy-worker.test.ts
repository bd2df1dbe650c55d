import pg from "pg";
import { expect, test } from "vitest";
import { start, until } from "../harness.ts";

const JOBS = 50;
const app = await start({ worker: true });

test("many jobs that wait for the database do not take the connections of requests", async () => {
  const { token } = await app.signUp();
  const holder = new pg.Client(app.connection);
  await holder.connect();
  try {
    await holder.query("begin");
    await holder.query("lock table webhook_recoveries in access exclusive mode");
    await app.pool.query(
      `with added as (
         insert into job_leases (key, name, payload, due_at)
         select 'order-' || n, 'redeliver-failed-webhooks', json_build_object('recoveryId', n), now()
         from generate_series(1, $1) n returning key, name
       )
       select graphile_worker.add_job(name, json_build_object('key', key), job_key => key) from added`,
      [JOBS],
    );
    const count = async (statement: string) => Number((await app.pool.query(statement)).rows[0]?.count);
    await until(
      async () =>
        (await count(
          "select count(*) from job_leases where name = 'redeliver-failed-webhooks' and lease is not null",
        )) >= 4,
    );
    // Of this database only: tests in other processes use the same cluster.
    const waiting = `select count(*) from pg_locks where not granted
      and database = (select oid from pg_database where datname = current_database())`;
    await until(async () => (await count(waiting)) >= 4);
    const responses = Array.from({ length: 20 }, () => app.request("GET", "/api/estimations", { token }));
    expect((await Promise.all(responses)).map(({ status }) => status)).toEqual(responses.map(() => 200));
  } finally {
    await holder.query("rollback");
    await holder.end();
  }
  await until(
    async () =>
      (await app.pool.query("select from job_leases where name = 'redeliver-failed-webhooks'")).rowCount === 0,
  );
});
