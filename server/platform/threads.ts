import { once } from "node:events";
import { type Transferable, Worker } from "node:worker_threads";
import type { Clock } from "./clock.ts";
import { currentDeadline } from "./deadline.ts";

/** Too much work is waiting already. */
export class ThreadsBusy extends Error {}

/** The work did not end: its thread died, or was ended because it took too long. */
export class ThreadLost extends Error {}

export interface Work {
  /** Whose work it is: only one piece of work of each caller runs at a time. */
  readonly caller: string;
  /** Copied to the thread, except for what is in `transfer`, which is moved. */
  readonly question: unknown;
  readonly transfer?: readonly Transferable[];
  /** Called when a thread is given the work. */
  readonly onBegin?: () => void;
}

export interface ThreadSettings {
  /** A module that calls `serveThread`. */
  readonly file: URL;
  /** Copied to each thread as `workerData`. */
  readonly data: unknown;
  readonly threadsMax: number;
  /** Pieces of work that a thread has begun and not ended: while one waits for the database, another one continues. */
  readonly atOnce: number;
  readonly waitingMax: number;
  /**
   * A thread whose objects take more memory than this, in MiB, is ended. This is a last resort, far above what the work
   * takes: where the limit is reached within V8 itself, as when a large Map grows, V8 ends the process instead.
   */
  readonly heapMb: number;
  /** A thread whose work takes longer is ended, with everything that it has begun. */
  readonly timeoutMs: number;
  readonly clock: Clock;
  /** Receives the lines that threads log. */
  readonly onLine: (line: string) => void;
}

export interface Threads {
  /**
   * Returns the thread's answer. Work of callers who have none running begins first, in order of arrival. Rejects with
   * `ThreadsBusy` if too much is waiting, and with `ThreadLost`. Work that has not begun at the caller's deadline, or
   * when `signal` aborts, is dropped.
   */
  run<A>(work: Work, signal: AbortSignal): Promise<A>;
  /** Lets threads end what they do with the database, and ends them. */
  close(): Promise<void>;
}

/** Messages to a thread: a piece of work, or that it should end. */
export type ToThread = { readonly id: number; readonly question: unknown } | "close";
/** Messages from a thread: an answer, or a line of its log. */
export type FromThread = { readonly id: number; readonly answer: unknown } | { readonly line: string };

interface Job extends Work {
  readonly id: number;
  readonly end: (result: { readonly answer: unknown } | Error) => void;
}

interface Running {
  readonly worker: Worker;
  readonly jobs: Map<number, Job>;
}

const CLOSE_MS = 2_000;
const quickImports = new URL("./quick-imports.ts", import.meta.url).href;

/**
 * Runs work in threads, so that the process can answer others. A thread is started when there is work for it, and
 * replaced if it dies.
 */
export function createThreads(settings: ThreadSettings): Threads {
  const { file, data, threadsMax, atOnce, waitingMax, heapMb, timeoutMs, clock, onLine } = settings;
  const waiting: Job[] = [];
  const busy = new Set<string>();
  const threads = new Set<Running>();
  let lastId = 0;

  const startThread = (): Running => {
    const worker = new Worker(file, {
      workerData: data,
      execArgv: ["--import", quickImports],
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
    });
    const thread: Running = { worker, jobs: new Map() };
    worker.on("message", (message: FromThread) => {
      if ("line" in message) onLine(message.line);
      else thread.jobs.get(message.id)?.end({ answer: message.answer });
    });
    const lose = (reason: string) => {
      threads.delete(thread);
      for (const job of [...thread.jobs.values()]) job.end(new ThreadLost(reason));
    };
    worker.on("error", (error) => lose(error.message));
    worker.on("exit", () => lose("the thread ended"));
    worker.unref();
    threads.add(thread);
    return thread;
  };

  const freeThread = (): Running | undefined => {
    const byLoad = [...threads].sort((a, b) => a.jobs.size - b.jobs.size);
    const least = byLoad[0];
    if (least?.jobs.size === 0) return least;
    if (threads.size < threadsMax) return startThread();
    return least && least.jobs.size < atOnce ? least : undefined;
  };

  const begin = (job: Job, thread: Running) => {
    busy.add(job.caller);
    job.onBegin?.();
    const stopWatching = clock.after(timeoutMs, () => void thread.worker.terminate());
    const end: Job["end"] = (result) => {
      stopWatching();
      thread.jobs.delete(job.id);
      busy.delete(job.caller);
      job.end(result);
      beginNext();
    };
    thread.jobs.set(job.id, { ...job, end });
    const message: ToThread = { id: job.id, question: job.question };
    thread.worker.postMessage(message, [...(job.transfer ?? [])]);
  };

  const beginNext = () => {
    for (;;) {
      const at = waiting.findIndex(({ caller }) => !busy.has(caller));
      const thread = at < 0 ? undefined : freeThread();
      if (!thread) return;
      for (const job of waiting.splice(at, 1)) begin(job, thread);
    }
  };

  return {
    run<A>(work: Work, signal: AbortSignal) {
      if (waiting.length >= waitingMax) return Promise.reject(new ThreadsBusy("too much work is waiting"));
      if (signal.aborted) return Promise.reject(new ThreadLost("given up before it began"));
      const { promise, resolve, reject } = Promise.withResolvers<A>();
      lastId += 1;
      const job: Job = {
        ...work,
        id: lastId,
        end: (result) => (result instanceof Error ? reject(result) : resolve(result.answer as A)),
      };
      const drop = () => {
        const at = waiting.indexOf(job);
        if (at >= 0) waiting.splice(at, 1);
        if (at >= 0) reject(new ThreadLost("given up before it began"));
      };
      waiting.push(job);
      const forget = currentDeadline()?.whenOver(drop);
      signal.addEventListener("abort", drop, { once: true });
      beginNext();
      return promise.finally(() => {
        forget?.();
        signal.removeEventListener("abort", drop);
      });
    },
    async close() {
      const ended = [...threads].map(async ({ worker }) => {
        const exit = once(worker, "exit");
        worker.postMessage("close" satisfies ToThread);
        const cancel = clock.after(CLOSE_MS, () => void worker.terminate());
        await exit.finally(cancel);
      });
      await Promise.all(ended);
    },
  };
}
