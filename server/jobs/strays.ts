import { EventEmitter } from "node:events";
import type { WorkerEvents } from "graphile-worker";
import type pg from "pg";
import type { Logger } from "pino";
import { monotonicMs } from "../platform/clock.ts";
import { unlockStrays } from "./queue-store.ts";

/** Time after a connection broke, until the queue knows the result of the statements on it. */
const SETTLE_MS = 5_000;

/**
 * Finds jobs that are locked in the name of a pool that does not have them. If a connection breaks while jobs are
 * taken, the database may have given them out without the pool knowing; nobody else would run them while the pool is
 * alive.
 */
export interface Strays {
  /** To be given to the queue: its events tell which jobs it takes and which have ended. */
  readonly events: WorkerEvents;
  /** Call when a connection broke: there may be some. */
  suspect(): void;
  /** Releases the pool's stray jobs, as soon as they can be identified. */
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
      const freed = await unlockStrays(session, { poolId, inHand: [...inHand], agedMs: SETTLE_MS });
      if (freed > 0) log.warn({ jobs: freed }, "jobs that went astray when a connection broke were freed");
      if (suspectedMs === asOf) suspectedMs = null;
    },
  };
}
