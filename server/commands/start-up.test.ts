import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import net from "node:net";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeDisk, mayMount } from "../../tests/support/disk.ts";
import { makePlace } from "../../tests/support/embedded/places.ts";
import { makeDatabase } from "../../tests/support/embedded/template.ts";
import { freePort } from "../../tests/support/free-port.ts";
import { runService } from "../../tests/support/service-process.ts";
import { loadConfig } from "../config.ts";
import { openDatabase } from "./database.ts";
import { failureLines } from "./failure-lines.ts";

const secret = randomBytes(32).toString("base64url");

/** Starts the service with these settings, which must fail; returns the lines that it prints. */
async function faultsOf(environment: Record<string, string>): Promise<string[]> {
  const service = runService(["serve"], environment);
  expect(await service.exitCode, service.output.out).toBe(1);
  expect(service.output.err).not.toContain("    at ");
  return service.faults();
}

/** Listens on a port during the test. */
async function takePort(): Promise<number> {
  const server = net.createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return (server.address() as net.AddressInfo).port;
}

test("DATABASE_URL with an unknown host or a port on which nothing listens is reported with what to correct", async () => {
  const secrets = { SESSION_SECRET: secret, ENCRYPTION_KEY: secret };
  const port = await freePort();
  const start = "cannot use DATABASE_URL:";
  // A machine without a name service cannot say that a name is unknown.
  expect([
    [`${start} there is no host nowhere.invalid: correct its name`],
    [`${start} the name service does not respond for nowhere.invalid: correct the name, or try again later`],
  ]).toContainEqual(await faultsOf({ DATABASE_URL: "postgresql://u:p@nowhere.invalid/x", ...secrets }));
  expect(await faultsOf({ DATABASE_URL: `postgresql://u:p@127.0.0.1:${port}/x`, ...secrets })).toEqual([
    `${start} nothing listens on 127.0.0.1, port ${port}: start PostgreSQL there, or correct host and port`,
  ]);
});

/** Runs a command in this folder, where it must fail; returns the line that it prints. */
const lineOf = async (dataDir: string) =>
  openDatabase(loadConfig({ DATA_DIR: dataDir }), { parts: [], say: () => {}, onLost: () => {} }).then(
    () => ["it works"],
    (error) => failureLines(error),
  );

test("a folder that cannot store data is reported with the reason, and with DATA_DIR", async () => {
  const refused = "the file system there does not take it (ENOENT); choose another DATA_DIR";
  expect(await lineOf("/proc")).toEqual([`cannot create the database in /proc: ${refused}`]);
  expect(await lineOf("/proc/data")).toEqual([expect.stringContaining(`/proc/data: ${refused}`)]);
});

test.runIf(mayMount)("a read-only folder is reported as such", async () => {
  const disk = await makeDisk(64);
  execFileSync("mount", ["-o", "remount,ro", path.dirname(disk)]);
  const readOnly = "the file system is read-only (EROFS); choose another DATA_DIR";
  expect(await lineOf(disk)).toEqual([`cannot write to ${disk}: ${readOnly}`]);
  expect(await lineOf(path.join(disk, "data"))).toEqual([`cannot create ${disk}/data: ${readOnly}`]);
});

test("the port is tried before a database is created", async () => {
  const port = await takePort();
  const dataDir = path.join(await makePlace(), "data");
  expect(await faultsOf({ DATA_DIR: dataDir, PORT: String(port) })).toEqual([
    `cannot listen on 127.0.0.1, port ${port}: the address is in use by another program; set PORT to another port`,
  ]);
  expect(existsSync(dataDir)).toBe(false);
});

test("a second start on the same directory and port says which process uses the directory, not only that the port is in use", async () => {
  const settings = { DATA_DIR: await makeDatabase(), PORT: String(await freePort()) };
  const first = runService(["serve"], settings);
  await first.url();
  expect(await faultsOf(settings)).toEqual([
    expect.stringMatching(
      `^the data directory ${settings.DATA_DIR} is in use by process ${first.pid} at http://127.0.0.1:${settings.PORT}, since .* UTC: stop it first, or choose another DATA_DIR$`,
    ),
  ]);
  first.send("SIGTERM");
  expect(await first.exitCode).toBe(0);
});

test("a start that hangs can be stopped, and the log names a setting that is probably misspelled", async () => {
  const service = runService(["serve"], { DATA_DIR: "/proc/data", WEBHOOK_MAX_ATTEMPT: "4" });
  expect(await service.exitCode).toBe(1);
  const [line = "{}"] = service.output.err.split("\n");
  expect(JSON.parse(line)).toMatchObject({
    level: 40,
    msg: "WEBHOOK_MAX_ATTEMPT is not a setting and is ignored: did you mean WEBHOOK_MAX_ATTEMPTS?",
  });
  expect(service.faults()).toEqual([expect.stringMatching(/\/proc\/data: .* choose another DATA_DIR$/)]);
});
