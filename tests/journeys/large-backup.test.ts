import { readFileSync } from "node:fs";
import { cp, mkdtemp, readFile, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { pino } from "pino";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { faultOf } from "../../clients/cli/listen/signature.ts";
import { startService } from "../../server/app.ts";
import { asConnectionString } from "../../server/db/embedded/socket-folder.ts";
import { resumeSending } from "../../server/services/backups.ts";
import { request, start, type TestUser, until } from "../harness.ts";
import { emptyDatabase } from "../support/empty-database.ts";
import { copyEstimation, OTHER_WORDS } from "../support/many-estimations.ts";
import { patient } from "../support/patience.ts";
import { startReceiver } from "../support/receiver.ts";
import { runService } from "../support/service-process.ts";

const ESTIMATIONS = 100_000;
const WRITERS = 2;
const DAY_MS = 86_400_000;
/**
 * Bytes that a command may take beyond what it takes for an empty database, whatever the size; the rows as COPY writes them
 * are several times as many.
 */
const BEYOND_BYTES = 192 * 2 ** 20;

const app = await start();
const receiver = await startReceiver();
afterAll(() => receiver.close());

async function signIn({ email, password }: TestUser) {
  const { data } = await app.request("POST", "/api/auth/login", { body: { email, password } });
  const token = String(data.token);
  const call = async (method: string, path: string, body?: unknown) => {
    const { status, data, text } = await app.request(method, path, { token, ...(body === undefined ? {} : { body }) });
    if (status >= 300) throw new Error(`${method} ${path}: ${text}`);
    return data;
  };
  return { token, call };
}

/** Runs a command on a database; returns its seconds and the most memory that it took, in bytes. */
async function run(args: string[], connection: pg.PoolConfig, dataDir: string) {
  const secret = async (name: string) => (await readFile(path.join(dataDir, name), "utf8")).trim();
  const startedMs = performance.now();
  const command = runService(args, {
    DATABASE_URL: asConnectionString(connection),
    DATA_DIR: dataDir,
    ENCRYPTION_KEY: await secret("encryption-key"),
    SESSION_SECRET: await secret("session-secret"),
  });
  let peakBytes = 0;
  const ended = command.exitCode.then(() => true);
  const look = () => {
    try {
      const [, kib = 0] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${command.pid}/status`, "utf8")) ?? [];
      peakBytes = Math.max(peakBytes, 1_024 * Number(kib));
    } catch {
      // It has ended.
    }
  };
  while (!(await Promise.race([ended, new Promise<false>((resolve) => setTimeout(resolve, 50, false))]))) look();
  expect([await command.exitCode, command.output.err]).toEqual([0, ""]);
  return { seconds: (performance.now() - startedMs) / 1_000, peakBytes };
}

/** Rows of every table, with a sum of digests that does not depend on their order. */
async function contentOf(client: Pick<pg.ClientBase, "query">): Promise<Record<string, string>> {
  const { rows: tables } = await client.query(
    `select relname as name from pg_class
      where relkind = 'r' and relpersistence = 'p' and relnamespace = 'public'::regnamespace order by 1`,
  );
  const content: Record<string, string> = {};
  for (const { name } of tables) {
    const { rows } = await client.query(
      `select count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)), 0) as content from "${name}" t`,
    );
    content[name] = rows[0].content;
  }
  return content;
}

test(
  "100,000 estimations are backed up under writes and restored elsewhere, every table as in the snapshot",
  async () => {
    const { config, clock } = app.services;
    const folder = await mkdtemp(path.join(tmpdir(), "large-backup-"));
    const small = path.join(folder, "small.backup");
    const idle = await run(["backup", small], app.connection, config.dataDir);
    const { connection: unused } = await emptyDatabase();
    const idleRestore = await run(["restore", small], unused, config.dataDir);

    const [user, guest] = [await app.signUp(), await app.signUp()];
    // So that the ids of users begin in another way than those that are copied.
    await app.clock.advance(DAY_MS);
    const [owner, other] = [await signIn(user), await signIn(guest)];
    const { webhook, secret } = await owner.call("POST", "/api/webhooks", {
      ...{ url: `${receiver.url}/hook`, events: ["estimation.tasks_generated"] },
    });
    const { estimation } = await owner.call("POST", "/api/estimations", {
      title: "Shop",
      tags: ["web"],
      clientName: "Acme",
    });
    const place = `/api/estimations/${estimation?.id}`;
    const hours = { optimistic: 8, likely: 14, pessimistic: 30 };
    const options = ["Card", "Invoice"].map((title) => ({
      title,
      hours,
      description: `What has to be done: ${OTHER_WORDS}`,
    }));
    await owner.call("PUT", `${place}/tree`, { nodes: [{ title: "Payment", kind: "group", options }] });
    await owner.call("POST", `${place}/tasks/generate`);
    await owner.call("POST", `${place}/versions`, { label: "First" });
    await app.pool.query("update users set email_verified_at = now()");
    await owner.call("POST", `${place}/shares`, { email: guest.email, permission: "view" });
    await copyEstimation(app.pool, {
      estimationId: String(estimation?.id),
      webhookId: String(webhook?.id),
      count: ESTIMATIONS,
    });

    // A pool of its own: a connection that is held would keep the application's from ending.
    const snapshots = new pg.Pool({ ...app.connection, max: 1 });
    onTestFinished(() => snapshots.end());
    const snapshot = await snapshots.connect();
    onTestFinished(() => snapshot.release(true));
    await snapshot.query(
      "set idle_in_transaction_session_timeout = 0; begin isolation level repeatable read read only",
    );
    await snapshot.query("select");
    const file = path.join(folder, "large.backup");
    let isOver = false;
    const backingUp = run(["backup", file], app.connection, config.dataDir).finally(() => {
      isOver = true;
    });
    backingUp.catch(() => {});
    // Its snapshot is taken: everything from now on must not be in it.
    const copies = "select from pg_stat_activity where datname = current_database() and query like $1";
    await until(async () => (await app.pool.query(copies, ["copy public.%"])).rowCount === 1);
    const before = contentOf(snapshot);
    let writes = 0;
    const write = async (writer: number) => {
      while (!isOver) {
        const { estimation: made } = await other.call("POST", "/api/estimations", { title: `Written by ${writer}` });
        const nodes = [{ title: "Payment", kind: "group", options }];
        await other.call("PUT", `/api/estimations/${made?.id}/tree`, { nodes });
        writes += 1;
        const copy = `/api/estimations/est_${String(writes).padStart(10, "0")}${String(estimation?.id).slice(14)}`;
        await owner.call("PATCH", copy, { title: `Changed by ${writer}` });
        if (writer === 0) await owner.call("DELETE", copy);
      }
    };
    await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
    const backup = await backingUp;
    expect(writes).toBeGreaterThan(WRITERS);
    const expected = await before;

    const dataDir = await mkdtemp(path.join(folder, "data-"));
    for (const name of ["session-secret", "encryption-key"])
      await cp(path.join(config.dataDir, name), path.join(dataDir, name));
    const { pool, connection } = await emptyDatabase();
    const restore = await run(["restore", file], connection, dataDir);
    const after = await contentOf(pool);
    // What a restore itself changes.
    expect({ ...after, instance_state: "" }).toEqual({ ...expected, instance_state: "" });
    expect(Number(after.estimations?.split(" ")[0])).toBe(ESTIMATIONS + 1);

    receiver.trustedBy(dataDir);
    const log = pino({ level: "silent" });
    const service = await startService({ config: { ...config, dataDir }, connection, log, clock });
    onTestFinished(service.stop);
    const { token } = owner;
    const list = await request(service.url, "GET", "/api/estimations?q=shop", { token });
    expect([list.status, list.data.estimations?.[0]?.title]).toEqual([200, "Shop"]);
    await resumeSending(pool);
    const received = await until(() => receiver.requests[0]);
    expect(
      faultOf({ ...received, body: Buffer.from(received.body), secret: String(secret), now: clock.now() }),
    ).toBeNull();

    const megabytes = (bytes: number) => Math.round(bytes / 2 ** 20);
    const { rows: sizes } = await pool.query("select pg_database_size(current_database())::float8 as bytes");
    const rows = Object.values(expected).reduce((sum, content) => sum + Number(content.split(" ")[0]), 0);
    console.log(
      `${rows} rows, ${megabytes(sizes[0].bytes)} MiB of database, ${megabytes((await stat(file)).size)} MiB of backup, ${3 * writes} writes meanwhile; ` +
        `backup ${backup.seconds.toFixed(1)} s, ${megabytes(backup.peakBytes)} MiB of memory (${megabytes(idle.peakBytes)} for an empty database); ` +
        `restore ${restore.seconds.toFixed(1)} s, ${megabytes(restore.peakBytes)} MiB (${megabytes(idleRestore.peakBytes)})`,
    );
    expect(backup.peakBytes).toBeLessThan(idle.peakBytes + BEYOND_BYTES);
    expect(restore.peakBytes).toBeLessThan(idleRestore.peakBytes + BEYOND_BYTES);
  },
  patient(600_000),
);
