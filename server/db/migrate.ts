import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { migrate } from "drizzle-orm/node-postgres/migrator";
import { runMigrations as migrateWorker } from "graphile-worker";
import type pg from "pg";
import { drizzleOver } from "./database.ts";
import { retryConflicts } from "./failures.ts";

/** Held while migrations run, so that processes that start together apply them once. */
export const MIGRATION_LOCK = 7_310_447_002_118;

const MIGRATIONS = fileURLToPath(new URL("./migrations", import.meta.url));

/** Where the database keeps which migrations it has. */
const JOURNAL = { migrationsSchema: "drizzle", migrationsTable: "__drizzle_migrations" } as const;

/**
 * Applies the missing migrations, including those of the job queue, once over all processes: all in one transaction, which
 * begins anew if a process of an earlier version writes meanwhile and the two wait for each other.
 * @throws Error if the database has migrations of another history.
 */
export async function migrateDatabase(pool: pg.Pool, migrationsFolder = MIGRATIONS): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [MIGRATION_LOCK]);
    await refuseOtherHistory(client, migrationsFolder);
    await retryConflicts(() => migrate(drizzleOver(client), { ...JOURNAL, migrationsFolder }));
    await migrateWorker({ pgPool: pool });
  } finally {
    // Closing the connection releases the lock, even if the unlock could not be sent.
    client.release(true);
  }
}

/**
 * Drizzle applies whatever is newer than the last migration of the database. If that one is not of this history, it would
 * silently leave out some, or fail at a table that exists already.
 */
async function refuseOtherHistory(client: pg.PoolClient, migrationsFolder: string): Promise<void> {
  const applied = await readMigrations(client);
  if (applied.length === 0) return;
  const ours = migrationsIn(migrationsFolder);
  const common = Math.min(Math.max(...applied), Math.max(...ours));
  const before = (times: readonly number[]) => String(times.filter((at) => at <= common));
  if (before(applied) !== before(ours))
    throw new Error(
      "the database has the tables of another version of this service, which this one cannot take over: choose another DATA_DIR, or an empty database in DATABASE_URL",
    );
}

/** Returns the migrations that a database has, by their times, the oldest first; none if it has no tables of the service. */
export async function readMigrations(client: Pick<pg.PoolClient, "query">): Promise<number[]> {
  const journal = `${JOURNAL.migrationsSchema}.${JOURNAL.migrationsTable}`;
  const { rows: found } = await client.query("select to_regclass($1) as journal", [journal]);
  if (found[0].journal === null) return [];
  const { rows } = await client.query(`select created_at::float8 as at from ${journal} order by 1`);
  return rows.map(({ at }) => at);
}

/** Returns the migrations of this version, by their times, the oldest first. */
export const migrationsIn = (migrationsFolder = MIGRATIONS): number[] =>
  readMigrationFiles({ migrationsFolder }).map(({ folderMillis }) => folderMillis);

/** Calls `work` with a folder that has only the first `count` migrations. */
export async function withFirstMigrations<R>(
  count: number,
  work: (migrationsFolder: string) => Promise<R>,
  migrationsFolder = MIGRATIONS,
): Promise<R> {
  const folder = await mkdtemp(join(tmpdir(), "estimation-migrations-"));
  try {
    await cp(migrationsFolder, folder, { recursive: true });
    const file = join(folder, "meta", "_journal.json");
    const journal: { entries: unknown[] } = JSON.parse(await readFile(file, "utf8"));
    await writeFile(file, JSON.stringify({ ...journal, entries: journal.entries.slice(0, count) }));
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
