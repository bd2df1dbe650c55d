import { monitorEventLoopDelay } from "node:perf_hooks";
import type pg from "pg";
import { readInstanceState } from "./db/instance-state.ts";
import { countDueDeliveries } from "./features/webhooks/index.ts";
import { countDueJobs } from "./jobs/job-store.ts";
import { monotonicMs, pause, systemClock } from "./platform/clock.ts";
import { DELIVERIES, jobKinds, metricRows } from "./platform/metrics/rows.ts";
import type { Services } from "./services/index.ts";

/** The pools of a process; a worker alone has one. */
export interface Pools {
  readonly requests?: pg.Pool | undefined;
  readonly jobs: pg.Pool;
}

/** What Prometheus reads. */
export interface Scrape {
  readonly contentType: string;
  /** Returns the metrics as text. Never fails: without a database, those that are read from it are absent. */
  read(): Promise<string>;
  stop(): void;
}

/** How often the database is looked at, however often the metrics are read, in milliseconds. */
const LOOK_MS = 5_000;
/** After this time, in milliseconds, a database that does not respond counts as gone; Prometheus waits for ten seconds. */
const TIMEOUT_MS = 4_000;
/** How often the delay of the event loop is measured, in milliseconds. */
const LOOP_MS = 20;

/** Reads the metrics of this process, those included that are only known at the time: pools, memory, queues. */
export function createScrape(
  { config, metrics, pool }: Pick<Services, "config" | "metrics" | "pool">,
  pools: Pools,
  lookMs = LOOK_MS,
): Scrape {
  const isBackedUp = config.backupEveryHours !== null;
  const loop = monitorEventLoopDelay({ resolution: LOOP_MS });
  loop.enable();
  let askedAtMs = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | undefined;
  const readDatabase = async (): Promise<void> => {
    if (monotonicMs() - askedAtMs >= lookMs) {
      askedAtMs = monotonicMs();
      asking = Promise.race([lookAtDatabase(), pause(systemClock, TIMEOUT_MS).then(() => null)])
        .catch(() => null)
        .then(show);
    }
    await asking;
  };
  const lookAtDatabase = async () => {
    const deliveries = await countDueDeliveries(pool);
    const due = [...(await countDueJobs(pool)), ...(deliveries ? [{ kind: DELIVERIES, ...deliveries }] : [])];
    return { due, backedUpAt: (await readInstanceState(pool)).backedUpAt };
  };
  const show = (found: Awaited<ReturnType<typeof lookAtDatabase>> | null): void => {
    metrics.databaseUp.set(found ? 1 : 0);
    metrics.lastBackup.remove();
    // Where the first one is still to come, its age counts from the start: one that never succeeds is noticed too.
    const backedUpMs = found?.backedUpAt?.getTime() ?? (found && isBackedUp ? performance.timeOrigin : null);
    if (backedUpMs !== null) metrics.lastBackup.set(backedUpMs / 1_000);
    metrics.queueDepth.reset();
    metrics.queueAge.reset();
    if (found === null) return;
    for (const kind of [...jobKinds, DELIVERIES]) {
      const { count = 0, ageSeconds = 0 } = found.due.find((one) => one.kind === kind) ?? {};
      metrics.queueDepth.set({ kind }, count);
      metrics.queueAge.set({ kind }, ageSeconds);
    }
  };
  const readProcess = (): void => {
    const { rss, heapUsed } = process.memoryUsage();
    metrics.residentBytes.set(rss);
    metrics.heapBytes.set(heapUsed);
    const { user, system } = process.cpuUsage();
    metrics.processorSeconds.reset();
    metrics.processorSeconds.inc((user + system) / 1e6);
    metrics.startTime.set(performance.timeOrigin / 1_000);
    for (const [name, { totalCount, idleCount, waitingCount }] of Object.entries(pools).filter(hasPool)) {
      metrics.connections.set({ pool: name, state: "busy" }, totalCount - idleCount);
      metrics.connections.set({ pool: name, state: "idle" }, idleCount);
      metrics.connectionWaits.set({ pool: name }, waitingCount);
    }
    for (const quantile of metricRows.eventLoopDelay.labels.quantile) {
      // It measures the time between two runs of a timer.
      const seconds = loop.percentile(Number(quantile) * 100) / 1e9 - LOOP_MS / 1_000;
      metrics.eventLoopDelay.set({ quantile }, Math.max(0, seconds));
    }
    loop.reset();
  };
  return {
    contentType: metrics.registry.contentType,
    async read() {
      await readDatabase();
      readProcess();
      return await metrics.registry.metrics();
    },
    stop: () => void loop.disable(),
  };
}

const hasPool = (entry: [string, pg.Pool | undefined]): entry is [string, pg.Pool] => entry[1] !== undefined;
