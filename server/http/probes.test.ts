import { fastify } from "fastify";
import { expect, test, vi } from "vitest";
import { start, until } from "../../tests/harness.ts";
import { createPool, drizzleOver } from "../db/database.ts";
import { mountProbes } from "./probes.ts";

const { connection, services } = await start();

test("a query that never ends is abandoned, and the next probe asks again", async () => {
  const app = fastify();
  const execute = vi.spyOn(services.pool, "execute").mockImplementationOnce((() => new Promise(() => {})) as never);
  mountProbes(app, services, 20);
  const asked = [app.inject("/readyz"), app.inject("/readyz")];
  for (const response of await Promise.all(asked))
    expect(response.json()).toMatchObject({ message: "service_unavailable" });
  expect(execute).toHaveBeenCalledTimes(1);
  // The wait is so short that a busy machine may need several tries.
  await until(async () => (await app.inject("/readyz")).json().status === "ready");
  execute.mockRestore();
  await app.close();
});

test("simultaneous readiness probes share one query", async () => {
  const pool = createPool(connection, services.log);
  const query = vi.spyOn(pool, "query");
  const app = fastify();
  mountProbes(app, { pool: drizzleOver(pool) });
  const ask = async () => (await app.inject("/readyz")).statusCode;
  try {
    expect(await Promise.all(Array.from({ length: 50 }, ask))).toEqual(Array(50).fill(200));
    expect(query).toHaveBeenCalledTimes(1);
    expect(await ask()).toBe(200);
    expect(query).toHaveBeenCalledTimes(2);
  } finally {
    await pool.end();
  }
  // Without a database every probe fails, and each asks again.
  expect([await ask(), await ask()]).toEqual([500, 500]);
  await app.close();
});
