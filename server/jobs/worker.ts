import { sql } from "drizzle-orm";
import { type JobHelpers, Logger as QueueLogger, runTaskList, type TaskList, type WorkerPool } from "graphile-worker";
import type pg from "pg";
import type { Logger } from "pino";
import { sleep } from "../platform/clock.ts";
import type { Services } from "../services.ts";
import { dueAfter } from "./add-job.ts";
import { type JobRow, SetAside } from "./job.ts";
import { createPatientPool } from "./patient-pool.ts";
import { createPresence } from "./presence.ts";
import { hasten } from "./queue-store.ts";
import { createStrays } from "./strays.ts";

export interface WorkerOptions {
  readonly services: Pick<Services, "pool" | "log">;
  readonly jobs: readonly JobRow[];
  /** A direct connection to the database. */
  readonly connection: pg.PoolConfig;
  /** Jobs that run at the same time. Most of them wait for a network, and use few resources meanwhile. */
  readonly concurrency?: number;
  /** How long running jobs may go on when the worker stops, before they are asked to end. */
  readonly drainMs?: number;
}

/** Runs jobs until it is stopped, through restarts of the database. */
export interface Worker {
  /** Resolves once jobs are taken. Throws if the database cannot serve it. */
  start(): Promise<void>;
  /**
   * Takes no more jobs, and resolves when the running ones have ended. Jobs that have not ended within a few seconds
   * are left to run again.
   */
  stop(): Promise<void>;
}

/** Jobs that a worker runs at the same time. */
export const CONCURRENCY = 400;
/** One listens; the others take jobs and write their ends, in batches. */
const CONNECTIONS = 4;
const DRAIN_MS = 5_000;
/** Time that jobs get after being asked to end, before they are abandoned. */
const ABANDON_MS = 2_000;
const RESTART_MS = 1_000;

