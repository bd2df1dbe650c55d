import pg from "pg";
import type { Logger } from "pino";
import { isDatabaseUnavailable } from "../db/failures.ts";
import { monotonicMs, sleep, systemClock } from "../platform/clock.ts";
import { followClock } from "./queue-clock-store.ts";
import { lockKey, release } from "./rescue.ts";
import type { Strays } from "./strays.ts";

/** How often a pool shows that it is alive and checks the others. */
const BEAT_MS = 3_000;
/** Pause between tries to reach the database. */
const RETRY_MS = 500;
/**
 * Time since a pool was last seen, before its free lock counts as its death: a broken connection is restored sooner.
 */
const QUIET_MS = 5_000;
/**
 * Time since a pool was last seen, before it counts as paused although its connection, and so its lock, still exists.
 */
const LEASE_MS = 10_000;
/** Time after connecting, before any pool is judged: meanwhile all others recover from the same outage. */
const SETTLE_MS = 2_500;
const QUERY_TIMEOUT_MS = 5_000;
/**
 * How much further than this process's own clock the database's may move between two beats, before it counts as set ahead:
 * with less, no pool that is alive counts as paused.
 */
const AHEAD_MS = 5_000;
/** How long a pool waits for the database without `insist`. */
const START_MS = 10_000;

/** Shows other pools whether this worker pool is alive. */
export interface Presence {
  /**
   * Resolves once the others know the pool; it may take no job before. With `insist` it tries as long as necessary, as
   * after an outage; otherwise it throws permanent errors at once, and other errors after a while.
   */
  begin(options: { insist: boolean }): Promise<void>;
  /** Whether it is connected to the database. */
  isConnected(): boolean;
  /** Deregisters the pool, and gives back the jobs that it still holds. */
  end(): Promise<void>;
}

export interface PresenceOptions {
  readonly poolId: string;
  /** A direct connection, not one through a transaction pooler: its session holds the lock. */
  readonly connection: pg.PoolConfig;
  readonly log: Logger;
  /** Checked with every sign of life. */
  readonly strays: Strays;
  /** Called when the others have taken this pool for dead and released its jobs. */
  readonly onLost: () => void;
}

/**
 * Shows the others that a pool is alive, and takes over the jobs of dead ones. A pool holds an advisory lock, which
 * ends with its process, and records every few seconds that it was seen, which a paused process cannot. A pool that
 * finds the lock free, or the record too old, releases the jobs of its holder. All times are the database's.
 */
