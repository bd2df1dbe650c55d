import { appendFile, rm, stat, statfs, writeFile } from "node:fs/promises";
import path from "node:path";
import { pino } from "pino";
import { expect, test } from "vitest";
import { createPool } from "../../server/db/database.ts";
import { startEmbeddedPostgres } from "../../server/db/embedded.ts";
import { migrateDatabase } from "../../server/db/migrate.ts";
import { request, until } from "../harness.ts";
import { makeDisk, mayMount } from "../support/disk.ts";
import { killServer, serverPid } from "../support/embedded/places.ts";
import { runService } from "../support/service-process.ts";

const PAGE_BYTES = 4_096;
/** PostgreSQL starts with it, and finds no room for the 50 MB that this test has the start write. */
const ROOM_TO_RUN_BYTES = 24 << 20;

/** Fills the disk to the last byte. */
async function fill(file: string): Promise<void> {
  for (const chunkBytes of [1 << 20, 4_096, 1]) {
    while (
      await writeFile(file, Buffer.alloc(chunkBytes), { flag: "a" }).then(
        () => true,
        () => false,
      )
    );
  }
}

test.runIf(mayMount)(
  "on a full disk the service responds with 503, survives the end of its database, and recovers by itself with everything it acknowledged",
  async () => {
    const disk = await makeDisk(160 << 10);
    const service = runService(["serve"], { DATA_DIR: disk, LOG_LEVEL: "warn" });
    const url = await service.url();
    const account = { email: "ada@example.com", password: "a long enough password" };
    const token = String((await request(url, "POST", "/api/auth/register", { body: account })).data.token);
    const filling = path.join(disk, "filling");
    const create = async (n: number) => {
      const body = { title: `e${n}`, description: "x".repeat(9_000) };
      const { status, data } = await request(url, "POST", "/api/estimations", { token, body });
      return { status, id: String(data.estimation?.id) };
    };

    const kept: string[] = [];
    const statuses = new Set<number>();
    const createUntil = (wanted: number) =>
      until(async () => {
        const { status, id } = await create(kept.length);
        statuses.add(status);
        if (status === 201) kept.push(id);
        return status === wanted;
      });
    await createUntil(201);
    await fill(filling);
    await createUntil(503);
    // As can happen at any write: PostgreSQL ends, and cannot start while it cannot write.
    killServer((await serverPid(disk)) ?? 0);
    await until(() => service.output.out.split("the disk is full").length > 1 || !service.isRunning());
    expect([service.isRunning(), await request(url, "GET", "/readyz").then(({ status }) => status)]).toEqual([
      true,
      503,
    ]);
    expect((await create(0)).status).toBe(503);

    await rm(filling);
    await createUntil(201);
    expect((await request(url, "GET", "/readyz")).status).toBe(200);
    for (const id of kept) expect((await request(url, "GET", `/api/estimations/${id}`, { token })).status).toBe(200);
    expect([...statuses].sort()).toEqual([201, 503]);
    service.send("SIGTERM");
    expect(await service.exitCode).toBe(0);
    expect(await serverPid(disk)).toBeUndefined();
  },
);

test.runIf(mayMount)(
  "a start on a full disk fails with that reason, whether there is a database or not, and works when there is room",
  async () => {
    const disk = await makeDisk(160 << 10);
    const run = () => runService(["serve"], { DATA_DIR: disk, LOG_LEVEL: "warn" });
    const filling = path.join(disk, "..", "filling");
    const isRefused = async () => {
      await fill(filling);
      const service = run();
      expect(await service.exitCode).toBe(1);
      expect(service.faults()).toEqual([expect.stringMatching(/disk is full/)]);
      await rm(filling);
    };
    await isRefused();
    const before = run();
    const account = { email: "ada@example.com", password: "a long enough password" };
    await request(await before.url(), "POST", "/api/auth/register", { body: account });
    before.send("SIGTERM");
    expect(await before.exitCode).toBe(0);

    // Not even PostgreSQL's reason finds room in its log.
    const log = path.join(disk, "postgresql.log");
    const { size } = await stat(log);
    await appendFile(log, "\n".repeat(PAGE_BYTES - (size % PAGE_BYTES)));
    await isRefused();
    expect(await serverPid(disk)).toBeUndefined();
    const after = run();
    expect((await request(await after.url(), "POST", "/api/auth/login", { body: account })).status).toBe(200);
    after.send("SIGTERM");
    expect(await after.exitCode).toBe(0);
  },
);

test.runIf(mayMount).each([
  {
    outcome: "refuses the write",
    write: "insert into large select repeat('x', 1000000)::bytea from generate_series(1, 50)",
  },
  {
    outcome: "ends, because its log has no room",
    write: "perform pg_logical_emit_message(true, 'large', repeat('x', 1000000)) from generate_series(1, 50)",
  },
])(
  "a start fails with that reason if PostgreSQL has room to run but not for what the start writes, and $outcome",
  async ({ write }) => {
    const disk = await makeDisk(400 << 10);
    const postgres = await startEmbeddedPostgres({ dataDir: disk, log: () => {} });
    const pool = createPool(postgres.connection, pino({ enabled: false }));
    await migrateDatabase(pool);
    // One row of what a worker writes first, here as large as the new tables of a large update.
    await pool.query("create unlogged table large (bytes bytea)");
    await pool.query("alter table large alter column bytes set storage external");
    await pool.query(`create function write_much() returns trigger language plpgsql as $$
      begin ${write}; return new; end $$`);
    await pool.query(`create trigger much before insert on job_leases
      for each row when (new.name = 'forget-responses') execute function write_much()`);
    await pool.end();
    await postgres.stop();
    const filling = path.join(disk, "..", "filling");
    const { bavail, bsize } = await statfs(disk);
    await writeFile(filling, Buffer.alloc(bavail * bsize - ROOM_TO_RUN_BYTES));

    const service = runService(["serve"], { DATA_DIR: disk, LOG_LEVEL: "silent" });
    expect(await service.exitCode).toBe(1);
    expect(service.faults()).toEqual([expect.stringMatching(/^cannot write to .*: the disk is full; make room/)]);
    await rm(filling);
    const next = runService(["serve"], { DATA_DIR: disk, LOG_LEVEL: "warn" });
    expect((await request(await next.url(), "GET", "/readyz")).status).toBe(200);
    next.send("SIGTERM");
    expect(await next.exitCode).toBe(0);
  },
);

test.runIf(mayMount)(
  "a service that was killed on a full disk starts again there, with the PostgreSQL that still runs, and ends it when it is stopped",
  async () => {
    const disk = await makeDisk(160 << 10);
    const run = () => runService(["serve"], { DATA_DIR: disk, LOG_LEVEL: "warn" });
    const killed = run();
    const account = { email: "ada@example.com", password: "a long enough password" };
    const { data } = await request(await killed.url(), "POST", "/api/auth/register", { body: account });
    const filling = path.join(disk, "..", "filling");
    await fill(filling);
    killed.send("SIGKILL");
    await killed.exitCode;
    const next = run();
    const url = await next.url();
    const token = String(data.token);
    expect((await request(url, "GET", "/api/estimations", { token })).status).toBe(200);
    next.send("SIGTERM");
    expect(await next.exitCode).toBe(0);
    expect(await serverPid(disk)).toBeUndefined();
  },
);
