import { randomUUID } from "node:crypto";
import { EventEmitter } from "node:events";
import { Logger as QueueLogger, runTaskList, type WorkerEvents, type WorkerPool } from "graphile-worker";
import type pg from "pg";
import type { Logger } from "pino";
import { createPool } from "../db/database.ts";
import { every, sleep, systemClock } from "../platform/clock.ts";
import type { Services } from "../services/index.ts";
import { Interrupted, type JobRow, type Lease, LeaseLost, SetAside } from "./job.ts";
import {
  addUnlessThere,
  endRun,
  forgiveRuns,
  LEASE_MS,
  renewLease,
  sweepJobs,
  sweepLeases,
  takeJob,
} from "./job-store.ts";

export interface WorkerOptions {
  readonly services: Pick<Services, "pool" | "log">;
  readonly jobs: readonly JobRow[];
  /** A direct connection to the database. */
  readonly connection: pg.PoolConfig;
  /** Jobs that run at the same time. Most of them wait for a network, and use few resources meanwhile. */
  readonly concurrency?: number;
  /** How long running jobs may go on when the worker stops, before they are asked to end. */
  readonly drainMs?: number;
  /** How often running jobs renew their leases. */
  readonly renewMs?: number;
  /** Called when a run has ended, unless it was cut. */
  readonly onEnd?: (name: string, outcome: "done" | "failed" | "given_up") => void;
}

/** Runs jobs until it is stopped, through restarts of the database. */
export interface Worker {
  /** Resolves once the periodic jobs are known. Throws if the database cannot serve it. */
  start(): Promise<void>;
  /**
   * Takes no more jobs, and resolves when the running ones have ended. Jobs that have not ended within a few seconds
   * are left to run again.
   */
  stop(): Promise<void>;
}

/** Jobs that a worker runs at the same time. Each of them also looks for jobs while there are none. */
export const CONCURRENCY = 40;
const DEFAULT_RUNS = 25;
/** One listens; the others take jobs from the queue and write their ends. */
const CONNECTIONS = 3;
/** How often jobs are looked for whose process is gone while they ran, in milliseconds: some seconds after its leases end. */
const SWEEP_LEASES_MS = 5_000;
/** The same for those that a process had taken from the queue, and did not begin: the time between is short. */
const SWEEP_MS = 60_000;
/** How often each of them looks for a job, in milliseconds; jobs that are due at once are announced. */
const POLL_MS = 4_000;
const DRAIN_MS = 5_000;
/** Time that jobs get after being asked to end, before they are abandoned. */
const ABANDON_MS = 2_000;
const RESTART_MS = 1_000;

export function createWorker(options: WorkerOptions): Worker {
  const {
    services: { pool, log },
    jobs,
    drainMs = DRAIN_MS,
  } = options;
  const stopping = new AbortController();
  const aborting = new AbortController();
  const abandoning = new AbortController();
  const runs = new Map<Promise<void>, Lease>();
  const sending = namesOfSending(jobs);
  let running: Promise<void> = Promise.resolve();
  let endSweeping: readonly (() => void)[] = [];

  const work = async (payload: unknown): Promise<void> => {
    // The queue gives it to another worker.
    if (stopping.signal.aborted) throw new Interrupted();
    const lease = { key: (payload as { key: string }).key, token: randomUUID() };
    const run = runOnce(options, lease, aborting.signal, abandoning.signal);
    runs.set(run, lease);
    await run.finally(() => runs.delete(run));
  };

  /** Resolves when no job runs any more, or after the time that they have. */
  const settled = () => Promise.race([Promise.all(runs.keys()), sleep(drainMs + ABANDON_MS)]);

  /** Runs one pool of the queue after the other: one ends if it could not write to the database for too long. */
  const goOn = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const reason = await liveOnce(options, { work, settled, stopping: stopping.signal });
      if (stopping.signal.aborted) return;
      log.error({ err: reason }, "the job queue ended unexpectedly; it starts again");
      await sleep(RESTART_MS);
    }
  };

  const telling = async (sweeping: Promise<number>): Promise<void> => {
    await sweeping.catch((error) => log.warn({ err: error }, "lost jobs could not be looked for"));
  };
  const sweep = () => telling(sweepJobs(pool, SWEEP_MS, sending));

  return {
    async start() {
      for (const { name, everySeconds } of jobs) if (everySeconds !== undefined) await addUnlessThere(pool, name);
      running = goOn();
      await sweep();
      endSweeping = [
        every(systemClock, SWEEP_LEASES_MS, () => telling(sweepLeases(pool, sending))),
        every(systemClock, SWEEP_MS, sweep),
      ];
    },
    async stop() {
      for (const end of endSweeping) end();
      stopping.abort();
      const ended = () => Promise.all(runs.keys()).then(() => true);
      if (!(await Promise.race([ended(), sleep(drainMs).then(() => false)]))) {
        aborting.abort();
        if (!(await Promise.race([ended(), sleep(ABANDON_MS).then(() => false)]))) {
          abandoning.abort();
          log.warn("jobs were still under way when the worker stopped; they will run again");
          // Not waited for without end: the database may be gone.
          const forgiven = forgiveRuns(pool, [...runs.values()]).catch((error) =>
            log.debug({ err: error }, "no run was forgiven"),
          );
          await Promise.race([forgiven, sleep(ABANDON_MS)]);
        }
      }
      await running;
    },
  };
}

