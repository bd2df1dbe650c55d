import { randomBytes } from "node:crypto";
import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { pino } from "pino";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { faultOf } from "../../clients/cli/listen/signature.ts";
import { startService } from "../../server/app.ts";
import type { Config } from "../../server/config.ts";
import { openBackup } from "../../server/db/backup/read-backup.ts";
import { restoreBackup } from "../../server/db/backup/restore-backup.ts";
import { writeBackup } from "../../server/db/backup/write-backup.ts";
import { migrateDatabase } from "../../server/db/migrate.ts";
import { storeIntent } from "../../server/features/exports/ledger-store.ts";
import { backUp, resumeSending, startRestore } from "../../server/services/backups.ts";
import { request, start, until } from "../harness.ts";
import { changesNothing } from "../support/dump.ts";
import { emptyDatabase } from "../support/empty-database.ts";
import { listRows } from "../support/list-rows.ts";
import { withLaterMigrations } from "../support/migrations.ts";
import { startReceiver } from "../support/receiver.ts";

const log = pino({ level: "silent" });
const app = await start();
const { config, clock } = app.services;
const receiver = await startReceiver();
afterAll(() => receiver.close());
const folder = await mkdtemp(join(tmpdir(), "backups-"));
afterAll(() => rm(folder, { recursive: true }));
const file = join(folder, "a.backup");

/** Texts that COPY writes in another way than they are, and what can be mistaken for its marks. */
const TEXTS = ["a\tb\\c\nd\re", "\\.", "\\N", "NULL", "", "ü 漢 🙂 \u0001", '{a,"b"}', "x".repeat(70_000)];

const { token, userId } = await app.signUp("ada@example.com");
const call = async (method: string, path: string, body?: unknown) => {
  const { status, data, text } = await app.request(method, path, { token, ...(body === undefined ? {} : { body }) });
  if (status >= 300) throw new Error(text);
  return data;
};
const { webhook, secret } = await call("POST", "/api/webhooks", {
  url: `${receiver.url}/hook`,
  events: ["estimation.tasks_generated"],
});
const removed = await call("POST", "/api/webhooks", { url: `${receiver.url}/gone`, events: ["share.invited"] });
const { connection } = await call("POST", "/api/connections", {
  ...{ target: "github", name: "Gone", baseUrl: "https://localhost:1", token: "ghp_0123456789" },
});
const { estimation } = await call("POST", "/api/estimations", { title: "Shop", tags: ["web", "a,b"] });
const path = `/api/estimations/${estimation?.id}`;
const option = { title: "Card", hours: { optimistic: 8, likely: 14, pessimistic: 30 } };
await call("PUT", `${path}/tree`, { nodes: [{ title: "Payment", kind: "group", options: [option] }] });
const { tasks } = await call("POST", `${path}/tasks/generate`);
await call("POST", `${path}/versions`, { label: "First" });
await call("POST", `${path}/shares`, { email: "guest@example.com", permission: "view" });
await call("POST", `${path}/tasks/export`, { target: "github", connectionId: connection?.id, repository: "acme/shop" });
await call("DELETE", `/api/webhooks/${removed.webhook?.id}`);
for (const description of TEXTS) {
  const { estimation: other } = await call("POST", "/api/estimations", { title: "Texts" });
  await app.pool.query("update estimations set description = $1 where id = $2", [description, other?.id]);
}
const sent = { estimationId: String(estimation?.id), destination: "here", target: "github", id: "exp_1" } as const;
const intent = { taskId: String(tasks?.[0]?.id), marker: "m", pushed: {}, parentRef: null, isAnew: false };
await storeIntent(app.services.pool, sent, { ...intent, sinceAt: clock.now() }, clock.now());
// Jobs that are due for so long that a sweep finds them.
await app.pool.query("update job_leases set due_at = due_at - interval '5 minutes'");

const made = await backUp(app.pool, file, await app.services.backupKeys());

/** A data directory with the secrets of the source. */
async function otherConfig(): Promise<Config> {
  const dataDir = await mkdtemp(join(folder, "data-"));
  for (const name of ["session-secret", "encryption-key"]) await cp(join(config.dataDir, name), join(dataDir, name));
  receiver.trustedBy(dataDir);
  return { ...config, dataDir };
}

async function restore(pool: pg.Pool, from: string, into: Config): Promise<void> {
  const restoring = await startRestore(from, into);
  await restoring.into(pool, clock.now()).finally(() => restoring.close());
}

const refusalOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "done",
    (error: Error) => error.message,
  );

/** The rows of the service's own tables, except the one that a restore changes, with identity columns' next values. */
async function rowsOf(pool: pg.Pool): Promise<string[]> {
  const rows = await listRows(pool, { but: ["graphile_worker.*", "drizzle.*", "public.instance_state"] });
  const { rows: next } = await pool.query(
    "select sequencename as name, last_value from pg_sequences where schemaname = 'public'",
  );
  return [...rows, ...next.map(({ name, last_value }) => `${name} ${last_value}`).sort()];
}

