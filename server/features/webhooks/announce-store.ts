import { sql } from "drizzle-orm";
import pg from "pg";
import type { Logger } from "pino";
import { afterCommit, type Database, type Queryable } from "../../db/database.ts";
import { monotonicMs, sleep, systemClock } from "../../platform/clock.ts";

const CHANNEL = "webhook_deliveries";
/** A process notifies at most this often, in milliseconds; a notification stands for all deliveries until the next one. */
export const NOTIFIED_MS = 100;
const RECONNECT_MS = 1_000;

/** When each pool last notified, or will do so, on the monotonic clock. */
const notifiedMs = new WeakMap<Database["$client"], number>();

/**
 * Tells all processes, once the transaction `db` has committed, that deliveries are due. Never inside of it: commits of
 * transactions that notify wait for each other. One that is lost costs a second: each process also looks by itself.
 */
export const announce = (db: Queryable): void => afterCommit(db, notify);

function notify(db: Database): void {
  const nowMs = monotonicMs();
  const atMs = Math.max(nowMs, (notifiedMs.get(db.$client) ?? Number.NEGATIVE_INFINITY) + NOTIFIED_MS);
  // One is on its way, and is sent later than this commit.
  if (atMs > nowMs + NOTIFIED_MS) return;
  notifiedMs.set(db.$client, atMs);
  const send = () => void db.execute(sql`select pg_notify(${CHANNEL}, '')`).catch(() => {});
  if (atMs === nowMs) send();
  else systemClock.after(atMs - nowMs, send);
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
