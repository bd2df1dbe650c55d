import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import pg from "pg";
import { pino } from "pino";
import type { TestProject } from "vitest/node";
import { createPool } from "../server/db/database.ts";
import { serviceRole, superuser } from "../server/db/embedded/settings.ts";
import { startEmbeddedPostgres } from "../server/db/embedded.ts";
import { migrateDatabase } from "../server/db/migrate.ts";
import { preparePages } from "../server/pages/index.ts";
import { offerBrowser } from "./one-browser.ts";
import { makeRunFolder } from "./run-folder.ts";
import { TEMPLATE } from "./template.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** How to reach the test cluster's maintenance database. */
    cluster: pg.PoolConfig;
    /** Responds with the address of the run's browser. */
    browser: string;
  }
}

/** Starts one PostgreSQL for the whole run, migrates the template once, and offers one browser. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Programs that tests start load in two thirds of the time where they find themselves compiled, as `main.js` does.
  process.env.NODE_COMPILE_CACHE ??= resolve("node_modules/.cache/compiled");
  const removeRunFolder = await makeRunFolder();
  // Once, so that no service that a test starts builds the web application while it is being measured or killed.
  await preparePages();
  const dataDir = await mkdtemp(join(tmpdir(), "cluster-"));
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => {}, durable: false });
  const cluster = { ...postgres.connection, database: "postgres" };
  const admin = new pg.Client(cluster);
  await admin.connect();
  await admin.query(`create database ${TEMPLATE}`);
  const pool = createPool({ ...cluster, database: TEMPLATE }, pino({ level: "silent" }));
  await migrateDatabase(pool);
  await pool.end();
  // The first connection to a database writes a file of what each one reads of the catalog; clones have it too.
  const first = new pg.Client({ ...cluster, database: TEMPLATE });
  await first.connect();
  await first.end();
  await admin.end();
  const root = new pg.Client({ ...cluster, user: superuser });
  await root.connect();
  // For `tests/support/saved-rows.ts`.
  await root.query(`grant set on parameter session_replication_role to ${serviceRole}`);
  await root.end();
  project.provide("cluster", cluster);
  const browser = await offerBrowser();
  project.provide("browser", browser.url);
  return async () => {
    await browser.close();
    await postgres.stop();
    await removeRunFolder();
  };
}