test("the file is whole, private, and names what is in it", async () => {
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await readdir(folder)).filter((name) => name.includes("part"))).toEqual([]);
  expect(made.bytes).toBe((await stat(file)).size);
  const count = async (table: string) => Number((await app.pool.query(`select count(*) from ${table}`)).rows[0].count);
  for (const { name, rows } of made.tables)
    if (name !== "instance_state") expect([name, rows]).toEqual([name, await count(name)]);
  // All but counts of requests, which are unlogged.
  const { rows: there } = await app.pool.query<{ name: string }>(
    `select relname as name from pg_class
      where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> 'request_counts' order by 1`,
  );
  expect(made.tables.map(({ name }) => name)).toEqual(there.map(({ name }) => name));
  const { rows: state } = await app.pool.query("select backed_up_at from instance_state");
  expect(state).toEqual([{ backed_up_at: made.at }]);
  expect((await stat(file)).size).toBe(made.bytes);
  // A restore switches no trigger off, so there must be none that would change what it copies.
  expect((await app.pool.query("select from pg_trigger where not tgisinternal")).rowCount).toBe(0);
});

test("restored elsewhere every table is the same, sessions go on, and nothing is sent before `resume`", async () => {
  const { pool, connection: database } = await emptyDatabase();
  const there = await otherConfig();
  await restore(pool, file, there);
  const sending = (rows: string[]) => rows.filter((row) => row.startsWith("public.export_ledger"));
  const others = (rows: string[]) => rows.filter((row) => !row.startsWith("public.export_ledger"));
  expect(others(await rowsOf(pool))).toEqual(others(await rowsOf(app.pool)));
  expect(sending(await rowsOf(pool))).toEqual(
    sending(await rowsOf(app.pool)).map((row) => row.replace("sending", "unknown")),
  );
  expect(sending(await rowsOf(pool))[0]).toContain(",unknown,");
  const schema = `select indexdef as part from pg_indexes where schemaname = 'public'
    union all select conrelid::regclass || pg_get_constraintdef(oid) from pg_constraint where conrelid <> 0 order by 1`;
  expect((await pool.query(schema)).rows).toEqual((await app.pool.query(schema)).rows);

  const service = await startService({ config: there, connection: database, log, clock, resolve: undefined });
  onTestFinished(service.stop);
  const ask = (method: string, path: string) => request(service.url, method, path, { token });
  expect((await ask("GET", "/api/auth/me")).data.user?.id).toBe(userId);
  const check = () => request(service.url, "POST", `/api/connections/${connection?.id}/check`, { token, body: {} });
  expect((await check()).data.problems?.[0]?.code).toBe("held");

  // A job that sends nothing runs, added again by the sweep at the start …
  await until(async () => (await pool.query("select from webhooks where deleted_at is not null")).rowCount === 0);
  // … and both senders have looked for work since there is an event, and have taken none.
  const { rows: now } = await pool.query<{ at: Date }>("select clock_timestamp() as at");
  await request(service.url, "POST", `/api/webhooks/${webhook?.id}/test`, { token, body: {} });
  await request(service.url, "POST", `${path}/shares`, {
    token,
    body: { email: "later@example.com", permission: "view" },
  });
  const claims = `select from pg_stat_activity
    where datname = current_database() and query_start > $1 and query like $2 and state = 'idle'`;
  const claim = [now[0]?.at, "%with recursive given as materialized%"];
  await until(async () => (await pool.query(claims, claim)).rowCount === 1);
  await until(
    async () =>
      (await pool.query("select from graphile_worker.jobs where task_identifier = 'send-mail'")).rowCount === 0,
  );
  const held = "select name, lease, runs from job_leases where name in ('send-mail', 'run-export') order by name";
  const { rows: waiting } = await pool.query<{ name: string; lease: null; runs: number }>(held);
  expect(new Set(waiting.map(({ name }) => name))).toEqual(new Set(["run-export", "send-mail"]));
  for (const job of waiting) expect(job).toMatchObject({ lease: null, runs: 0 });
  expect(receiver.requests).toEqual([]);
  expect(await readdir(join(there.dataDir, "mail")).catch(() => [])).toEqual([]);

  expect(await resumeSending(pool)).toEqual(clock.now());
  const received = await until(() => receiver.requests.find(({ body }) => body.includes("taskCount")));
  expect(received.path).toBe("/hook");
  expect(
    faultOf({ ...received, body: Buffer.from(received.body), secret: String(secret), now: clock.now() }),
  ).toBeNull();
  await until(async () => (await readdir(join(there.dataDir, "mail")).catch(() => [])).length >= 2);
  await until(async () => (await pool.query("select from export_runs where status <> 'queued'")).rowCount === 1);
  expect((await check()).data.problems?.[0]?.code).not.toBe("held");
  expect(await resumeSending(pool)).toBeNull();
});

