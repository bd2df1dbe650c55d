import { availableParallelism } from "node:os";
import type { Logger } from "pino";
import { systemClock } from "./platform/clock.ts";
import { relayTo } from "./platform/log.ts";
import { createThreads, type Threads } from "./platform/threads.ts";
import type { ThreadData } from "./thread-data.ts";

/** Threads for requests on large trees: as many as processors, less one for everything else. */
const FOR_TREES = { threadsMax: Math.max(1, Math.min(4, availableParallelism() - 1)), waitingMax: 64 };
/** One thread for forecasts, so that equal ones share one computation. If too many wait, 503. */
export const FOR_SCHEDULES = { threadsMax: 1, waitingMax: 32 };
/** Requests on trees at the limits pass with a tenth of this. */
const THREAD_HEAP_MB = 1_024;
/** After the deadline of its request, in milliseconds, a thread that still works on it is ended. */
const THREAD_GRACE_MS = 5_000;

/** Starts threads that have the same routes as the process. */
export function startThreads(data: ThreadData, log: Logger, most = FOR_TREES): Threads {
  return createThreads({
    file: new URL("./thread.ts", import.meta.url),
    data,
    ...most,
    // With more threads, PostgreSQL would only work for several large requests on the same processor.
    atOnce: 1,
    heapMb: THREAD_HEAP_MB,
    timeoutMs: data.config.requestTimeoutSeconds * 1_000 + THREAD_GRACE_MS,
    clock: systemClock,
    onLine: relayTo(log),
  });
}
