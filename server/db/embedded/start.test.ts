import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  childrenOf,
  everyUser,
  isRoot,
  makeFolder,
  makePlace,
  serverPid,
} from "../../../tests/support/embedded/places.ts";
import { startHolder, success } from "../../../tests/support/embedded/process.ts";
import { makeDatabase } from "../../../tests/support/embedded/template.ts";
import { type EmbeddedOptions, startEmbeddedPostgres } from "../embedded.ts";

async function query(connection: pg.PoolConfig | string, sql: string): Promise<pg.QueryResult["rows"]> {
  const client = new pg.Client(typeof connection === "string" ? { connectionString: connection } : connection);
  await client.connect();
  return await client
    .query(sql)
    .then(({ rows }) => rows)
    .finally(() => client.end());
}

async function start(dataDir: string, options: Partial<EmbeddedOptions> = {}) {
  const told: string[] = [];
  const server = await startEmbeddedPostgres({ dataDir, durable: false, log: (line) => told.push(line), ...options });
  onTestFinished(() => server.stop());
  return { ...server, told };
}

/** Removes what processes of the server share under a name, as systemd does (`RemoveIPC`); Linux only. */
async function removeSharedMemory(server: number): Promise<void> {
  if (process.platform !== "linux") return;
  for (const pid of [server, ...childrenOf(server)]) {
    for (const line of (await readFile(`/proc/${pid}/maps`, "utf8")).split("\n")) {
      const [, , , , inode = "", name = ""] = line.split(/ +/);
      if (/^\/dev\/shm\/[^/]+$/.test(name)) await rm(name, { force: true });
      if (name.startsWith("/SYSV")) await promisify(execFile)("ipcrm", ["-m", inode]).catch(() => {});
    }
  }
}

describe.each(everyUser)("as $name", (user) => {
  test("the first start creates the database, a later one finds what was written, a stop leaves no process", async () => {
    const dataDir = path.join(await makePlace(user), "data");
    const first = startHolder(user, { dataDir, how: "start" });
    const { told } = await success(first);
    expect(told).toContainEqual(expect.stringMatching(/^Creating the database/));
    // The database is queried as its user: nobody else may.
    const writer = startHolder(user, { dataDir, how: "start", write: true });
    await success(writer);
    await expect.poll(() => writer.printed.length).toBeGreaterThan(0);
    await writer.kill();
    const pid = await serverPid(dataDir);
    await first.close();
    expect(await serverPid(dataDir)).toBeUndefined();
    await expect.poll(() => existsSync(`/proc/${pid}`)).toBe(false);

    const later = startHolder(user, { dataDir, how: "start", write: true });
    const report = await success(later);
    expect(report).toMatchObject({ adopted: false, told: [] });
    await expect.poll(() => later.printed.length).toBeGreaterThan(0);
    expect(Number(later.printed[0])).toBeGreaterThan(Number(writer.printed.at(-1)));
    await later.close();
  });

  test("a path of 200 characters works, and so does one with spaces, quotes and other scripts", async () => {
    const place = await makePlace(user);
    const long = path.join(place, "n".repeat(90), "m".repeat(200 - place.length - 92));
    expect(long).toHaveLength(200);
    const odd = path.join(place, `it's "odd", $HOME; ünïcödé 数据 \\ %s`);
    for (const dataDir of [long, odd]) {
      await makeFolder(user, dataDir);
      const holder = startHolder(user, { dataDir, how: "start", write: true });
      await success(holder);
      await expect.poll(() => holder.printed.length).toBeGreaterThan(0);
      await holder.close();
      expect(await readdir(dataDir)).toContain("postgresql");
    }
  });
});

test("text is ordered by code point, whatever the machine's locale", async () => {
  const { connection, connectionString } = await start(await makePlace());
  const words =
    "select string_agg(word, ' ' order by word) as words from (values ('ä'), ('b'), ('Z'), ('a')) as t (word)";
  expect(await query(connection, words)).toEqual([{ words: "Z a b ä" }]);
  expect(await query(connectionString, "show server_encoding")).toEqual([{ server_encoding: "UTF8" }]);
});

