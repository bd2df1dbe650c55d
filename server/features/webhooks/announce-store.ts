import type pg from "pg";
import { afterCommit, type Database, type Queryable } from "../../db/database.ts";
import { monotonicMs, systemClock } from "../../platform/clock.ts";

/** Where processes tell each other that deliveries may be due. */
export const CHANNEL = "webhook_deliveries";
/** A process notifies at most this often, in milliseconds: at once, and later of what was committed meanwhile. */
const NOTIFIED_MS = 20;

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
