import { EventEmitter } from "node:events";
import type { WorkerEvents } from "graphile-worker";
import type pg from "pg";
import type { Logger } from "pino";
import { monotonicMs } from "../platform/clock.ts";

/** Since a connection broke, until what came of the statements on it is known to the queue. */
const SETTLE_MS = 5_000;

/**
 * Finds jobs that are locked in the name of a pool that does not have them. Where a connection breaks while jobs are
 * taken, the database may have given them out without the pool ever hearing of it; nobody else would run them while
 * the pool lives.
 */
export interface Strays {
  /** To be given to the queue: it tells which jobs it takes and which have ended. */
  readonly events: WorkerEvents;
  /** A connection broke: there may be some. */
  suspect(): void;
  /** Frees those of the pool that are there, once that can be told. */
  free(session: pg.Client, poolId: string): Promise<void>;
}

export function createStrays(log: Logger): Strays {
  const events: WorkerEvents = new EventEmitter();
  const inHand = new Set<string>();
  let suspectedMs: number | null = null;
  events.on("localQueue:getJobs:complete", ({ jobs }) => {
    for (const { id } of jobs) inHand.add(id);
  });
  events.on("localQueue:returnJobs", ({ jobs }) => {
    for (const { id } of jobs) inHand.delete(id);
  });
  events.on("job:complete", ({ job }) => inHand.delete(job.id));
  return {
    events,
    suspect() {
      suspectedMs = monotonicMs();
    },
    async free(session, poolId) {
      const asOf = suspectedMs;
      if (asOf === null || monotonicMs() - asOf < SETTLE_MS) return;
      const freed = await unlock(session, poolId, [...inHand]);
      if (freed > 0) log.warn({ jobs: freed }, "jobs that went astray when a connection broke were freed");
      if (suspectedMs === asOf) suspectedMs = null;
    },
  };
}

/**
 * Unlocks the jobs of a pool beside those `inHand` that were taken a while ago, and returns how many. Taking them
 * counted as an attempt, which must not be their last.
 */
async function unlock(session: pg.Client, poolId: string, inHand: readonly string[]): Promise<number> {
  const { rowCount } = await session.query(
    `with strays as (
       update graphile_worker._private_jobs
       set locked_by = null, locked_at = null, attempts = least(attempts, max_attempts - 1)
       where locked_by = $1 and locked_at < now() - $2 * interval '1 millisecond' and id <> all($3::bigint[])
       returning job_queue_id
     ),
     queues as (
       update graphile_worker._private_job_queues set locked_by = null, locked_at = null
       where locked_by = $1 and id in (select job_queue_id from strays)
     )
     select pg_notify('jobs:insert', '{"count":100}') from strays`,
    [poolId, SETTLE_MS, inHand],
  );
  return rowCount ?? 0;
}