test("a file that is cut off or changed anywhere, or needs another key, is refused and changes nothing", async () => {
  const target = await start();
  const bytes = await readFile(file);
  const damaged = join(folder, "damaged.backup");
  const refused = async (content: Buffer, into: Config = config) => {
    await writeFile(damaged, content);
    const line = await refusalOf(changesNothing(target, () => restore(target.pool, damaged, into)));
    expect(line).not.toContain("\n");
    return line;
  };
  const notWhole = "it is damaged, or not complete";
  for (const end of [bytes.length - 1, bytes.length - 33, bytes.length >> 1, 1_000])
    expect(await refused(bytes.subarray(0, end)), `cut at ${end}`).toBe(notWhole);
  expect(await refused(Buffer.concat([bytes, Buffer.from([0])]))).toBe(notWhole);
  expect(await refused(bytes.subarray(0, 100))).toBe("it is not a backup of this service");
  expect(await refused(Buffer.alloc(0))).toBe("it is not a backup of this service");
  const header = bytes.indexOf("\n");
  for (let at = 0; at < bytes.length; at += at < header ? 7 : Math.ceil(bytes.length / 50)) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    const line = await refused(changed);
    if (at > header) expect(line, `byte ${at}`).toBe(notWhole);
    else expect(line).toMatch(/^it (is|was) /);
  }
  const other = { ...config, encryptionKey: randomBytes(32) };
  expect(await refused(bytes, other)).toBe("it was made with another ENCRYPTION_KEY");
  const nowhere = { ...config, dataDir: join(folder, "nowhere") };
  expect(await refused(bytes, nowhere)).toMatch(/^there is no ENCRYPTION_KEY \(file encryption-key\): /);
});

test("a database with a row is refused, and one with empty tables is filled", async () => {
  const target = await start();
  // It knows its secrets from the start on.
  expect(await refusalOf(changesNothing(target, () => restore(target.pool, file, config)))).toBe(
    "the database is not empty: there are rows in instance_keys",
  );
  await target.pool.query("delete from secret_marks");
  await target.pool.query("delete from instance_keys");
  await restore(target.pool, file, config);
  expect((await target.pool.query("select from users")).rowCount).toBe(1);
});

test("another SESSION_SECRET is told, and does not prevent a restore", async () => {
  const keepsSessions = async (into: Config) => {
    const { backup, close } = await startRestore(file, into);
    await close();
    return backup.keepsSessions;
  };
  expect(await keepsSessions(config)).toBe(true);
  expect(await keepsSessions({ ...config, sessionSecret: randomBytes(32) })).toBe(false);
});

const CODES = `ALTER TABLE "estimations" ADD COLUMN "code" text;
--> statement-breakpoint
UPDATE "estimations" SET "code" = upper("title");
--> statement-breakpoint
ALTER TABLE "estimations" ALTER COLUMN "code" SET NOT NULL;`;

test("a backup of an earlier version is brought up to date, and one of a newer version is refused", async () => {
  const later = await withLaterMigrations(CODES);
  const { pool } = await emptyDatabase();
  const old = await openBackup(file, await app.services.backupKeys());
  await restoreBackup(pool, old, clock.now(), later).finally(() => old.close());
  expect((await pool.query("select from estimations where code = upper(title)")).rowCount).toBe(1 + TEXTS.length);

  const newer = join(folder, "newer.backup");
  await writeBackup(pool, newer, await app.services.backupKeys());
  const target = await start();
  await target.pool.query("delete from secret_marks");
  await target.pool.query("delete from instance_keys");
  const line = await refusalOf(changesNothing(target, () => restore(target.pool, newer, config)));
  expect(line).toBe("it was made by a newer or another version of this service than this one");
  // Nor does an old backup fit below newer tables.
  const { pool: ahead } = await emptyDatabase();
  await migrateDatabase(ahead, later);
  expect(await refusalOf(restore(ahead, file, config))).toMatch(/^the database has tables of a newer version than it/);
});

test("a role whose transactions may not last long makes a whole backup all the same", async () => {
  const { rows } = await app.pool.query("select current_database() as name");
  const limit = (change: string) => app.pool.query(`alter database ${rows[0].name} ${change}`);
  await limit("set transaction_timeout = '100ms'");
  onTestFinished(() => void limit("reset transaction_timeout"));
  const limited = new pg.Pool({ ...app.connection, max: 2 });
  limited.on("error", () => {}).on("connect", (client) => client.on("error", () => {}));
  onTestFinished(() => limited.end());
  // Opened before the limit was set.
  const holder = await app.pool.connect();
  await holder.query("begin");
  await holder.query("lock table users in access exclusive mode");
  const backup = writeBackup(limited, join(folder, "limited.backup"), await app.services.backupKeys());
  const isLate = until(async () => {
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
      and clock_timestamp() - xact_start > interval '300 milliseconds'`;
    return (await app.pool.query(waiting)).rowCount === 1;
  });
  await Promise.race([isLate, backup]).finally(() => holder.query("rollback"));
  holder.release();
  expect((await backup).tables.length).toBe(made.tables.length);
});

test("a backup that is given up leaves no file, and its reason", async () => {
  const aborted = AbortSignal.abort(new Error("the worker stops"));
  const place = await mkdtemp(join(folder, "aborted-"));
  expect(await refusalOf(writeBackup(app.pool, join(place, "x"), await app.services.backupKeys(), aborted))).toBe(
    "the worker stops",
  );
  expect(await readdir(place)).toEqual([]);
});
