import pg from "pg";
import type { Logger } from "pino";
import { afterCommit, type Database, type Queryable } from "../../db/database.ts";
import { monotonicMs, sleep, systemClock } from "../../platform/clock.ts";

const CHANNEL = "webhook_deliveries";
/** A process notifies at most this often, in milliseconds: at once, and later of what was committed meanwhile. */
const NOTIFIED_MS = 20;
const RECONNECT_MS = 1_000;

/** When each pool last notified, on the monotonic clock, and whether it will do so again. */
const notified = new WeakMap<Database["$client"], { atMs: number; isPending: boolean }>();

/**
 * Tells all processes, once the transaction `db` has committed, that deliveries are due. Never inside of it: commits of
 * transactions that notify wait for each other. One that is lost costs a second: each process also looks by itself.
 */
export const announce = (db: Queryable): void => afterCommit(db, notify);

async function notify(pool: Database, connection: pg.Pool | pg.PoolClient): Promise<void> {
  const state = notified.get(pool.$client) ?? { atMs: Number.NEGATIVE_INFINITY, isPending: false };
  notified.set(pool.$client, state);
  const send = (on: pg.Pool | pg.PoolClient) => on.query("select pg_notify($1, '')", [CHANNEL]);
  const waitMs = state.atMs + NOTIFIED_MS - monotonicMs();
  if (waitMs <= 0) {
    state.atMs = monotonicMs();
    await send(connection);
  } else if (!state.isPending) {
    state.isPending = true;
    systemClock.after(waitMs, () => {
      state.isPending = false;
      // Where all connections are in use, this has to wait, and the next commit notifies earlier.
      send(pool.$client).catch(() => {});
    });
  }
}

/** Calls `onNews` when deliveries may be due, through restarts of the database; returns how to end that. */
export function listen(connection: pg.PoolConfig, log: Logger, onNews: () => void): () => Promise<void> {
  let client: pg.Client | undefined;
  let isOver = false;
  const hear = async (): Promise<void> => {
    while (!isOver) {
      const ended = Promise.withResolvers<void>();
      client = new pg.Client(connection);
      client.on("error", (error) => log.debug({ err: error }, "the connection that hears of deliveries broke"));
      client.on("end", ended.resolve);
      client.on("notification", onNews);
      try {
        await client.connect();
        await client.query(`listen ${CHANNEL}`);
        onNews();
        await ended.promise;
      } catch (error) {
        log.debug({ err: error }, "deliveries are not heard of; they are looked for each second");
        await client.end().catch(() => {});
      }
      if (!isOver) await sleep(RECONNECT_MS);
    }
  };
  const hearing = hear();
  return async () => {
    isOver = true;
    await client?.end().catch(() => {});
    await hearing;
  };
}