export function createWorker(options: WorkerOptions): Worker {
  const { log } = options.services;
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();

  /**
   * Runs one pool of the queue after the other: a pool ends if the database was unreachable, or the process paused, for
   * too long.
   */
  const run = async (onReady: () => void): Promise<void> => {
    for (let isFirst = true; !stopping.signal.aborted; isFirst = false) {
      const life = beginLife(options, { insist: !isFirst });
      const stop = () => void life.stop();
      stopping.signal.addEventListener("abort", stop);
      try {
        await life.ready;
      } catch (error) {
        stopping.abort();
        await life.stop();
        throw error;
      }
      onReady();
      const reason = await life.ended;
      await life.stop();
      stopping.signal.removeEventListener("abort", stop);
      if (stopping.signal.aborted) return;
      log.error({ err: reason }, "the worker ended unexpectedly; it starts again");
      await sleep(RESTART_MS);
    }
  };

  return {
    async start() {
      await schedulePeriodicJobs(options);
      await new Promise<void>((resolve, reject) => {
        running = run(resolve).catch(reject);
      });
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** One pool of the job queue, from its first job to its end. */
interface Life {
  /** The pool is known to the others, and takes jobs. */
  readonly ready: Promise<void>;
  /** Resolves, with the error if there was one, when the pool cannot go on. */
  readonly ended: Promise<unknown>;
  stop(): Promise<void>;
}

function beginLife(options: WorkerOptions, { insist }: { insist: boolean }): Life {
  const { services, jobs, connection, concurrency = CONCURRENCY, drainMs = DRAIN_MS } = options;
  const { log } = services;
  // No connection, and so no job, before the pool is registered: nobody would release the jobs of an unknown pool that
  // dies.
  const known = Promise.withResolvers<void>();
  known.promise.catch(() => {});
  const over = new AbortController();
  const strays = createStrays(log);
  const connections = createPatientPool({
    connection: { ...connection, onConnect: () => known.promise },
    max: CONNECTIONS,
    log,
    onBroken: strays.suspect,
    over: over.signal,
  });
  const queue = runTaskList(
    {
      concurrency,
      events: strays.events,
      noHandleSignals: true,
      logger: new QueueLogger(() => writeTo(log)),
      gracefulShutdownAbortTimeout: drainMs,
      preset: { worker: { localQueue: { size: concurrency }, completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    },
    Object.fromEntries(jobs.flatMap((job) => tasksOf(job, services))),
    connections,
  );
  const drained = queue.promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  const lost = Promise.withResolvers<unknown>();
  // The queue stops by itself after a fatal error, and does not always finish stopping.
  strays.events.on("pool:gracefulShutdown", ({ message }) => lost.resolve(new Error(message)));
  // Jobs that were taken from it must not be mistaken for those that it takes later, so it goes on under another name.
  const onLost = () => lost.resolve(new Error("it was silent for so long that its jobs were given to others"));
  const presence = createPresence({ poolId: queue.id, connection, log, strays, onLost });
  const ready = presence.begin({ insist }).then(known.resolve);
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    known.reject(new Error("the worker stops"));
    // Outcomes cannot be written anyway while the database is unreachable.
    await drain(queue, drained, presence.isConnected() ? drainMs + ABANDON_MS : ABANDON_MS, log);
    over.abort();
    await presence.end();
    await Promise.race([connections.end(), sleep(RESTART_MS)]);
  };
  return {
    ready,
    ended: Promise.race([drained, lost.promise]),
    stop() {
      stopped ??= stop();
      return stopped;
    },
  };
}

/** Waits a limited time for running jobs to end. */
async function drain(queue: WorkerPool, drained: Promise<unknown>, timeoutMs: number, log: Logger): Promise<void> {
  const shutDown = async (work: () => unknown) => {
    try {
      await work();
    } catch (error) {
      log.debug({ err: error }, "shutting the job queue down failed");
    }
  };
  void shutDown(() => queue.gracefulShutdown("the worker stops"));
  if (await Promise.race([drained.then(() => true), sleep(timeoutMs).then(() => false)])) return;
  log.warn("jobs were still under way when the worker stopped; they will run again");
  await Promise.race([shutDown(() => queue.forcefulShutdown("the worker stops")), sleep(RESTART_MS)]);
}

/** A kind of job in the queue's own terms, where it is called a task, under its name and its former name. */
function tasksOf(job: JobRow, services: Pick<Services, "pool" | "log">): [string, TaskList[string]][] {
  const { name, formerName, everySeconds, ...row } = job;
  const current: [string, TaskList[string]] = [name, taskOf(job, services)];
  // Under the former name a periodic job is not added again.
  return formerName ? [current, [formerName, taskOf({ ...row, name: formerName }, services)]] : [current];
}

function taskOf({ name, run, everySeconds }: JobRow, { pool, log }: Pick<Services, "pool" | "log">): TaskList[string] {
  const contextOf = ({ job, abortSignal }: JobHelpers) => ({
    lease: { jobId: job.id, poolId: job.locked_by ?? "", starts: job.attempts },
    signal: abortSignal,
  });
  if (everySeconds === undefined) return (payload, helpers) => run(payload, contextOf(helpers));
  return async (payload, helpers) => {
    await run(payload, contextOf(helpers)).catch((error) =>
      log.error({ err: error, job: name }, "a periodic job failed"),
    );
    await pool.execute(sql`
      select 1 from graphile_worker.add_job(
        ${name}, job_key => ${name}, run_at => ${dueAfter(sql`${everySeconds * 1_000}`)}
      )`);
  };
}

/** Makes sure that every periodic job is in the queue exactly once, and soon enough, whatever happened before. */
async function schedulePeriodicJobs({ services: { pool }, jobs }: WorkerOptions): Promise<void> {
  for (const { name, everySeconds } of jobs) {
    if (everySeconds === undefined) continue;
    await pool.execute(
      sql`select 1 from graphile_worker.add_job(${name}, job_key => ${name}, job_key_mode => 'unsafe_dedupe')`,
    );
    // Where the clock was ahead for a moment that no worker noted (`queue-clock-store.ts`).
    await pool.execute(hasten(name, everySeconds));
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