/** The names of the jobs that send something to others. */
const namesOfSending = (jobs: readonly JobRow[]): string[] => jobs.flatMap(({ name, sends }) => (sends ? [name] : []));

/**
 * Runs a job once under `lease`, if it is due and no other run holds it, and renews its lease meanwhile, unless it is
 * abandoned; a run that has lost it is asked to end. Never throws: a job that fails is due again later; one whose end cannot be written is found when its
 * lease has ended.
 */
async function runOnce(
  { services: { pool, log }, jobs, renewMs = LEASE_MS / 3, onEnd = () => {} }: WorkerOptions,
  lease: Lease,
  stopping: AbortSignal,
  abandoned: AbortSignal,
): Promise<void> {
  const { key } = lease;
  try {
    const taken = await takeJob(pool, lease, namesOfSending(jobs));
    if (!taken) return;
    const row = jobs.find(({ name }) => name === taken.name);
    const periodicMs = row?.everySeconds === undefined ? undefined : row.everySeconds * 1_000;
    const losing = new AbortController();
    const signal = AbortSignal.any([stopping, losing.signal]);
    const endRenewing = every(systemClock, renewMs, async () => {
      // Where the database cannot be asked, nobody else can take the job over.
      if (!(await renewLease(pool, lease).catch(() => true))) losing.abort(new LeaseLost());
    });
    abandoned.addEventListener("abort", endRenewing);
    const mostRuns = row?.maxRuns ?? DEFAULT_RUNS;
    try {
      if (!row) throw new Error(`no job is called ${taken.name}`);
      // Its earlier runs did not even fail: they ended with their processes.
      if (periodicMs === undefined && taken.run > mostRuns) throw new Error("its process ended in each of its runs");
      await row.run(taken.payload, { lease, signal });
      await endRun(pool, lease, { againMs: periodicMs });
      if (row) onEnd(row.name, "done");
    } catch (error) {
      // Whatever a run throws after it was asked to end does not count.
      const isSetAside = error instanceof SetAside || signal.aborted;
      const fault = isSetAside ? null : String(error);
      if (!isSetAside) log.error({ err: error, job: taken.name }, "a job failed");
      const isGivenUp = !isSetAside && periodicMs === undefined && taken.run >= mostRuns;
      if (isGivenUp) log.error({ job: taken.name, key }, "a job was given up");
      if (row && !isSetAside) onEnd(row.name, isGivenUp ? "given_up" : "failed");
      const pauseMs = isSetAside ? 0 : 1_000 * Math.exp(Math.min(10, taken.run));
      await endRun(pool, lease, { againMs: isGivenUp ? undefined : (periodicMs ?? pauseMs), fault });
    } finally {
      endRenewing();
    }
  } catch (error) {
    log.warn({ err: error, key }, "the end of a job could not be written; it will run again");
  }
}

/** Runs one pool of the job queue until `stopping`, or until it cannot go on; returns why. */
async function liveOnce(
  { services: { log }, jobs, connection, concurrency = CONCURRENCY }: WorkerOptions,
  {
    work,
    settled,
    stopping,
  }: { work: (payload: unknown) => Promise<void>; settled: () => Promise<unknown>; stopping: AbortSignal },
): Promise<unknown> {
  // Without `query_timeout`: the queue gives a connection whose query was given up back to its pool, where it would hold up
  // the next queries as well. After a pause of the server all go on; jobs use other connections.
  const connections = createPool(connection, log, CONNECTIONS);
  const events: WorkerEvents = new EventEmitter();
  const ending = Promise.withResolvers<unknown>();
  // It stops by itself after a fatal error, and does not always finish stopping.
  events.on("pool:gracefulShutdown", ({ message }) => ending.resolve(new Error(message)));
  stopping.addEventListener("abort", ending.resolve, { once: true });
  let queue: WorkerPool | undefined;
  try {
    queue = runTaskList(
      {
        concurrency,
        pollInterval: POLL_MS,
        events,
        noHandleSignals: true,
        logger: new QueueLogger(() => writeTo(log)),
        // Ends of jobs are written in batches, which are tried again; one that fails alone would end the process.
        preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      },
      Object.fromEntries(jobs.map(({ name }) => [name, work])),
      connections,
    );
    queue.promise.then(ending.resolve, ending.resolve);
    return await ending.promise;
  } catch (error) {
    return error;
  } finally {
    stopping.removeEventListener("abort", ending.resolve);
    // It waits without end for a database that is gone.
    if (queue) await Promise.race([shutDown(queue, log), settled().then(() => sleep(ABANDON_MS))]);
    await Promise.race([connections.end(), sleep(RESTART_MS)]);
  }
}

async function shutDown(queue: WorkerPool, log: Logger): Promise<void> {
  try {
    await queue.gracefulShutdown("the worker stops");
    await queue.promise;
  } catch (error) {
    log.debug({ err: error }, "the job queue did not shut down in order");
  }
}

/** Logs the queue's own messages: its errors always, its progress only at the most detailed log level. */
const writeTo =
  (log: Logger) =>
  (level: string, message: string, { error }: { error?: unknown }): void => {
    if (level === "error" && !(error instanceof SetAside)) log.error({ err: error }, message.split("\n")[0]);
    else if (level === "warning") log.warn(message);
    else if (log.isLevelEnabled("trace")) log.trace(message);
  };