export function createPresence({ poolId, connection, log, strays, onLost }: PresenceOptions): Presence {
  let session: pg.Client | null = null;
  let connectedAtMs = 0;
  let holdsLock = false;
  /** The database's clock and this process's own at the last beat, and when the former was last set ahead, on the latter. */
  let seen: { readonly databaseMs: number; readonly ownMs: number } | null = null;
  let aheadAtMs = Number.NEGATIVE_INFINITY;
  let known = false;
  let ended = false;
  let beating: Promise<void> | null = null;
  let fault: unknown;
  let cancel = () => {};

  const schedule = (delayMs: number): void => {
    cancel();
    if (!ended)
      cancel = systemClock.after(delayMs, () => void tryToBeat().then(() => schedule(session ? BEAT_MS : RETRY_MS)));
  };

  const drop = (broken: pg.Client): void => {
    broken.end().catch(() => {});
    if (session !== broken) return;
    session = null;
    holdsLock = false;
    strays.suspect();
    // Others see that the lock is free when the connection breaks: it must be back before they act on that.
    if (!beating && known) schedule(RETRY_MS);
  };

  const connect = async (): Promise<pg.Client> => {
    if (session) return session;
    const fresh = new pg.Client({
      ...connection,
      keepAlive: true,
      connectionTimeoutMillis: QUERY_TIMEOUT_MS,
      query_timeout: QUERY_TIMEOUT_MS,
    });
    fresh.on("error", () => drop(fresh));
    fresh.on("end", () => drop(fresh));
    await fresh.connect();
    session = fresh;
    connectedAtMs = monotonicMs();
    return fresh;
  };

  const beat = async (): Promise<void> => {
    const client = await connect();
    try {
      // After a reconnection the former session may still hold the lock for a moment; the next beat gets it then.
      if (!holdsLock) holdsLock = await tryLock(client, poolId);
      const { isNew, databaseMs } = await noteSeen(client, poolId);
      const now = { databaseMs, ownMs: monotonicMs() };
      if (seen && now.databaseMs - seen.databaseMs > now.ownMs - seen.ownMs + AHEAD_MS) aheadAtMs = now.ownMs;
      seen = now;
      if (known && isNew) onLost();
      known = true;
      await lookAfterOthers(client);
      await strays.free(client, poolId);
      const seconds = await followClock(client);
      if (seconds > 0) log.warn({ seconds }, "the clock of the database was set back; waiting jobs were moved with it");
    } catch (error) {
      drop(client);
      throw error;
    }
  };

  const tryToBeat = async (): Promise<void> => {
    beating ??= beat()
      .catch((error) => {
        fault = error;
        log.warn({ err: error }, "the worker cannot reach the database");
      })
      .finally(() => {
        beating = null;
      });
    await beating;
  };

  const lookAfterOthers = async (client: pg.Client): Promise<void> => {
    // After an outage of the database all records are old, and not every lock is back yet.
    const connectedMs = monotonicMs() - connectedAtMs;
    if (connectedMs < SETTLE_MS) return;
    // The others have not been seen since, however well they are.
    if (monotonicMs() - aheadAtMs < LEASE_MS) return;
    for (const { id, silent } of await findUnseen(client, poolId)) {
      const isGone = (silent && connectedMs > LEASE_MS) || (await isLockFree(client, id));
      if (isGone && (await release(client, id, QUIET_MS)))
        log.warn({ poolId: id }, "a worker is gone; its jobs were freed");
    }
  };

  return {
    async begin({ insist }) {
      const beganMs = monotonicMs();
      while (!known && !ended) {
        await tryToBeat();
        if (known || ended) break;
        if (!insist && (!isDatabaseUnavailable(fault) || monotonicMs() - beganMs > START_MS))
          throw new Error("the worker cannot note in the database that it is there", { cause: fault });
        await sleep(RETRY_MS);
      }
      schedule(BEAT_MS);
    },
    isConnected: () => session !== null,
    async end() {
      ended = true;
      cancel();
      await beating;
      const last = session;
      if (!last) return;
      await release(last, poolId, 0).catch(() => {});
      drop(last);
    },
  };
}

/** Records that the pool was seen; returns whether it was unknown, and the database's time in milliseconds. */
async function noteSeen(client: pg.Client, poolId: string): Promise<{ isNew: boolean; databaseMs: number }> {
  const { rows } = await client.query<{ isNew: boolean; databaseMs: number }>(
    `insert into worker_pools (id) values ($1)
     on conflict (id) do update set seen_at = now()
     returning (xmax = 0) as "isNew", (extract(epoch from now()) * 1000)::float8 as "databaseMs"`,
    [poolId],
  );
  return rows[0] ?? { isNew: false, databaseMs: 0 };
}

/** Reads other pools that were not seen for a while, and whether that is so long that they count as paused. */
async function findUnseen(client: pg.Client, poolId: string): Promise<{ id: string; silent: boolean }[]> {
  const { rows } = await client.query<{ id: string; silent: boolean }>(
    `select id, seen_at < now() - $2 * interval '1 millisecond' as silent from worker_pools
     where id <> $1 and seen_at < now() - $3 * interval '1 millisecond'`,
    [poolId, LEASE_MS, QUIET_MS],
  );
  return rows;
}

async function tryLock(client: pg.Client, poolId: string): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>("select pg_try_advisory_lock($1) as locked", [
    lockKey(poolId),
  ]);
  return rows[0]?.locked === true;
}

async function isLockFree(client: pg.Client, poolId: string): Promise<boolean> {
  const free = await tryLock(client, poolId);
  if (free) await client.query("select pg_advisory_unlock($1)", [lockKey(poolId)]);
  return free;
}
