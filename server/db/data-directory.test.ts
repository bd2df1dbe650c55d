import { rename } from "node:fs/promises";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { createFakeClock } from "../../tests/fake-clock.ts";
import { childrenOf, everyUser, killServer, makePlace, serverPid } from "../../tests/support/embedded/places.ts";
import { refusal, startHolder, success } from "../../tests/support/embedded/process.ts";
import { makeDatabase } from "../../tests/support/embedded/template.ts";
import { type DataDirectoryOptions, openDataDirectory, SMART_SHUTDOWN_CHECK_MS } from "./data-directory.ts";

const [user = { name: "this user" }] = everyUser;

async function open(dataDir: string, options: Partial<DataDirectoryOptions> = {}) {
  const told: string[] = [];
  const onLost = (reason: Error) => told.push(reason.message);
  const log = (line: string) => told.push(line);
  const directory = await openDataDirectory({ dataDir, parts: ["api", "worker"], log, onLost, ...options });
  onTestFinished(() => directory.close());
  return { ...directory, told };
}

async function ask(connection: pg.PoolConfig, statement = "select 1"): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

test("a second start is refused, and shows the process, the time and the address of the first", async () => {
  const dataDir = await makeDatabase();
  const { publish, connection } = await open(dataDir);
  await publish("http://127.0.0.1:3000");
  const line = await refusal(startHolder(user, { dataDir, how: "open", parts: ["api"] }));
  expect(line).toBe(
    `the data directory ${dataDir} is in use by process ${process.pid} at http://127.0.0.1:3000, since ${
      /since (\S+ \S+)/.exec(line)?.[1]
    } UTC: stop it first, or choose another DATA_DIR`,
  );
  expect(line).toMatch(/since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/);
  // The refused process leaves the database to its holder.
  await ask(connection);
});

test("a start that fails once PostgreSQL runs ends the PostgreSQL that it started, and no other", async () => {
  const dataDir = await makeDatabase();
  const { connection, close } = await open(dataDir, { parts: ["worker"] });
  const admin = { ...connection, user: "postgres" };
  await ask(admin, "alter role estimation nologin");
  await expect(open(dataDir, { parts: ["api"] })).rejects.toThrow(/not permitted to log in/);
  await ask(admin);
  await close();
  expect(await serverPid(dataDir)).toBeUndefined();
  await expect(open(dataDir, { parts: ["api"] })).rejects.toThrow(/not permitted to log in/);
  expect(await serverPid(dataDir)).toBeUndefined();
});

test("the directory is free as soon as its holder has died, for whatever reason", async () => {
  const dataDir = await makeDatabase();
  for (const victim of ["holder", "holder and server"]) {
    const holder = startHolder(user, { dataDir, how: "open", parts: ["api", "worker"] });
    await success(holder);
    await holder.kill();
    const pid = await serverPid(dataDir);
    if (victim !== "holder" && pid !== undefined) killServer(pid);
  }
  await open(dataDir);
});

test("if several start at once in an empty folder, exactly one wins, and the others are told which", async () => {
  const dataDir = `${await makePlace()}/data`;
  const holders = [1, 2, 3].map(() => startHolder(user, { dataDir, how: "open", parts: ["api", "worker"] }));
  const reports = await Promise.all(holders.map((holder) => holder.report));
  const winner = holders[reports.findIndex((report) => report.ok)];
  const refused = reports.flatMap((report) => (report.ok ? [] : [report.message]));
  expect(refused).toHaveLength(2);
  for (const line of refused) expect(line).toContain(`in use by process ${winner?.pid}, since`);
  await winner?.close();
  expect(await serverPid(dataDir)).toBeUndefined();
});

test("API and worker can be two processes, and the last to leave stops the server", async () => {
  const dataDir = await makeDatabase();
  const api = await open(dataDir, { parts: ["api"] });
  const worker = await open(dataDir, { parts: ["worker"] });
  const visitor = await open(dataDir, { parts: [] });
  await visitor.close();
  await api.close();
  await ask(worker.connection);
  await expect(open(dataDir, { parts: ["worker"] })).rejects.toThrow(/in use by process/);
  await worker.close();
  expect(await serverPid(dataDir)).toBeUndefined();
});

test("a server that crashes is restarted in the same place, and the directory stays locked", async () => {
  const dataDir = await makeDatabase();
  const directory = await open(dataDir);
  await directory.publish("http://127.0.0.1:3000");
  const before = await serverPid(dataDir);
  killServer(before ?? 0);
  await expect.poll(() => directory.told).toContain("PostgreSQL is back");
  expect(await serverPid(dataDir)).not.toBe(before);
  await ask(directory.connection);
  expect(await refusal(startHolder(user, { dataDir, how: "open", parts: ["api"] }))).toContain(
    "at http://127.0.0.1:3000,",
  );
});

