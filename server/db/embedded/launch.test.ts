import path from "node:path";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { until } from "../../../tests/harness.ts";
import { childrenOf, killServer, serverPid } from "../../../tests/support/embedded/places.ts";
import { makeDatabase } from "../../../tests/support/embedded/template.ts";
import { startEmbeddedPostgres } from "../embedded.ts";
import { findBinaries } from "./binaries.ts";
import { complaintOf, launch } from "./launch.ts";
import { locate } from "./location.ts";
import { readPostmasterFile } from "./postmaster.ts";

/** A client whose connection may be cut without ending the test. */
function connectTo(connection: pg.PoolConfig): pg.Client {
  const client = new pg.Client(connection);
  client.on("error", () => {});
  return client;
}

test("if two servers are started at once, the second reports that another is running, whatever the first logs meanwhile", async () => {
  const dataDir = await makeDatabase();
  const { pid, connection } = await startEmbeddedPostgres({ dataDir, log: () => {} });
  const client = connectTo(connection);
  await client.connect();
  await client.query("create table filled as select generate_series(1, 100000)");
  killServer(pid);
  await until(async () => (await serverPid(dataDir)) === undefined);

  const location = await locate(dataDir, () => {});
  const binaries = findBinaries();
  const winner = launch(location, binaries);
  // While the winner recovers, it refuses all connections with a line that looks like its own failure.
  const starting = await until(async () => {
    const file = await readPostmasterFile(location.cluster);
    const [replaying] = file === undefined ? [] : childrenOf(file.pid);
    return replaying;
  });
  process.kill(starting, "SIGSTOP");
  let hammering = true;
  const hammer = (async () => {
    while (hammering)
      await connectTo(connection)
        .connect()
        .then(undefined, () => {});
  })();
  onTestFinished(async () => {
    hammering = false;
    await hammer;
  });
  for (let n = 0; n < 5; n += 1) {
    const loser = await launch(location, binaries);
    expect(loser).toEqual({ ready: false, told: `lock file "postmaster.pid" already exists` });
  }
  process.kill(starting, "SIGCONT");
  expect(await winner).toMatchObject({ ready: true, pid: await serverPid(path.resolve(dataDir)) });
});

test("in a shared log, the messages of the launched process come first", () => {
  const line = (pid: number, text: string) => `2026-01-01 00:00:00.000 UTC [${pid}] ${text}\n`;
  const lost = line(7, `FATAL:  lock file "postmaster.pid" already exists`);
  const busy = line(9, "FATAL:  the database system is starting up");
  const full = line(8, "PANIC:  could not write to file: No space left on device");
  const aborting = line(7, "LOG:  aborting startup due to startup process failure");
  expect(complaintOf(7, lost + busy)).toBe('lock file "postmaster.pid" already exists');
  expect(complaintOf(7, full + lost)).toBe('lock file "postmaster.pid" already exists');
  expect(complaintOf(7, full + busy + aborting)).toBe("the disk is full");
  expect(complaintOf(undefined, lost + busy)).toBe('lock file "postmaster.pid" already exists');
});
