import { fileURLToPath } from "node:url";
import { drizzle, type NodePgDatabase, type NodePgQueryResultHKT } from "drizzle-orm/node-postgres";
import { migrate } from "drizzle-orm/node-postgres/migrator";
import type { PgDatabase } from "drizzle-orm/pg-core";
import { runMigrations as migrateWorker } from "graphile-worker";
import pg from "pg";
import type { Logger } from "pino";

/** The pool as Drizzle: a query takes any free connection. */
export type Database = NodePgDatabase;

/** The pool or a transaction: what a query needs to know. */
export type Queryable = PgDatabase<NodePgQueryResultHKT>;

/** Held while migrations run, so that processes that start together apply them once. */
const MIGRATION_LOCK = 7_310_447_002_118;

const migrationsFolder = fileURLToPath(new URL("./migrations", import.meta.url));

/** Drizzle over a pool; columns are snake_case in the database. */
export const drizzleOver = (client: pg.Pool | pg.PoolClient): Database => drizzle(client, { casing: "snake_case" });

/** A pool of at most `max` connections whose idle connections may break without taking the process down. */
export function createPool(connection: pg.PoolConfig, log: Logger, max = 10): pg.Pool {
  const pool = new pg.Pool({ max, connectionTimeoutMillis: 5_000, keepAlive: true, ...connection });
  pool.on("error", (error) => log.warn({ err: error }, "an idle database connection broke"));
  // One that breaks in use fails its query, which is where it is dealt with.
  pool.on("connect", (client) =>
    client.on("error", (error) => log.debug({ err: error }, "a database connection broke")),
  );
  return pool;
}

/** Applies the migrations that are missing, those of the job queue included, once over all processes. */
export async function migrateDatabase(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [MIGRATION_LOCK]);
    await migrate(drizzleOver(client), { migrationsFolder });
    await migrateWorker({ pgPool: pool });
  } finally {
    // Closing the connection frees the lock, also where unlocking could no longer be sent.
    client.release(true);
  }
}
