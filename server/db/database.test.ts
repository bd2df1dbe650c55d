import { sql } from "drizzle-orm";
import type pg from "pg";
import { pino } from "pino";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { start, type TestApp, until } from "../../tests/harness.ts";
import { makeDatabase } from "../../tests/support/embedded/template.ts";
import { createPool, type Database, drizzleOver, prepareRows } from "./database.ts";
import { startEmbeddedPostgres } from "./embedded.ts";
import { codeOf, isDatabaseUnavailable } from "./failures.ts";

let app: TestApp;

beforeAll(async () => {
  app = await start();
});

/** A pool of one connection; `breakNext` breaks it as soon as it is handed out. */
function single(): { pool: pg.Pool; db: Database; breakNext: () => void } {
  const pool = createPool(app.connection, pino({ level: "silent" }), 1);
  onTestFinished(() => pool.end());
  const breakIt = (client: pg.PoolClient) => void Object(client).connection.stream.destroy();
  return { pool, db: drizzleOver(pool), breakNext: () => void pool.once("acquire", breakIt) };
}

test("a connection that breaks before a transaction begins is not lost to the pool", async () => {
  const { pool, db, breakNext } = single();
  for (let time = 0; time < 3; time++) {
    breakNext();
    await expect(db.transaction((tx) => tx.execute(sql`select 1`))).rejects.toSatisfy(isDatabaseUnavailable);
  }
  expect((await db.transaction((tx) => tx.execute(sql`select 1 as one`))).rows).toEqual([{ one: 1 }]);
  expect(pool.idleCount).toBe(pool.totalCount);
});

test("a pool survives a stop of its database: connections that it cut, ended or refused are replaced once the database is back", async () => {
  const options = { dataDir: await makeDatabase(), durable: false, log: () => {} };
  const first = await startEmbeddedPostgres(options);
  onTestFinished(() => first.stop());
  const [pool, late] = [5, 1].map((max) => createPool(first.connection, pino({ level: "silent" }), max));
  onTestFinished(() => Promise.all([pool?.end(), late?.end()]).then(() => {}));
  const useAll = () => Promise.all(Array.from({ length: 5 }, () => pool?.query("select pg_backend_pid() as pid")));
  await useAll();
  expect(pool?.totalCount).toBe(5);
  const cut = pool?.query("select pg_sleep(600)").catch(codeOf);

  // It refuses new sessions and waits for the others, which go on.
  process.kill(first.pid, "SIGTERM");
  await until(async () => (await late?.query("select").catch(codeOf)) === "57P03");
  await pool?.query("select");
  await first.stop();
  expect(await cut).toBe("57P01");
  await expect(pool?.query("select")).rejects.toSatisfy(isDatabaseUnavailable);

  const second = await startEmbeddedPostgres(options);
  onTestFinished(() => second.stop());
  await useAll();
  await late?.query("select");
  expect(pool?.totalCount).toBe(pool?.idleCount);
});

test("the error of a failed transaction is reported, even if the rollback fails", async () => {
  const { pool, db } = single();
  const failed = db.transaction(async (tx) => {
    await tx.execute(sql`select pg_terminate_backend(pg_backend_pid())`);
  });
  await expect(failed).rejects.toSatisfy(isDatabaseUnavailable);
  const own = new Error("mine");
  const refused = db.transaction(async (tx) => {
    await tx.execute(sql`select pg_terminate_backend(pg_backend_pid())`).catch(() => {});
    throw own;
  });
  await expect(refused).rejects.toBe(own);
  expect((await db.execute(sql`select 1 as one`)).rows).toEqual([{ one: 1 }]);
  expect(pool.idleCount).toBe(pool.totalCount);
});

test("a transaction that fails is rolled back", async () => {
  const { pool, db } = single();
  await pool.query("create temporary table kept (n int)");
  const failed = db.transaction(async (tx) => {
    await tx.execute(sql`insert into kept values (1)`);
    throw new Error("no");
  });
  await expect(failed).rejects.toThrow("no");
  await db.transaction((tx) => tx.execute(sql`insert into kept values (2)`));
  expect((await pool.query("select n from kept")).rows).toEqual([{ n: 2 }]);
});

test("prepared queries return the same instants as pg, whatever the time zone of the connection", async () => {
  const { pool, db } = single();
  const texts = [
    "2026-11-22 00:41:03.12+00",
    "2024-02-29 23:59:59+00",
    "0044-03-15 00:00:00+00",
    "9999-12-31 23:59:59.999+00",
  ];
  const others = ["0044-03-15 00:00:00+00 BC", "10000-01-01 00:00:00+00", "infinity", "-infinity"];
  const select = () =>
    sql`select at, null::timestamptz from unnest(${sql.param([...texts, ...others])}::timestamptz[]) as at`;
  const read = prepareRows<{ at: unknown; none: unknown }>(db, "instants", ["at", "none"], select);
  for (const zone of ["UTC", "Asia/Kolkata", "America/St_Johns"]) {
    await pool.query(`set timezone to '${zone}'`);
    const usual = await pool.query("select unnest($1::timestamptz[]) as at", [[...texts, ...others]]);
    expect(await read()).toEqual(usual.rows.map(({ at }) => ({ at, none: null })));
  }
});
