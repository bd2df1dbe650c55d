import { createHash, randomBytes } from "node:crypto";
import { createWriteStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import path from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createZstdCompress } from "node:zlib";
import type pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { MIGRATION_LOCK, readMigrations } from "../migrate.ts";
import { type Connection, listOf, quoted, readSequences, readTables } from "./catalog.ts";
import {
  type BackupKeys,
  createMac,
  FRAME,
  FRAME_BYTES_MAX,
  frameHead,
  headerLine,
  type Manifest,
  type TableHead,
  type TableSum,
} from "./format.ts";
import { sessionSettings } from "./session-settings.ts";

/** A backup that was made. */
export interface MadeBackup {
  /** When its snapshot was taken, by the clock of the database. */
  readonly at: Date;
  readonly bytes: number;
  readonly tables: readonly TableSum[];
}

/** Bytes that are compressed at a time. */
const CHUNK_BYTES = 256 * 1024;

/**
 * Copies every table of the service, in one snapshot, into a file that only this user may read. The file appears under its
 * name once it is complete and on the disk; it replaces one of that name. Memory does not depend on the size.
 * @throws the reason of `signal`, a file system's error, or Error if the database has no tables of the service.
 */
export async function writeBackup(
  pool: pg.Pool,
  file: string,
  keys: BackupKeys,
  signal?: AbortSignal,
): Promise<MadeBackup> {
  const draft = draftOf(file);
  const client = await pool.connect();
  // Ends the snapshot too, and a statement or a COPY that is under way.
  let isOpen = true;
  const disconnect = () => {
    if (isOpen) client.release(true);
    isOpen = false;
  };
  signal?.addEventListener("abort", disconnect);
  try {
    signal?.throwIfAborted();
    const { at, migrations, tables } = await beginSnapshot(client);
    const mac = createMac(keys);
    const header = headerLine(at, migrations, keys);
    const sums: TableSum[] = [];
    const measure = new Transform({
      transform(chunk: Buffer, _, done) {
        mac.update(chunk);
        done(null, chunk);
      },
    });
    const target = createWriteStream(draft, { mode: 0o600, flags: "wx" });
    target.write(header);
    mac.update(header);
    const compress = createZstdCompress({ chunkSize: CHUNK_BYTES });
    const frames = Readable.from(framesOf(client, tables, sums), { objectMode: false });
    await pipeline(frames, compress, measure, target, { ...(signal ? { signal } : {}) });
    const bytes = await complete(draft, mac.digest());
    signal?.throwIfAborted();
    await rename(draft, file);
    return { at, bytes, tables: sums };
  } catch (error) {
    await rm(draft, { force: true });
    throw signal?.aborted ? signal.reason : error;
  } finally {
    signal?.removeEventListener("abort", disconnect);
    disconnect();
  }
}

/** Adds the last bytes to a file, which has to be there still, and returns its size once it is on the disk. */
async function complete(draft: string, end: Buffer): Promise<number> {
  const handle = await open(draft, "r+");
  try {
    const { size } = await handle.stat();
    await handle.write(end, 0, end.length, size);
    await handle.sync();
    return size + end.length;
  } finally {
    await handle.close();
  }
}

/** A name under which a file is written until it is complete: no other run has the same. */
const draftOf = (file: string): string =>
  path.join(path.dirname(file), `.${path.basename(file)}.${randomBytes(6).toString("hex")}.part`);

/** Begins a snapshot that no migration can change the tables of, and reads what is in it. */
async function beginSnapshot(
  client: pg.PoolClient,
): Promise<{ at: Date; migrations: readonly number[]; tables: readonly TableHead[] }> {
  await client.query(sessionSettings);
  await client.query("select pg_advisory_lock_shared($1)", [MIGRATION_LOCK]);
  await client.query("begin isolation level repeatable read read only");
  const migrations = await readMigrations(client);
  if (migrations.length === 0) throw new Error("the database has no tables of this service");
  const { rows } = await client.query<{ at: Date }>("select now() as at");
  const tables = await readTables(client);
  await client.query(
    `lock table ${tables.map(({ name }) => `public.${quoted(name)}`).join(", ")} in access share mode`,
  );
  await client.query("select pg_advisory_unlock_shared($1)", [MIGRATION_LOCK]);
  return { at: rows[0]?.at as Date, migrations, tables };
}

async function* framesOf(client: Connection, tables: readonly TableHead[], sums: TableSum[]): AsyncGenerator<Buffer> {
  for (const { name, columns } of tables) {
    yield* jsonFrame(FRAME.table, { name, columns } satisfies TableHead);
    const digest = createHash("sha256");
    const rows = client.query(copyTo(`copy public.${quoted(name)} (${listOf(columns)}) to stdout`));
    for await (const chunk of rows as AsyncIterable<Buffer>) {
      digest.update(chunk);
      for (let at = 0; at < chunk.length; at += FRAME_BYTES_MAX) {
        const content = chunk.subarray(at, at + FRAME_BYTES_MAX);
        yield frameHead(FRAME.data, content.length);
        yield content;
      }
    }
    // The server's count comes after the rows, and before the response to this.
    await client.query("select");
    sums.push({ name, columns, rows: rows.rowCount, sha256: digest.digest("hex") });
  }
  const manifest: Manifest = { tables: sums, sequences: await readSequences(client) };
  yield* jsonFrame(FRAME.manifest, manifest);
}

function* jsonFrame(kind: (typeof FRAME)["table" | "manifest"], value: unknown): Generator<Buffer> {
  const content = Buffer.from(JSON.stringify(value));
  yield frameHead(kind, content.length);
  yield content;
}
