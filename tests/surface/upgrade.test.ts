import { randomBytes } from "node:crypto";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { migrate } from "drizzle-orm/node-postgres/migrator";
import type pg from "pg";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { createPool, drizzleOver, migrateDatabase } from "../../server/db/database.ts";
import { readCounts } from "../../server/features/auth/throttle-store.ts";
import { createEstimationList } from "../../server/features/estimations/list.ts";
import { createVersionList } from "../../server/features/versions/store.ts";
import { createThreadList } from "../../server/features/versions/thread-store.ts";
import { start } from "../harness.ts";

const app = await start();
const MIGRATIONS = fileURLToPath(new URL("../../server/db/migrations", import.meta.url));

/** An empty database that ends with the test. */
async function emptyDatabase(): Promise<pg.Pool> {
  const name = `upgrade_${randomBytes(6).toString("hex")}`;
  await app.pool.query(`create database ${name}`);
  const pool = createPool({ ...app.connection, database: name }, pino({ level: "silent" }));
  onTestFinished(async () => {
    await pool.end();
    await app.pool.query(`drop database ${name} with (force)`);
  });
  return pool;
}

/** Applies the migrations that come before `tag`. */
async function migrateUpTo(pool: pg.Pool, tag: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "migrations-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp(MIGRATIONS, folder, { recursive: true });
  const file = join(folder, "meta/_journal.json");
  const journal = JSON.parse(await readFile(file, "utf8")) as { entries: { tag: string }[] };
  const before = journal.entries.findIndex((entry) => entry.tag.endsWith(tag));
  expect(before).toBeGreaterThan(0);
  await writeFile(file, JSON.stringify({ ...journal, entries: journal.entries.slice(0, before) }));
  await migrate(drizzleOver(pool), { migrationsFolder: folder });
}

test("estimations from before the tables of readers and lists still belong to their owner, and are found", async () => {
  const pool = await emptyDatabase();
  await migrateUpTo(pool, "_estimation-readers");
  await pool.query("insert into users (id, email, name, created_at) values ('usr_1', 'a@example.com', 'A', now())");
  await pool.query(
    `insert into estimations (id, owner_id, title, description, client_name, tags, correlation, created_at, updated_at, deleted_at)
     values ('est_1', 'usr_1', 'Shop', '', 'Acme', '{web,b2c}', 0.2, now(), now(), null),
            ('est_2', 'usr_1', 'Gone', '', null, '{web}', 0.2, now(), now(), now())`,
  );
  await migrateDatabase(pool);
  const list = createEstimationList(drizzleOver(pool));
  const found = async (more: object) => {
    const rows = await list({ userId: "usr_1", sort: "updatedAt", limit: 10, after: null, ...more });
    return rows.map(({ id, access }) => `${id} ${access}`);
  };
  for (const more of [{}, { tag: ["b2c"] }, { status: ["draft"], access: ["owner"] }, { q: "acme" }])
    expect(await found(more), JSON.stringify(more)).toEqual(["est_1 owner"]);
  expect(await found({ status: ["deleted"] })).toEqual(["est_2 owner"]);
  expect((await pool.query("select estimation_id, readers, text from estimation_texts")).rows).toEqual([
    { estimation_id: "est_1", readers: ["usr_1"], text: "Shop\nAcme" },
  ]);
});

