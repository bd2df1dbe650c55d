import { execFile } from "node:child_process";
import { chmod, mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { isRoot, makePlace, ordinaryUser } from "../../../tests/support/embedded/places.ts";
import { refusal, startHolder, success } from "../../../tests/support/embedded/process.ts";
import { makeDatabase } from "../../../tests/support/embedded/template.ts";
import { startEmbeddedPostgres } from "../embedded.ts";
import { findBinaries } from "./binaries.ts";
import { complaint } from "./run.ts";

const start = (dataDir: string) => startEmbeddedPostgres({ dataDir, durable: false, log: () => {} });

test("a data directory that cannot be created or written is named, with the reason", async () => {
  const place = await makePlace(ordinaryUser);
  await chmod(place, 0o555);
  for (const dataDir of [place, path.join(place, "data")]) {
    const line = await refusal(startHolder(ordinaryUser, { dataDir, how: "start" }));
    expect(line).toContain(dataDir);
    expect(line).toMatch(
      /^cannot create .*: permission denied \(EACCES\); let this user do that, or choose another DATA_DIR$/,
    );
  }
});

test("a file in place of the data directory is named", async () => {
  const file = path.join(await makePlace(), "data");
  await writeFile(file, "");
  await expect(start(file)).rejects.toThrow(`the data directory ${file} is not a folder`);
  await expect(start(path.join(file, "below"))).rejects.toThrow(/not a folder \(ENOTDIR\); choose another DATA_DIR$/);
});

test("a database of another major version is left unchanged, and both versions are named", async () => {
  const dataDir = await makeDatabase();
  const { location, stop } = await start(dataDir);
  await stop();
  const isOf = (version: number) => `is of PostgreSQL ${version}, and this version of the service runs PostgreSQL 18`;
  await writeFile(path.join(location, "PG_VERSION"), "17\n");
  await expect(start(dataDir)).rejects.toThrow(
    `${isOf(17)}: with the version of the service that made it run: npx node main.js backup FILE; then with this one and another DATA_DIR: npx node main.js restore FILE`,
  );
  await writeFile(path.join(location, "PG_VERSION"), "19\n");
  await expect(start(dataDir)).rejects.toThrow(
    `${isOf(19)}: start the version that made it, or choose another DATA_DIR`,
  );
});

test("a folder that is not a database is not overwritten", async () => {
  const dataDir = await makePlace();
  await mkdir(path.join(dataDir, "postgresql"));
  await expect(start(dataDir)).rejects.toThrow(/is not a PostgreSQL database/);
});

test("another user's database is refused, and its owner named", async () => {
  const dataDir = await makePlace(ordinaryUser);
  await mkdir(path.join(dataDir, "postgresql"));
  if (!isRoot) return;
  const line = await refusal(startHolder(ordinaryUser, { dataDir, how: "start" }));
  expect(line).toMatch(/belongs to another user \(id 0\)/);
});

test("a platform without programs is named", () => {
  expect(() => findBinaries("sunos", "sparc")).toThrow(/^npm has no PostgreSQL for this platform \(sunos-sparc\)/);
});

test("PostgreSQL's message is quoted, without time and process", () => {
  const log = "2026-01-01 00:00:00.000 UTC [7] LOG:  starting\n2026-01-01 00:00:00.001 UTC [7] FATAL:  no luck\n";
  expect(complaint(log)).toBe("no luck");
  expect(complaint("initdb: error: could not write\nDETAIL: No space left on device\n")).toBe("the disk is full");
  expect(complaint("")).toBe("it said nothing");
  const noted = "[7] LOG:  could not write temporary statistics file: No space left on device\n";
  expect(complaint(`${noted}[7] FATAL:  configuration file contains errors\n`)).toBe(
    "configuration file contains errors",
  );
  const semaphores = "could not create semaphores: No space left on device";
  expect(complaint(`[7] FATAL:  ${semaphores}\n[7] HINT:  This error does *not* mean that the disk is full.\n`)).toBe(
    semaphores,
  );
});

test.runIf(isRoot)("a full disk is said to be full, at the first start and at a later one", async () => {
  const place = await makePlace();
  const disk = path.join(place, "disk");
  await mkdir(disk);
  const mount = promisify(execFile);
  await mount("mount", ["-t", "tmpfs", "-o", "size=60m,mode=755", "tmpfs", disk]);
  onTestFinished(async () => void (await mount("umount", ["-l", disk])));
  await writeFile(path.join(disk, "filling"), Buffer.alloc(45_000_000));
  await expect(start(disk)).rejects.toThrow(/: the disk is full/);
  await rm(path.join(disk, "filling"));
  const { stop } = await start(disk);
  await stop();
});

test.runIf(isRoot)("root takes over an ordinary user's database, which goes on belonging to that user", async () => {
  const dataDir = await makeDatabase(ordinaryUser);
  const { stop } = await start(dataDir);
  await stop();
  const again = startHolder(ordinaryUser, { dataDir, how: "start" });
  await success(again);
  await again.close();
});