test.each(["SIGINT", "SIGQUIT"])("a server that somebody else stops with %s is started again", async (signal) => {
  const dataDir = await makeDatabase();
  const directory = await open(dataDir);
  const before = (await serverPid(dataDir)) ?? 0;
  process.kill(before, signal);
  await expect.poll(() => directory.told).toContain("PostgreSQL is back");
  expect(await serverPid(dataDir)).not.toBe(before);
  await ask(directory.connection);
});

test("a server that received SIGTERM refuses connections only until it is started again", async () => {
  const dataDir = await makeDatabase();
  const directory = await open(dataDir);
  const before = (await serverPid(dataDir)) ?? 0;
  const client = new pg.Client(directory.connection);
  client.on("error", () => {});
  await client.connect();
  process.kill(before, "SIGTERM");
  await expect.poll(() => ask(directory.connection).catch(({ code }) => code)).toBe("57P03");
  await expect.poll(() => directory.told, { timeout: 20_000 }).toContain("PostgreSQL is back");
  expect(await serverPid(dataDir)).not.toBe(before);
  await ask(directory.connection);
  await directory.close();
  expect(await serverPid(dataDir)).toBeUndefined();
});

test("a server that received SIGTERM together with this process serves its open connections to their end", async () => {
  const dataDir = await makeDatabase();
  const asked = Promise.withResolvers<void>();
  const clock = createFakeClock();
  const directory = await open(dataDir, { whenStopped: asked.promise, clock });
  const client = new pg.Client(directory.connection);
  await client.connect();
  process.kill((await serverPid(dataDir)) ?? 0, "SIGTERM");
  asked.resolve();
  await expect.poll(() => ask(directory.connection).catch(({ code }) => code)).toBe("57P03");
  await clock.advance(2 * SMART_SHUTDOWN_CHECK_MS);
  expect((await client.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
  await client.end();
  await directory.close();
  expect(await serverPid(dataDir)).toBeUndefined();
});

test("a process that was asked to stop does not start the server again", async () => {
  const dataDir = await makeDatabase();
  const asked = Promise.withResolvers<void>();
  const directory = await open(dataDir, { whenStopped: asked.promise });
  asked.resolve();
  killServer((await serverPid(dataDir)) ?? 0);
  await expect.poll(() => serverPid(dataDir)).toBeUndefined();
  await directory.close();
  expect([await serverPid(dataDir), directory.told]).toEqual([undefined, []]);
});

test("a process that holds no part leaves the server to those that do", async () => {
  const dataDir = await makeDatabase();
  const visitor = await open(dataDir, { parts: [] });
  killServer((await serverPid(dataDir)) ?? 0);
  await expect.poll(() => visitor.told).toContain("the connection to PostgreSQL broke");
  expect(await serverPid(dataDir)).toBeUndefined();
});

test("of two processes that start the server after it ended, the one that took the directory first continues, and the other ends", async () => {
  const dataDir = await makeDatabase();
  const holder = startHolder(user, { dataDir, how: "open", parts: ["api", "worker"] });
  await success(holder);
  // The holder is paused, so that the second start is the first to get the server and the lock.
  process.kill(holder.pid, "SIGSTOP");
  killServer((await serverPid(dataDir)) ?? 0);
  const { connection } = await open(dataDir);
  process.kill(holder.pid, "SIGCONT");
  await holder.ended;
  expect(holder.printed).toEqual([{ lost: expect.stringContaining(`in use by process ${process.pid}, since`) }]);
  await ask(connection);
});

test("a database that disappears is waited for, not replaced by an empty one", async () => {
  const dataDir = await makeDatabase();
  const directory = await open(dataDir);
  const [cluster, away] = [directory.location, `${directory.location}-away`];
  const pid = (await serverPid(dataDir)) ?? 0;
  await rename(cluster, away);
  killServer(pid);
  const gone = `the database in ${cluster} has disappeared; trying again until it works`;
  await expect.poll(() => directory.told).toContain(gone);
  await rename(away, cluster);
  await expect.poll(() => directory.told).toContain("PostgreSQL is back");
  await ask(directory.connection);
});

test("a holder whose server does not respond still ends, and the next start finds the server", async () => {
  const dataDir = await makeDatabase();
  const holder = startHolder(user, { dataDir, how: "open", parts: ["api", "worker"] });
  await success(holder);
  const pid = (await serverPid(dataDir)) ?? 0;
  const processes = [pid, ...childrenOf(pid)];
  for (const one of processes) process.kill(one, "SIGSTOP");
  await holder.close();
  for (const one of processes) process.kill(one, "SIGCONT");
  await open(dataDir);
  expect(await serverPid(dataDir)).toBe(pid);
});

test("a start while the holder is stopping the server waits and succeeds", async () => {
  const dataDir = await makeDatabase();
  const first = await open(dataDir);
  const [, second] = await Promise.all([first.close(), open(dataDir)]);
  await ask(second.connection);
});

test("a process that must end at once still has its server stopped", async () => {
  const dataDir = await makeDatabase();
  const { abandon } = await open(dataDir);
  await abandon();
  await expect.poll(() => serverPid(dataDir)).toBeUndefined();
  await ask((await open(dataDir)).connection);
});
