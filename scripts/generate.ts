/**
 * Regenerates every generated file; tests compare them with what is committed. An argument names a new migration, which
 * is written where the tables differ from the migrations.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { endpointGroups } from "../contract/index.ts";
import { createPool } from "../server/db/database.ts";
import { startEmbeddedPostgres } from "../server/db/embedded.ts";
import { migrateDatabase } from "../server/db/migrate.ts";
import { openApi } from "../server/http/openapi/document.ts";
import { CLIENT_ROUTES_FILE, clientRoutes, PACKAGE_ROUTES_FILE, packageRoutes } from "./client-routes.ts";
import { CLIENT_TYPES_FILE, clientTypes } from "./client-types.ts";
import { COMMON_PASSWORDS_FILE, commonPasswordsFile } from "./common-passwords.ts";
import { ESTIMATES_PICTURE_FILE, estimatesPicture } from "./estimates-picture.ts";
import { FORECAST_TABLES_FILE, forecastTables } from "./forecast-tables.ts";
import { RECEIVER_EVENTS_FILE, receiverEvents } from "./receiver-events.ts";
import { referencePages } from "./reference.ts";
import { describeSchema } from "./schema.ts";

const MIGRATIONS = "server/db/migrations";

/**
 * Writes what the tables lack as a migration. Where there is none, it is the first one, which also has what Drizzle does not
 * generate.
 */
function migrations(name: string): void {
  const isFirst = !existsSync(MIGRATIONS);
  const words = ["node_modules/drizzle-kit/bin.cjs", "generate", "--name", name];
  execFileSync(process.execPath, words, { stdio: "inherit" });
  if (!isFirst) return;
  const file = `${MIGRATIONS}/0000_${name}.sql`;
  const parts = ["server/db/before-tables.sql", file, "server/db/after-tables.sql"];
  const texts = parts.map((path) => readFileSync(path, "utf8").trim());
  writeFileSync(file, `${texts.join("\n--> statement-breakpoint\n")}\n`);
}

/** Writes the schema that the migrations create, so that a review shows what they change. */
async function schema(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "estimation-generate-"));
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => {}, durable: false });
  const pool = createPool(postgres.connection, pino({ level: "silent" }));
  await migrateDatabase(pool);
  writeFileSync("server/db/schema.gen.json", `${JSON.stringify(await describeSchema(pool), null, 2)}\n`);
  await pool.end();
  await postgres.stop();
  await rm(dataDir, { recursive: true });
}

/** Writes the responses of the service to the samples of the tests: the examples of the description. */
function examples(): void {
  const vitest = [
    "node_modules/vitest/vitest.mjs",
    "run",
    "-c",
    "vitest.long.config.ts",
    "tests/surface/examples.test.ts",
    "--update",
  ];
  execFileSync(process.execPath, vitest, { stdio: "inherit" });
}

/** Writes the OpenAPI description, for other tools, and so that a review shows what a change does to the API. */
function description(): void {
  const document = openApi(endpointGroups, "http://127.0.0.1:3000");
  writeFileSync("docs/openapi.gen.json", `${JSON.stringify(document, null, 2)}\n`);
}

/** Writes the reference pages, for people who read the repository. */
function reference(): void {
  mkdirSync("docs/reference", { recursive: true });
  for (const [path, text] of Object.entries(referencePages())) writeFileSync(path, text);
}

writeFileSync(COMMON_PASSWORDS_FILE, commonPasswordsFile());
writeFileSync(ESTIMATES_PICTURE_FILE, estimatesPicture());
writeFileSync(FORECAST_TABLES_FILE, forecastTables());
writeFileSync(CLIENT_ROUTES_FILE, clientRoutes());
writeFileSync(PACKAGE_ROUTES_FILE, packageRoutes());
writeFileSync(CLIENT_TYPES_FILE, clientTypes());
writeFileSync(RECEIVER_EVENTS_FILE, receiverEvents());
migrations(process.argv[2] ?? "change");
await schema();
examples();
description();
reference();
