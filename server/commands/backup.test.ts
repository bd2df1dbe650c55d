import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { cp, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { request, until } from "../../tests/harness.ts";
import { makePlace, serverPid } from "../../tests/support/embedded/places.ts";
import { makeDatabase } from "../../tests/support/embedded/template.ts";
import { emptyDatabase } from "../../tests/support/empty-database.ts";
import { runProgram } from "../../tests/support/program.ts";
import { startReceiver } from "../../tests/support/receiver.ts";
import { runService, type ServiceProcess } from "../../tests/support/service-process.ts";
import { asConnectionString } from "../db/embedded/socket-folder.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const account = { email: "ada@example.com", password: "a long enough password" };
const newSecret = () => randomBytes(32).toString("base64url");

/** Runs a command to its end; returns its exit code, what it says, and the line that says why it failed. */
async function run(args: string[], settings: Record<string, string>) {
  const command = runService(args, settings);
  const code = await command.exitCode;
  expect(command.faults().length, command.output.err).toBeLessThanOrEqual(1);
  return { code, out: command.output.out, fault: command.faults()[0] };
}

async function stop(service: ServiceProcess): Promise<void> {
  service.send("SIGTERM");
  expect(await service.exitCode, service.output.err).toBe(0);
}

/** A folder as the page has it: the program, and the data of a service in `data`. */
async function makeInstallation(): Promise<{ place: string; dataDir: string }> {
  const dataDir = await makeDatabase();
  const place = path.dirname(dataDir);
  for (const name of ["main.js", "node_modules"]) await symlink(path.join(root, name), path.join(place, name));
  return { place, dataDir };
}

/** Runs a shell with commands of the page, as a reader does. */
async function play(place: string, commands: string): Promise<string> {
  const shell = runProgram(["bash", "-e"], { cwd: place, env: { LOG_LEVEL: "warn" } });
  shell.write(`${commands}\nexit\n`);
  expect([await shell.ended, shell.printed.err]).toEqual([0, ""]);
  return shell.printed.out;
}

test("the page's commands back up a running service and restore it; webhooks go out after `resume`, and verify", async () => {
  const page = readFileSync(path.join(root, "docs/backup.md"), "utf8");
  const [backUp = "", restore = "", resume = "", ...more] = [...page.matchAll(/^```bash\n([\s\S]*?)^```/gm)].map(
    ([, text]) => text,
  );
  expect(more).toEqual([]);
  const { place, dataDir } = await makeInstallation();
  const receiver = await startReceiver((_, response) => {
    response.statusCode = 503;
    response.end();
  });
  onTestFinished(() => receiver.close());
  receiver.trustedBy(dataDir);
  // More attempts than there is time for before the backup.
  const retries = { WEBHOOK_RETRY_DELAYS: "2", WEBHOOK_MAX_ATTEMPTS: "20" };
  const former = runService(["serve", "--without-pages"], { DATA_DIR: dataDir, ...retries });
  const url = await former.url();
  expect(former.output.out).not.toContain("Held");
  const { data } = await request(url, "POST", "/api/auth/register", { body: account });
  const token = String(data.token);
  const body = { url: `${receiver.url}/hook`, events: ["estimation.tasks_generated"] };
  const { data: hook } = await request(url, "POST", "/api/webhooks", { token, body });
  expect(hook.secret).toBeDefined();
  await request(url, "POST", `/api/webhooks/${hook.webhook?.id}/test`, { token, body: {} });
  await until(() => receiver.requests.length > 0);
  expect(await play(place, backUp)).toMatch(
    /^Backed up \d+ rows of \d+ tables in \d+\.\d s: \S+shop\.backup \(\d+ kB\)$/m,
  );
  await stop(former);
  const before = receiver.requests.length;

  expect(await play(place, restore)).toMatch(/^Restored \d+ rows of \d+ tables in \d+\.\d s, as they were at \S+Z$/m);
  const there = path.join(place, "restored");
  expect(await serverPid(there)).toBeUndefined();
  receiver.trustedBy(there);
  const service = runService(["serve", "--without-pages"], { DATA_DIR: there, ...retries });
  const restored = await service.url();
  expect(service.output.out).toMatch(
    /^ {4}Held {3}restored \S+Z; no webhook, mail or export is sent until: npx node main\.js resume$/m,
  );
  expect((await request(restored, "GET", "/api/auth/me", { token })).data.user?.email).toBe(account.email);
  expect((await request(restored, "POST", "/api/auth/login", { body: account })).status).toBe(200);
  expect(receiver.requests.length).toBe(before);
  expect(await play(place, resume)).toMatch(/^Webhooks, mails and exports, .* are sent again$/m);
  await until(() => receiver.requests.length > before);
  await stop(service);
  expect(await play(place, resume)).toMatch(/^Nothing was held$/m);
  const again = runService(["serve", "--without-pages"], { DATA_DIR: there });
  await again.url();
  expect(again.output.out).not.toContain("Held");
  await stop(again);
});

test("each mistake is reported in one line, and makes or changes nothing", async () => {
  const { place, dataDir } = await makeInstallation();
  const file = path.join(place, "a.backup");
  const service = runService(["serve", "--without-pages"], { DATA_DIR: dataDir });
  await request(await service.url(), "POST", "/api/auth/register", { body: account });
  expect((await run(["backup", file], { DATA_DIR: dataDir })).code).toBe(0);
  const [backup, restore] = [
    (args: string[], settings: object) => run(["backup", ...args], { DATA_DIR: dataDir, ...settings }),
    (args: string[], settings: object) => run(["restore", ...args], { DATA_DIR: dataDir, ...settings }),
  ];
  const bytes = await readFile(file);

  expect((await backup([file], {})).fault).toBe(`${file} exists already: choose another name`);
  expect(await readFile(file)).toEqual(bytes);
  expect((await backup([path.join(place, "none", "b")], {})).fault).toBe(
    `cannot write ${place}/none/b: no such file or directory (ENOENT)`,
  );
  const nowhere = path.join(place, "nowhere");
  expect((await backup([`${file}2`], { DATA_DIR: nowhere })).fault).toBe(
    `there is no database in ${nowhere}: set DATA_DIR or DATABASE_URL as the service has it`,
  );
  expect((await run(["resume"], { DATA_DIR: nowhere })).fault).toContain("there is no database in");
  expect((await backup([`${file}2`], { ENCRYPTION_KEY: newSecret() })).fault).toMatch(
    /^ENCRYPTION_KEY is not the one that the database has been used with/,
  );
  expect((await restore([file], {})).fault).toMatch(/ is in use by process \d+ at /);
  await stop(service);
  expect((await restore([file], {})).fault).toMatch(
    new RegExp(`^cannot restore ${file}: the database is not empty: there are rows in \\w+$`),
  );
  expect((await restore([`${file}3`], {})).fault).toBe(`cannot read ${file}3: no such file or directory (ENOENT)`);
  expect((await restore([file], { DATA_DIR: nowhere })).fault).toMatch(
    /^cannot restore .*: there is no ENCRYPTION_KEY \(file encryption-key\): set it .*$/,
  );
  const damaged = path.join(place, "damaged.backup");
  await writeFile(damaged, bytes.subarray(0, -1));
  const keys = {
    DATA_DIR: nowhere,
    ENCRYPTION_KEY: await secretOf(dataDir, "encryption-key"),
    SESSION_SECRET: newSecret(),
  };
  expect((await restore([damaged], keys)).fault).toBe(`cannot restore ${damaged}: it is damaged, or not complete`);
  expect((await restore([file], { ...keys, ENCRYPTION_KEY: newSecret() })).fault).toBe(
    `cannot restore ${file}: it was made with another ENCRYPTION_KEY`,
  );
  expect(existsSync(nowhere)).toBe(false);
  expect((await readdir(place)).sort()).toEqual(["a.backup", "damaged.backup", "data", "main.js", "node_modules"]);
  for (const args of [["backup"], ["restore"], ["backup", "a", "b"], ["resume", "now"]])
    expect((await run(args, { DATA_DIR: nowhere })).code).toBe(2);

  // With another secret of sessions it is restored, and says what follows.
  const { out } = await restore([file], keys);
  expect(out).toContain(
    "SESSION_SECRET is another one than before: to sign everybody out, run: npx node main.js accept-secrets",
  );
  const refused = runService(["serve"], keys);
  expect(await refused.exitCode).toBe(1);
  expect(refused.faults()).toEqual([expect.stringMatching(/^SESSION_SECRET is not the one .*accept-secrets$/)]);
});

const secretOf = async (dataDir: string, name: string) => (await readFile(path.join(dataDir, name), "utf8")).trim();

test("a database of the service's own becomes one of a server, and the other way round", async () => {
  const { place, dataDir } = await makeInstallation();
  const service = runService(["serve", "--without-pages"], { DATA_DIR: dataDir });
  const { data } = await request(await service.url(), "POST", "/api/auth/register", { body: account });
  await stop(service);
  const file = path.join(place, "a.backup");
  // Started and stopped for it.
  expect((await run(["backup", file], { DATA_DIR: dataDir })).code).toBe(0);
  expect(await serverPid(dataDir)).toBeUndefined();
  const { connection } = await emptyDatabase();
  const settings = {
    DATABASE_URL: asConnectionString(connection),
    ENCRYPTION_KEY: await secretOf(dataDir, "encryption-key"),
    SESSION_SECRET: await secretOf(dataDir, "session-secret"),
  };
  const server = { ...settings, DATA_DIR: path.join(place, "server") };
  expect((await run(["restore", file], server)).code).toBe(0);
  const whoIs = async (settings: Record<string, string>) => {
    const process = runService(["serve", "--without-pages"], settings);
    const me = await request(await process.url(), "GET", "/api/auth/me", { token: String(data.token) });
    await stop(process);
    return me.data.user?.email;
  };
  expect(await whoIs(server)).toBe(account.email);

  expect((await run(["backup", `${file}2`], server)).code).toBe(0);
  const back = path.join(place, "back");
  await mkdir(back);
  for (const name of ["encryption-key", "session-secret"]) await cp(path.join(dataDir, name), path.join(back, name));
  expect((await run(["restore", `${file}2`], { DATA_DIR: back })).code).toBe(0);
  expect(await whoIs({ DATA_DIR: back })).toBe(account.email);
});

test("a stop gives a backup up, and leaves no file", async () => {
  const place = await makePlace();
  const { connection, pool } = await emptyDatabase();
  const secrets = { ENCRYPTION_KEY: newSecret(), SESSION_SECRET: newSecret() };
  const settings = { ...secrets, DATA_DIR: place, DATABASE_URL: asConnectionString(connection) };
  expect((await run(["migrate"], settings)).code).toBe(0);
  // Somebody else has a table for themselves, so that it waits.
  const other = await pool.connect();
  await other.query("begin; lock table users in access exclusive mode");
  const backup = runService(["backup", path.join(place, "a.backup")], settings);
  const waiting =
    "select from pg_locks where not granted and database = (select oid from pg_database where datname = current_database())";
  await until(async () => (await pool.query(waiting)).rowCount === 1);
  backup.send("SIGTERM");
  expect(await backup.exitCode).toBe(1);
  expect(backup.faults()).toEqual(["stopped; no backup was made"]);
  expect(await readdir(place)).toEqual([]);
  await other.query("rollback");
  other.release();
});
