import { spawn } from "node:child_process";
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { until } from "../../../tests/harness.ts";
import { everyUser, killServer, makePlace, serverPid, type User } from "../../../tests/support/embedded/places.ts";
import { startHolder, success } from "../../../tests/support/embedded/process.ts";
import { makeDatabase } from "../../../tests/support/embedded/template.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../embedded.ts";
import { identify } from "./postmaster.ts";

async function start(dataDir: string): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, durable: false, log: () => {} });
  onTestFinished(() => server.stop());
  return server;
}

/** Runs a program as the account that runs PostgreSQL; its process id may coincide with one in a lock file. */
async function startStranger(cluster: string, script: string): Promise<number> {
  const { uid, gid } = await stat(cluster);
  const stranger = spawn("/bin/sh", ["-c", script], { uid, gid, stdio: ["ignore", "pipe", "ignore"] });
  onTestFinished(() => void stranger.kill("SIGKILL"));
  const [line] = await new Promise<string[]>((resolve) => stranger.stdout.once("data", (data) => resolve([`${data}`])));
  return Number(line);
}

/** Kills a start while it creates the database. Returns the data directory; null where the database was ready too soon. */
async function killedWhileCreating(user: User, group: boolean): Promise<string | null> {
  const dataDir = path.join(await makePlace(user), "data");
  const found = () => readdir(dataDir).catch((): string[] => []);
  const isDraft = (name: string) => name.includes("creating");
  const killed = startHolder(user, { dataDir, how: "start" });
  await expect.poll(found, { interval: 5 }).toContainEqual(expect.stringMatching(/creating|^postgresql$/));
  await killed.kill({ group });
  const left = await found();
  expect(left.filter(isDraft).length + left.filter((name) => name === "postgresql").length).toBe(1);
  return left.some(isDraft) ? dataDir : null;
}

describe.each(everyUser)("as $name", (user) => {
  test("a killed service leaves its database running, and the next start adopts it", async () => {
    const dataDir = await makeDatabase(user);
    const killed = startHolder(user, { dataDir, how: "start" });
    const { serverPid: pid } = await success(killed);
    await killed.kill({ group: true });
    const next = startHolder(user, { dataDir, how: "start" });
    expect(await success(next)).toMatchObject({ adopted: true, serverPid: pid });
    await next.close();
    expect(await serverPid(dataDir)).toBeUndefined();
  });

  test("no acknowledged row is lost, whether the service, the server, a part of it, or everything is killed", async () => {
    const dataDir = await makeDatabase(user);
    const acknowledged: unknown[] = [];
    for (const victim of ["service", "server", "postmaster", "everything"]) {
      const writer = startHolder(user, { dataDir, how: "start", write: true, durable: true });
      const { serverPid: pid } = await success(writer);
      await expect.poll(() => writer.printed.length).toBeGreaterThan(100);
      if (victim === "service" || victim === "everything") await writer.kill();
      if (victim === "postmaster") process.kill(pid, "SIGKILL");
      else if (victim !== "service") killServer(pid);
      await writer.kill();
      acknowledged.push(...writer.printed);
    }
    const reader = startHolder(user, { dataDir, how: "start", durable: true, read: true });
    const found = new Set<unknown>((await success(reader)).numbers);
    expect(acknowledged.length).toBeGreaterThan(400);
    expect(acknowledged.filter((number) => !found.has(number))).toEqual([]);
    await reader.close();
  });

  test("a kill while the database is being created is harmless", async () => {
    for (const group of [false, true]) {
      const dataDir = await until(() => killedWhileCreating(user, group));
      const next = startHolder(user, { dataDir, how: "start" });
      await success(next);
      expect(await readdir(dataDir)).toEqual(["postgresql", "postgresql.log"]);
      await next.close();
    }
  });

  test("three that start at once in an empty folder get the same server", async () => {
    const dataDir = path.join(await makePlace(user), "data");
    const holders = [1, 2, 3].map(() => startHolder(user, { dataDir, how: "start" }));
    const reports = await Promise.all(holders.map(success));
    expect(new Set(reports.map((report) => report.serverPid)).size).toBe(1);
    expect(reports.filter((report) => !report.adopted)).toHaveLength(1);
    expect(await readdir(dataDir)).toEqual(["postgresql", "postgresql.log"]);
  });
});

const holding = "echo $$; exec sleep 60";
// The shell replaces itself with a program that never waits for its child, so the child stays a zombie.
const leavingZombie = "sleep 0 & echo $!; exec sleep 60";

test.each([
  ["of nobody", undefined],
  ["of another program", holding],
  ["of a zombie", leavingZombie],
])("lock files that name the process %s do not keep PostgreSQL from starting", async (_, script) => {
  const dataDir = await makeDatabase();
  const first = await start(dataDir);
  const lock = path.join(first.location, "postmaster.pid");
  const socketLock = path.join(first.connection.host ?? "", `.s.PGSQL.${first.connection.port}.lock`);
  const locks = await Promise.all([lock, socketLock].map((file) => readFile(file, "utf8")));
  killServer(first.pid);
  const pid = script === undefined ? first.pid : await startStranger(first.location, script);
  await expect.poll(() => identify(pid, first.location)).not.toBe("postgres");
  for (const [index, file] of [lock, socketLock].entries()) {
    await writeFile(file, String(locks[index]).replace(String(first.pid), String(pid)));
  }
  expect(await start(dataDir)).toMatchObject({ adopted: false });
});

test("a server whose socket was deleted is replaced, because nobody could reach it", async () => {
  const dataDir = await makeDatabase();
  const first = await start(dataDir);
  await rm(first.connection.host ?? "", { recursive: true });
  const second = await start(dataDir);
  expect(second).toMatchObject({ adopted: false, connection: first.connection });
  expect(await identify(first.pid, first.location)).toBe("gone");
});

test("a start while the server is being stopped waits for its end", async () => {
  const dataDir = await makeDatabase();
  const first = await start(dataDir);
  await first.stopWithoutWaiting();
  const second = await start(dataDir);
  expect(second.pid).not.toBe(first.pid);
});

// The limit is half of the time for which a start waits for a server that neither works nor ends.
test("a start does not wait for the open connections of a server that another process has told to stop", {
  timeout: 60_000,
}, async () => {
  const dataDir = await makeDatabase();
  const first = await start(dataDir);
  const session = new pg.Client(first.connection);
  session.on("error", () => {});
  await session.connect();
  process.kill(first.pid, "SIGTERM");
  const second = await start(dataDir);
  expect(second).toMatchObject({ adopted: false, connection: first.connection });
});

test.runIf(process.platform === "linux")(
  "a killed server leaves no files in shared memory, since it has none there",
  async () => {
    const { pid } = await start(await makeDatabase());
    expect((await readFile(`/proc/${pid}/maps`, "utf8")).match(/\/dev\/shm\/[^/]+$/gm)).toBeNull();
  },
);

test("stopping twice, or stopping a server that has died, is not an error", async () => {
  const server = await start(await makeDatabase());
  await Promise.all([server.stop(), server.stop()]);
  await server.stop();
  await server.stopWithoutWaiting();
});