test("the service's role owns its database and may create others, but is no superuser", async () => {
  const { connection } = await start(await makeDatabase());
  const role = "select current_user as name, rolsuper, rolcreatedb from pg_roles where rolname = current_user";
  expect(await query(connection, role)).toEqual([{ name: "estimation", rolsuper: false, rolcreatedb: true }]);
  await query(connection, "create database another template estimation");
  await expect(query(connection, "copy (select 1) to program 'true'")).rejects.toThrow(/permission denied/);
});

test("no other user can connect: the socket's folder is closed, and the operating system identifies the user", async () => {
  const { connection, location } = await start(await makeDatabase());
  const folder = connection.host ?? "";
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect((await stat(location)).mode & 0o777).toBe(0o700);
  expect(await query({ ...connection, user: "postgres" }, "show listen_addresses")).toEqual([{ listen_addresses: "" }]);
  if (!isRoot) return;
  const connectAsAnother = async () => {
    const script = `const { default: pg } = await import("pg");
      const client = new pg.Client(${JSON.stringify(connection)});
      await client.connect().then(() => console.log("in"), (error) => console.log(error.message));
      process.exit();`;
    const another = { uid: 1, gid: 1, cwd: process.cwd() };
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], another);
    return stdout.trim();
  };
  expect(await connectAsAnother()).toMatch(/EACCES/);
  await chmod(folder, 0o755);
  await chmod(path.join(folder, `.s.PGSQL.${connection.port}`), 0o777);
  expect(await connectAsAnother()).toMatch(/Peer authentication failed/);
});

test("two data directories have two independent servers", async () => {
  const [one, two] = await Promise.all([start(await makeDatabase()), start(await makeDatabase())]);
  expect(one.pid).not.toBe(two.pid);
  await query(one.connection, "create table only_here ()");
  await expect(query(two.connection, "table only_here")).rejects.toThrow(/does not exist/);
  await one.stop();
  expect(await query(two.connection, "select 1 as one")).toEqual([{ one: 1 }]);
});

test("the server survives the end of its user's last session, when systemd removes the memory that the user's processes share", async () => {
  const { pid, connection } = await start(await makeDatabase());
  const client = new pg.Client(connection);
  await client.connect();
  onTestFinished(() => client.end());
  // Statistics about so many tables need more memory than the server reserves at its start.
  const tables = "for n in 1..2000 loop execute format('create table table_%s (id int primary key)', n); end loop;";
  await client.query(`do $$ begin ${tables} end $$`);
  await removeSharedMemory(pid);
  expect(await query(connection, "select count(*)::int as rows from table_2000")).toEqual([{ rows: 0 }]);
});

test("a folder in the temporary directory that somebody else created beforehand is not used", async () => {
  const dataDir = await makeDatabase();
  const first = await start(dataDir);
  await first.stop();
  await writeFile(first.connection.host ?? "", "not a folder");
  const { connection } = await start(dataDir);
  expect(connection.host).not.toBe(first.connection.host);
  expect(await query(connection, "select 1 as one")).toEqual([{ one: 1 }]);
  await rm(first.connection.host ?? "");
});

test("the operator's own settings survive, and a log that has grown long is moved away", async () => {
  const dataDir = await makeDatabase();
  const first = await start(dataDir);
  await query({ ...first.connection, user: "postgres" }, "alter system set max_connections = 42");
  await first.stop();
  await writeFile(path.join(dataDir, "postgresql.log"), "x".repeat(5_000_001));
  const { connection } = await start(dataDir);
  expect(await query(connection, "show max_connections")).toEqual([{ max_connections: "42" }]);
  expect((await stat(path.join(dataDir, "postgresql.log"))).size).toBeLessThan(10_000);
  expect((await readFile(path.join(dataDir, "postgresql.log.1"), "utf8")).length).toBe(5_000_001);
});
