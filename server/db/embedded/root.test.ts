import { existsSync } from "node:fs";
import { chmod, cp, readFile, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { isRoot, makePlace } from "../../../tests/support/embedded/places.ts";
import { makeDatabase } from "../../../tests/support/embedded/template.ts";
import { startEmbeddedPostgres } from "../embedded.ts";
import { chooseAccount } from "./account.ts";
import { findBinaries, reachableBinaries } from "./binaries.ts";
import { sharedFolder } from "./location.ts";
import { run } from "./run.ts";

async function start(dataDir: string) {
  const told: string[] = [];
  const server = await startEmbeddedPostgres({ dataDir, durable: false, log: (line) => told.push(line) });
  onTestFinished(() => server.stop());
  return { ...server, told };
}

/** A folder that only root may enter, like /root. */
async function makeClosedPlace(): Promise<string> {
  const place = await makePlace();
  await chmod(place, 0o700);
  return place;
}

async function query(connection: pg.PoolConfig, sql: string) {
  const client = new pg.Client(connection);
  await client.connect();
  return await client.query(sql).finally(() => client.end());
}

describe.runIf(isRoot)("as root", () => {
  test("if only root may enter the folder, the cluster is stored elsewhere, and the place is reported and remembered", async () => {
    const place = await makeClosedPlace();
    const dataDir = path.join(place, "data");
    const first = await start(dataDir);
    expect(first.location.startsWith(`${sharedFolder}/`)).toBe(true);
    expect(first.told.join("\n")).toContain(path.dirname(first.location));
    await query(first.connection, "create table kept ()");
    await first.stop();

    const moved = path.join(place, "moved");
    await rename(dataDir, moved);
    await chmod(place, 0o755);
    const second = await start(moved);
    expect(second).toMatchObject({ location: first.location, told: [] });
    await query(second.connection, "table kept");
  });

  test("a cluster stored elsewhere that has disappeared is not silently replaced by an empty one", async () => {
    const dataDir = path.join(await makeClosedPlace(), "data");
    const first = await start(dataDir);
    await first.stop();
    const home = path.dirname(first.location);
    await rename(home, `${home}-away`);
    onTestFinished(() => rename(`${home}-away`, home));
    await expect(start(dataDir)).rejects.toThrow(`the database is in ${home}`);
  });

  test("a cluster that its account can no longer reach is not silently replaced by an empty one", async () => {
    const dataDir = await makeDatabase();
    await chmod(path.dirname(dataDir), 0o700);
    await expect(start(dataDir)).rejects.toThrow(/cannot be reached by the user/);
  });

  test("programs installed where only root may enter are copied once to a place where they can run", async () => {
    const installed = findBinaries();
    const place = await makeClosedPlace();
    const root = path.join(place, "native");
    await cp(installed.root, root, { recursive: true, verbatimSymlinks: true });
    const label = `test-${process.pid}`;
    onTestFinished(() => rm(path.join(sharedFolder, label), { recursive: true, force: true }));
    const closed = { ...installed, root, label, postgres: path.join(root, "bin", "postgres") };
    const account = await chooseAccount(place);
    const told: string[] = [];
    const [one, two] = await Promise.all(
      [1, 2].map(() => reachableBinaries(closed, account, (line) => told.push(line))),
    );
    expect(one).toEqual(two);
    expect(one?.root).toBe(path.join(sharedFolder, label));
    expect(await run(one?.postgres ?? "", ["-V"], { account })).toMatchObject({ code: 0 });
    expect(told[0]).toContain(sharedFolder);
    told.length = 0;
    await reachableBinaries(closed, account, (line) => told.push(line));
    expect(told).toEqual([]);
  });

  test("an empty folder created only for root still becomes the data directory", async () => {
    const dataDir = await makeClosedPlace();
    const { location, told } = await start(dataDir);
    expect(location).toBe(path.join(dataDir, "postgresql"));
    expect(told).toHaveLength(1);
    expect((await stat(dataDir)).mode & 0o777).toBe(0o711);
  });

  test("the server does not run as root", async () => {
    const { pid } = await start(await makeDatabase());
    if (!existsSync(`/proc/${pid}/status`)) return;
    expect(await readFile(`/proc/${pid}/status`, "utf8")).not.toMatch(/^Uid:.*\b0\b/m);
  });
});
