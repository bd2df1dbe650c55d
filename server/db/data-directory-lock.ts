import pg from "pg";
import { sleep } from "../platform/clock.ts";
import { StartFailure } from "./embedded/start-failure.ts";

/** The parts of the service that a process can run; each runs once per data directory. */
export type Part = "api" | "worker";
export const everyPart: readonly Part[] = ["api", "worker"];

/** The parts that this process holds, as long as it and its connection are alive. */
export interface DataDirectoryLock {
  /** Records this process's address, so that the next start can show it. */
  publish(url: string): Promise<void>;
  /**
   * Releases the lock and returns whether no process held any part of it at that moment; if so, this process holds all
   * parts.
   */
  releaseOrHoldAll(): Promise<boolean>;
  /** Closes the connection, which releases everything held. */
  close(): Promise<void>;
}

/** First half of the lock's key in the database; the second half is the part's number. */
const lockClass = 0x65_73_74_31;
const partNumber: Record<Part, number> = { api: 1, worker: 2 };

/** A process that was just killed holds its lock until PostgreSQL notices. */
const waitMs = 1_000;
const lockNotAvailable = "55P03";

/** A PostgreSQL that does not respond must not delay the end of this process. */
const longestQueryMs = 5_000;
const longestGoodbyeMs = 1_000;

/** PostgreSQL cuts an application's name at this length. */
const longestName = 63;

/** Another process holds the data directory, or a part of it. */
export class DirectoryTaken extends StartFailure {}

/**
 * Takes the parts of a data directory for this process. It uses an advisory lock of the directory's own database: the
 * database knows at once when the holder has died, however that happened. The name of the holder's connection says who
 * holds it.
 * @param onLost called once when the connection breaks, and the lock with it.
 * @throws DirectoryTaken naming the holder, if another process has one of the parts.
 */
export async function lockDataDirectory(
  connection: pg.PoolConfig,
  { dataDir, parts, onLost }: { dataDir: string; parts: readonly Part[]; onLost: () => void },
): Promise<DataDirectoryLock> {
  const client = new pg.Client({
    ...connection,
    application_name: holderName(),
    connectionTimeoutMillis: 10_000,
    query_timeout: longestQueryMs,
  });
  let held = false;
  client.on("error", () => {});
  client.on("end", () => {
    if (held) onLost();
  });
  const close = async () => {
    held = false;
    await Promise.race([client.end().catch(() => {}), sleep(longestGoodbyeMs)]);
  };
  try {
    await client.connect();
    await client.query(`set lock_timeout = ${waitMs}`);
    for (const part of parts) await client.query("select pg_advisory_lock($1, $2)", [lockClass, partNumber[part]]);
    held = true;
  } catch (error) {
    const taken = error instanceof pg.DatabaseError && error.code === lockNotAvailable;
    const failure = taken ? ((await describeHolder(client, dataDir, parts).catch(() => undefined)) ?? error) : error;
    await close();
    throw failure;
  }
  return {
    close,
    async publish(url) {
      await client.query("select set_config('application_name', $1, false)", [holderName(url)]);
    },
    async releaseOrHoldAll() {
      await client.query("select pg_advisory_unlock_all()");
      for (const part of everyPart) {
        const key = [lockClass, partNumber[part]];
        const { rows } = await client.query("select pg_try_advisory_lock($1, $2) as mine", key);
        if (rows[0]?.mine !== true) return false;
      }
      return true;
    },
  };
}

function holderName(url?: string): string {
  const name = `process ${process.pid}${url === undefined ? "" : ` at ${url}`}`;
  // A truncated address would mislead.
  return name.length <= longestName ? name : `process ${process.pid}`;
}

/** Returns the refusal that names the processes that hold one of the parts; undefined if none does, as far as can be seen. */
export async function findHolder(
  connection: pg.PoolConfig,
  dataDir: string,
  parts: readonly Part[],
): Promise<DirectoryTaken | undefined> {
  const client = new pg.Client({
    ...connection,
    connectionTimeoutMillis: longestQueryMs,
    query_timeout: longestQueryMs,
  });
  client.on("error", () => {});
  try {
    await client.connect();
    return await describeHolder(client, dataDir, parts);
  } catch {
    return undefined;
  } finally {
    await client.end().catch(() => {});
  }
}

async function describeHolder(
  client: pg.Client,
  dataDir: string,
  parts: readonly Part[],
): Promise<DirectoryTaken | undefined> {
  const { rows } = await client.query(
    `select distinct application_name as name, to_char(backend_start at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') as since
       from pg_locks join pg_stat_activity using (pid)
      where locktype = 'advisory' and granted and classid = $1 and objid = any ($2) and objsubid = 2
        and pg_locks.database = (select oid from pg_database where datname = current_database())
        and pid <> pg_backend_pid()`,
    [lockClass, parts.map((part) => partNumber[part])],
  );
  if (rows.length === 0) return undefined;
  const holders = rows.map(({ name, since }) => `${name}, since ${since} UTC`).join(" and ");
  return new DirectoryTaken(
    `the data directory ${dataDir} is in use by ${holders}: stop it first, or choose another DATA_DIR`,
  );
}
