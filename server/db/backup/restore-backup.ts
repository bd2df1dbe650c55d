import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { MIGRATION_LOCK, migrateDatabase, migrationsIn, readMigrations, withFirstMigrations } from "../migrate.ts";
import { type Connection, firstWithRows, listOf, quoted, readDeferred, readTables, setSequence } from "./catalog.ts";
import { damaged, FRAME, type Frame, type Manifest, type TableHead, type TableSum, UnusableBackup } from "./format.ts";
import type { OpenBackup } from "./read-backup.ts";
import { sessionSettings } from "./session-settings.ts";

/** What was restored. */
export interface Restored {
  readonly tables: readonly TableSum[];
}

/**
 * Fills an empty database with what is in a backup, and brings it to this version's schema. Nothing leaves the instance from
 * then on (`instance_state`). All rows become visible at once, and only if all of them are as they were copied; otherwise
 * the database has at most empty tables.
 * @param migrationsFolder the migrations of this version; others only in tests.
 * @throws UnusableBackup if the backup is of a newer version or does not fit into the database, or the database's error.
 */
export async function restoreBackup(
  pool: pg.Pool,
  backup: OpenBackup,
  now: Date,
  migrationsFolder?: string,
): Promise<Restored> {
  const { migrations } = backup.header;
  const ours = migrationsIn(migrationsFolder);
  const isKnown = String(ours.slice(0, migrations.length)) === String(migrations);
  if (!isKnown) throw new UnusableBackup("it was made by a newer or another version of this service than this one");
  await withClient(pool, async (client) => {
    await refuseRows(client);
    const applied = await readMigrations(client);
    const isBefore = String(migrations.slice(0, applied.length)) === String(applied);
    if (!isBefore)
      throw new UnusableBackup("the database has tables of a newer version than it: it needs a new database");
  });
  // The tables as they were when they were copied.
  await withFirstMigrations(migrations.length, (folder) => migrateDatabase(pool, folder), migrationsFolder);
  const manifest = await withClient(pool, (client) => fill(client, backup, now));
  await migrateDatabase(pool, migrationsFolder);
  // Plans of the first queries would be made without it.
  await withClient(pool, (client) => client.query("analyze"));
  return manifest;
}

/** Calls `work` with a connection that is closed afterwards: a COPY that was given up makes it unusable. */
async function withClient<R>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<R>): Promise<R> {
  const client = await pool.connect();
  try {
    await client.query(sessionSettings);
    return await work(client);
  } finally {
    client.release(true);
  }
}

async function refuseRows(client: Connection): Promise<void> {
  const table = await firstWithRows(client);
  if (table !== undefined) throw new UnusableBackup(`the database is not empty: there are rows in ${table}`);
}

async function fill(client: pg.PoolClient, backup: OpenBackup, now: Date): Promise<Manifest> {
  await client.query("begin");
  // A process that starts meanwhile waits before it writes anything.
  await client.query("select pg_advisory_xact_lock($1)", [MIGRATION_LOCK]);
  const tables = await readTables(client);
  const names = tables.map(({ name }) => name);
  await client.query(`lock table ${names.map((name) => `public.${quoted(name)}`).join(", ")} in access exclusive mode`);
  await refuseRows(client);
  const deferred = await readDeferred(client);
  for (const { drop } of deferred.toReversed()) await client.query(drop);
  const { manifest, copied } = await copyAll(client, backup);
  const isWhole = JSON.stringify(copied) === JSON.stringify(manifest.tables);
  if (!isWhole || String(copied.map(({ name }) => name).sort()) !== String(names.sort())) throw damaged();
  for (const { make } of deferred) await client.query(make);
  for (const sequence of manifest.sequences) await setSequence(client, sequence);
  // Only columns that every version has.
  const held = `insert into public.instance_state (held_since) values ($1)
    on conflict (is_only) do update set held_since = excluded.held_since`;
  await client.query(held, [now]);
  await client.query("commit");
  return manifest;
}

/** Copies all tables, and returns what they were, beside what the manifest says. */
async function copyAll(
  client: pg.PoolClient,
  backup: OpenBackup,
): Promise<{ manifest: Manifest; copied: readonly TableSum[] }> {
  const frames = backup.frames();
  const copied: TableSum[] = [];
  try {
    let frame = await next(frames);
    while (frame.kind === FRAME.table) {
      const { name, columns }: TableHead = JSON.parse(String(frame.content));
      const digest = createHash("sha256");
      let following: Frame | undefined;
      const rows = async function* (): AsyncGenerator<Buffer> {
        for (;;) {
          following = await next(frames);
          if (following.kind !== FRAME.data) return;
          digest.update(following.content);
          yield following.content;
        }
      };
      const target = client.query(copyFrom(`copy public.${quoted(name)} (${listOf(columns)}) from stdin`));
      await pipeline(Readable.from(rows(), { objectMode: false }), target);
      copied.push({ name, columns, rows: target.rowCount, sha256: digest.digest("hex") });
      frame = following ?? (await next(frames));
    }
    if (frame.kind !== FRAME.manifest || !(await frames.next()).done) throw damaged();
    return { manifest: JSON.parse(String(frame.content)), copied };
  } finally {
    await frames.return(undefined);
  }
}

async function next(frames: AsyncGenerator<Frame>): Promise<Frame> {
  const { value, done } = await frames.next();
  if (done) throw damaged();
  return value;
}
