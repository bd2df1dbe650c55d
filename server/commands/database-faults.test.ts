import { once } from "node:events";
import { appendFile, mkdtemp, readFile, rm } from "node:fs/promises";
import net from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { pino } from "pino";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { freePort } from "../../tests/support/free-port.ts";
import { loadConfig } from "../config.ts";
import { createPool } from "../db/database.ts";
import { startEmbeddedPostgres } from "../db/embedded.ts";
import { migrateDatabase } from "../db/migrate.ts";
import { openDatabase } from "./database.ts";
import { databaseFault } from "./database-faults.ts";
import { failureLines } from "./failure-lines.ts";

const folder = await mkdtemp(path.join(tmpdir(), "estimation-faults-"));
const options = { dataDir: folder, log: () => {}, durable: false };
const port = await freePort();
const first = await startEmbeddedPostgres(options);
const local = { ...first.connection, user: "postgres", database: "postgres" };
await onServer(local, "alter system set listen_addresses = '127.0.0.1'", `alter system set port = ${port}`);
await first.stop();
const server = await startEmbeddedPostgres(options);
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});
await appendFile(path.join(server.location, "pg_hba.conf"), "host all all 127.0.0.1/32 scram-sha-256\n");
await onServer(
  { ...local, port },
  "select pg_reload_conf()",
  "alter role estimation password 'estimation'",
  "create role weak login password 'weak'",
  "create role owner login password 'owner'",
  "create database foreign_one",
  "create database standby owner owner",
  "alter database standby set default_transaction_read_only = on",
  "create database crowded owner owner connection limit 0",
);

/** Runs statements as the superuser of the test's PostgreSQL. */
async function onServer(connection: pg.ClientConfig, ...statements: string[]): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

/** Runs a command on this database, which must fail; returns the line that it prints. */
async function lineOf(databaseUrl: string): Promise<readonly string[]> {
  const secret = Buffer.alloc(32, 1).toString("base64url");
  const config = loadConfig({ DATABASE_URL: databaseUrl, SESSION_SECRET: secret, ENCRYPTION_KEY: secret });
  try {
    const { connection } = await openDatabase(config, { parts: [], say: () => {}, onLost: () => {} });
    const pool = createPool(connection, pino({ level: "silent" }));
    await migrateDatabase(pool).finally(() => pool.end());
    return ["it works"];
  } catch (error) {
    return failureLines(error, databaseUrl);
  }
}

test.each([
  [`postgresql://owner:wrong@127.0.0.1:${port}/standby`, "the password of the role owner is wrong: correct it"],
  [
    `postgresql://owner:owner@127.0.0.1:${port}/nothing`,
    "there is no database nothing: correct its name, or make it with createdb --owner=owner nothing",
  ],
  [
    `postgresql://weak:weak@127.0.0.1:${port}/foreign_one`,
    "the role weak may not set the database up (permission denied for database foreign_one): let it own the database and all in it (ALTER DATABASE foreign_one OWNER TO weak)",
  ],
  [
    `postgresql://owner:owner@127.0.0.1:${port}/standby`,
    "the server 127.0.0.1 can only be read, as a standby: name the primary",
  ],
  [
    `postgresql://owner:owner@127.0.0.1:${port}/crowded`,
    "the server 127.0.0.1 has no connection left: end some, or raise its max_connections",
  ],
  [
    `postgresql://owner:owner@127.0.0.1:${port}/standby?sslmode=require`,
    "127.0.0.1 has no TLS: set sslmode=disable in the address",
  ],
  [
    "postgresql://owner@/standby?host=%2Fnowhere",
    "there is no socket of PostgreSQL in /nowhere, port 5432: start it there, or correct folder and port",
  ],
])("%s: %s", async (url, line) => {
  expect(await lineOf(url)).toEqual([`cannot use DATABASE_URL: ${line}`]);
});

test("a server that does not respond and one that is not PostgreSQL are reported with different messages", async () => {
  const silent = net.createServer().listen(0, "127.0.0.1");
  const rude = net.createServer((socket) => socket.destroy()).listen(0, "127.0.0.1");
  onTestFinished(() => void [silent, rude].map((one) => one.close()));
  const faultOf = async (one: net.Server, connectionTimeoutMillis: number) => {
    if (!one.listening) await once(one, "listening");
    const url = `postgresql://u:p@127.0.0.1:${(one.address() as net.AddressInfo).port}/x`;
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis });
    client.on("error", () => {});
    return databaseFault(await client.connect().catch((error) => error), url)?.replace(/port \d+/, "port");
  };
  expect([await faultOf(silent, 100), await faultOf(rude, 60_000)]).toEqual([
    "cannot use DATABASE_URL: 127.0.0.1, port, does not respond: correct host and port, or open the way through firewalls",
    "cannot use DATABASE_URL: what listens on 127.0.0.1, port, hangs up, and may not be PostgreSQL: correct host and port",
  ]);
});

test("an error that is not the database's is returned unchanged", async () => {
  const error = await readFile("/nowhere").catch((reason) => reason);
  expect(failureLines(error, "postgresql://u@h/x")).toEqual([error.message]);
});
