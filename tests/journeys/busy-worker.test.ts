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
      `select graphile_worker.add_job('redeliver-failed-webhooks', json_build_object('recoveryId', n))
       from generate_series(1, $1) n`,
      [JOBS],
    );
    const count = async (statement: string) => Number((await app.pool.query(statement)).rows[0]?.count);
    await until(
      async () =>
        (await count(
          "select count(*) from graphile_worker.jobs where task_identifier = 'redeliver-failed-webhooks' and locked_at is not null",
        )) === JOBS,
    );
    // Of this database only: tests in other processes use the same cluster.
    const waiting = `select count(*) from pg_locks where not granted
      and database = (select oid from pg_database where datname = current_database())`;
    await until(async () => (await count(waiting)) >= 4);
    const answers = Array.from({ length: 20 }, () => app.request("GET", "/api/estimations", { token }));
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(answers.map(() => 200));
  } finally {
    await holder.query("rollback");
    await holder.end();
  }
  await until(
    async () =>
      (await app.pool.query("select from graphile_worker.jobs where task_identifier = 'redeliver-failed-webhooks'"))
        .rowCount === 0,
  );
});
