/** A kind of job, defined once: the code that adds jobs and the code that runs them agree on its payload `P`. */
export interface Job<P> {
  readonly name: string;
  /**
   * The most runs of a job, including interrupted ones; if it still fails then, it stays in the queue and never runs
   * again. Default: 25, over some four days, because the queue's pauses grow from three seconds to six hours.
   */
  readonly maxRuns?: number;
  /** Never set; ties the name to the payload. */
  readonly payload?: P;
}

/** The highest number that the queue can count: at pauses of six hours it lasts two decades. */
export const ENDLESS_RUNS = 32_767;

export const defineJob = <P>(name: string, options: Pick<Job<P>, "maxRuns"> = {}): Job<P> => ({
  name,
  ...options,
});

/**
 * Proof that this execution holds a job: valid as long as the job is locked by the same pool with the same number of
 * starts. An outcome that must not be written twice is written only if the lease is still valid.
 */
export interface Lease {
  readonly jobId: string;
  readonly poolId: string;
  readonly starts: number;
}

export interface JobContext {
  readonly lease: Lease;
  /** Aborted when the worker stops and will wait no longer. */
  readonly signal: AbortSignal;
}

/** Runs a job. It may run twice, even at the same time: after a crash, or if a paused worker's jobs were taken over. */
export type Run<P> = (payload: P, context: JobContext) => Promise<void>;

/** A kind of job and the function that runs it. */
export interface JobRow {
  readonly name: string;
  readonly run: Run<unknown>;
  /** The name in an earlier version: jobs that wait under it run too, once. */
  readonly formerName?: string;
  /** Set on periodic jobs: seconds from the end of one run to the start of the next. */
  readonly everySeconds?: number;
}

export const runJob = <P>(job: Job<P>, run: Run<P>): JobRow => ({ name: job.name, run: run as Run<unknown> });

/**
 * Defines a job that runs periodically, one run at a time over all processes. A run that throws is logged, and the next
 * one starts on time.
 */
export const runPeriodically = (
  name: string,
  everySeconds: number,
  run: (signal: AbortSignal) => Promise<void>,
): JobRow => ({
  name,
  everySeconds,
  run: (_, { signal }) => run(signal),
});

/** Thrown by a run that ends without finishing its job, for a reason that is not an error. */
export class SetAside extends Error {}

/** Another run has taken the job over, so this one must change nothing. */
export class LeaseLost extends SetAside {
  constructor() {
    super("the job was taken over");
  }
}

/** The worker is stopping; the next worker runs the job again. */
export class Interrupted extends SetAside {
  constructor() {
    super("the worker stops");
  }
}
