import { Piscina } from "piscina";
import { monotonicMs, pause, systemClock } from "./clock.ts";
import { currentDeadline } from "./deadline.ts";
import { createFairQueue, GivenUp } from "./fair-queue.ts";

/** Work on fewer bytes than this takes a few milliseconds, and is done at once. */
export const LARGE_BYTES = 128 * 1024;
/** Requests of one user that work on large contents or wait to do so; and long computations. */
export const COMPUTING_PER_USER = 8;
/** The same of all users, waiting. */
export const COMPUTING_WAITING = 64;
/** Long computations of all users that wait, each with its input in memory. */
const LONG_WAITING = 16;

/** Thrown for a request that would work on large contents: it has to be admitted before it takes a connection, and begins anew. */
export class NeedsAdmission extends Error {}

/** Whether the current work may load and compute large contents: a request that was admitted, or the service's own. */
export function isAdmitted(): boolean {
  const deadline = currentDeadline();
  return deadline === undefined || deadline.leave !== null;
}

/** @throws NeedsAdmission unless the current work may load and compute large contents. */
function demandAdmission(): void {
  if (!isAdmitted()) throw new NeedsAdmission("a large content");
}

const inProcess = createFairQueue({ atOnce: 1, perCaller: COMPUTING_PER_USER, waiting: COMPUTING_WAITING });

/**
 * Runs a step of a request on `bytes` of data: at once if they are few. If they are many, the request must have been admitted;
 * the step waits for those of the few others that are, and afterwards everything else has as long as it took: so long work
 * takes at most half of the process while others want it. The caller is charged for its time.
 */
export function inTurn<R>(bytes: number, step: () => R): R | Promise<R> {
  if (bytes < LARGE_BYTES) return step();
  demandAdmission();
  return inProcess(async () => {
    const begin = monotonicMs();
    try {
      return step();
    } finally {
      await pause(systemClock, spend(begin));
    }
  });
}

/** Runs all steps of long work, each as `inTurn` does, and returns its result. */
export async function inTurns<R>(bytes: number, steps: Generator<void, R>): Promise<R> {
  for (;;) {
    const { done, value } = await inTurn(bytes, () => steps.next());
    if (done) return value;
  }
}

/** Charges the current caller for the time since `begin`, and returns it, in milliseconds. */
export function spend(begin: number): number {
  const ms = monotonicMs() - begin;
  const deadline = currentDeadline();
  if (deadline) deadline.computedMs += ms;
  return ms;
}

/** Pure functions over plain data, by their names. */
type Functions = Readonly<Record<string, (input: never) => unknown>>;

/** Runs the functions of one module in worker threads. */
export interface Compute<F extends Functions> {
  /**
   * Returns the function's result: from this thread if it is about few `bytes`, else from a worker thread. Each caller has one
   * computation at a time. Rejects with `TooManyOfCaller`, `Overloaded`, or with `GivenUp` at the caller's deadline, and when the
   * worker thread ended. A computation that has begun ends then, with its thread. All but the long functions need admission.
   */
  run<N extends keyof F & string>(name: N, input: Parameters<F[N]>[0], bytes: number): Promise<ReturnType<F[N]>>;
  close(): Promise<void>;
}

export interface ComputeSettings<F extends Functions> {
  /** The module of the functions, for worker threads and for this one. */
  readonly file: URL;
  readonly functions: F;
  /** Threads at the same time, besides one for long computations. */
  readonly threads: number;
  /** Functions that take seconds: they run one after the other, so that the others need not wait for them. */
  readonly long: readonly (keyof F)[];
  /** Called with the function's name when a worker thread is given work. */
  readonly onBegin?: (name: string) => void;
}

/** A worker thread with nothing to do ends after this time, and gives back its memory, up to 200 MiB. */
const IDLE_MS = 2_000;
/** Of a worker thread: the largest computation takes two thirds of this; with more, it would collect its garbage later. */
const HEAP_MIB = 384;
const YOUNG_MIB = 16;

export function createCompute<F extends Functions>({
  file,
  functions,
  threads,
  long,
  onBegin,
}: ComputeSettings<F>): Compute<F> {
  const pool = new Piscina({
    filename: file.href,
    minThreads: 0,
    maxThreads: threads + 1,
    idleTimeout: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB, maxYoungGenerationSizeMb: YOUNG_MIB },
  });
  // Of a thread without work. One with work rejects it.
  pool.on("error", () => {});
  const queueOf = (atOnce: number, waiting: number) =>
    createFairQueue({ atOnce, perCaller: COMPUTING_PER_USER, waiting });
  const [usual, ofLong] = [queueOf(threads, COMPUTING_WAITING), queueOf(1, LONG_WAITING)];

  return {
    async run(name, input, bytes) {
      if (bytes < LARGE_BYTES) return functions[name]?.(input as never) as ReturnType<F[typeof name]>;
      const isLong = long.includes(name);
      if (!isLong) demandAdmission();
      // It may wait for long, and few large contents may be loaded meanwhile: its own is.
      else currentDeadline()?.leave?.();
      const gone = new AbortController();
      const forget = currentDeadline()?.whenOver(() => gone.abort());
      try {
        return await (isLong ? ofLong : usual)(async () => {
          const begin = monotonicMs();
          try {
            const running = pool.run(input, { name, signal: gone.signal });
            onBegin?.(name);
            return await running;
          } catch (error) {
            throw isLost(error) ? new GivenUp("the worker thread ended", { cause: error }) : error;
          } finally {
            spend(begin);
          }
        });
      } finally {
        forget?.();
      }
    },
    close: () => pool.destroy(),
  };
}

/** Returns whether the worker thread ended, rather than the function throwing. */
const isLost = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === "AbortError" ||
    String((error as Error & { code?: string }).code).startsWith("ERR_WORKER_") ||
    /^(Terminating worker thread|worker exited)/i.test(error.message));