test("versions from before there were threads are those of Main, whose head is the latest of them", async () => {
  const pool = await emptyDatabase();
  await migrateUpTo(pool, "_threads");
  await pool.query("insert into users (id, email, name, created_at) values ('usr_1', 'a@example.com', 'A', now())");
  await pool.query(
    `insert into estimations (id, owner_id, title, description, client_name, tags, correlation, created_at, updated_at)
     values ('est_1', 'usr_1', 'Shop', '', null, '{}', 0.2, now(), now()),
            ('est_2', 'usr_1', 'New', '', null, '{}', 0.2, now(), now())`,
  );
  await pool.query(
    `insert into version_snapshots (estimation_id, content_hash, schema, snapshot, bytes) values ('est_1', '\\x01', 1, '{}', 2)`,
  );
  await pool.query(
    `insert into versions (id, estimation_id, number, author_id, cause, parents, content_hash, hours, created_at)
     values ('ver_1', 'est_1', 1, 'usr_1', 'manual', '{}', '\\x01', '{"expected":1}', now()),
            ('ver_3', 'est_1', 3, 'usr_1', 'submit', '{ver_2}', '\\x01', '{"expected":3}', now()),
            ('ver_2', 'est_1', 2, 'usr_1', 'manual', '{ver_1}', '\\x01', '{"expected":2}', now())`,
  );
  await migrateDatabase(pool);
  const threads = createThreadList(drizzleOver(pool));
  const listed = (id: string) => threads({ id, createdAt: new Date() }, { statuses: ["open"], limit: 10, after: null });
  expect(await listed("est_1")).toMatchObject([
    { id: "thr_1", title: "Main", headVersionId: "ver_3", current: true, status: "open", hours: { expected: 3 } },
  ]);
  expect(await listed("est_2")).toMatchObject([{ id: "thr_2", title: "Main", headVersionId: null, current: true }]);
  const versions = createVersionList(drizzleOver(pool));
  const ofMain = await versions({ estimationId: "est_1", thread: "thr_1", limit: 10, before: null });
  expect(ofMain.map(({ id }) => id)).toEqual(["ver_3", "ver_2", "ver_1"]);
});

test("texts from before they were counted count from the beginning", async () => {
  const pool = await emptyDatabase();
  await migrateUpTo(pool, "_bytes-of-texts");
  await pool.query("insert into users (id, email, name, created_at) values ('usr_1', 'a@example.com', 'A', now())");
  await pool.query(
    `insert into estimations (id, owner_id, title, description, correlation, created_at, updated_at, deleted_at)
     values ('est_1', 'usr_1', 'Shop', '', 0.2, now(), now(), null), ('est_2', 'usr_1', 'Gone', '', 0.2, now(), now(), now()),
            ('est_3', 'usr_1', 'New', '', 0.2, now(), now(), null)`,
  );
  await pool.query("insert into estimation_usage (owner_id, estimations, tree_steps) values ('usr_1', 2, 0)");
  await pool.query(
    `insert into version_snapshots (estimation_id, content_hash, schema, snapshot, bytes) values ('est_1', '\\x01', 1, '{}', 2)`,
  );
  await pool.query(
    `insert into versions (id, estimation_id, number, label, author_id, cause, content_hash, hours, created_at)
     values ('ver_1', 'est_1', 1, 'a', 'usr_1', 'manual', '\\x01', '{"expected":1}', now())`,
  );
  await pool.query(
    `insert into reviews (id, estimation_id, reviewer_id, requester_id, status, version_id, content_hash, note, created_at, requested_at)
     values ('rev_1', 'est_1', 'usr_1', 'usr_1', 'pending', 'ver_1', '\\x01', 'ab', now(), now())`,
  );
  await pool.query(
    "insert into review_comments (id, review_id, author_id, body, created_at) values ('cmt_1', 'rev_1', 'usr_1', 'äbc', now())",
  );
  await pool.query(
    `insert into thread_messages (id, estimation_id, thread_id, author_id, body, created_at)
     select 'msg_' || e, e, 'thr_1', 'usr_1', repeat('x', 70000), now() from unnest('{est_1,est_2}'::text[]) e`,
  );
  await pool.query(
    `insert into tasks (id, estimation_id, title, description, role, position, status, base_title, base_description)
     values ('tsk_1', 'est_1', 'a', 'bc', 'def', 0, 'open', 'ghij', 'klmno')`,
  );
  await migrateDatabase(pool);
  const counted = "select estimation_id as id, bytes::int from text_usage order by 1";
  expect((await pool.query(counted)).rows).toEqual([
    { id: "est_1", bytes: 1 + 2 + 4 + 70_000 + 15 },
    { id: "est_2", bytes: 70_000 },
  ]);
  expect((await pool.query("select text_steps::int as steps from estimation_usage")).rows).toEqual([{ steps: 2 }]);
});

test("failed passwords from before their table was renamed still count", async () => {
  const pool = await emptyDatabase();
  await migrateUpTo(pool, "_try-counts");
  await pool.query("insert into attempt_counts values ('\\x01', 3, '2026-01-01T00:00:00Z')");
  await migrateDatabase(pool);
  const counter = { counter: Buffer.from([1]), resetsAt: new Date("2026-01-01") };
  expect(await readCounts(drizzleOver(pool), [counter])).toEqual([{ ...counter, tries: 3 }]);
});
