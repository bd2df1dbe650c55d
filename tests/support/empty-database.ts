import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject, onTestFinished } from "vitest";

/** Creates a database without any table, which is removed after the test; returns how to connect to it. */
export async function emptyDatabase(): Promise<{ connection: pg.PoolConfig; pool: pg.Pool }> {
  const cluster = inject("cluster");
  const name = `empty_${randomBytes(8).toString("hex")}`;
  const connection = { ...cluster, database: name };
  await asAdmin(cluster, `create database ${name} strategy file_copy`);
  const pool = new pg.Pool({ ...connection, max: 4 });
  pool.on("error", () => {}).on("connect", (client) => client.on("error", () => {}));
  onTestFinished(async () => {
    await pool.end();
    await asAdmin(cluster, `drop database if exists ${name} with (force)`);
  });
  return { connection, pool };
}

async function asAdmin(cluster: pg.PoolConfig, statement: string): Promise<void> {
  const client = new pg.Client(cluster);
  await client.connect();
  await client.query(statement).finally(() => client.end());
}
