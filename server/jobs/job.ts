/** A kind of job, named once: what adds jobs and what runs them agree on its payload `P`. */
export interface Job<P> {
  readonly name: string;
  /**
   * Runs, those cut short by a crash included, after which a job that still fails is left where it is and never run again.
   * Default: 25, over some four days, as the queue's pauses grow from three seconds to six hours.
   */
  readonly maxRuns?: number;
  /** Never there; ties the name to the payload. */
  readonly payload?: P;
}

/** As many as the queue can count: at six hours' pause they last for two decades. */
export const ENDLESS_RUNS = 32_767;

export const defineJob = <P>(name: string, options: Pick<Job<P>, "maxRuns"> = {}): Job<P> => ({
  name,
  ...options,
});

/**
 * Proof that a job is this execution's: it holds as long as the job is locked by the same pool with the same count of
 * starts. An outcome that must not be written twice is written under the condition that it still holds.
 */
export interface Lease {
  readonly jobId: string;
  readonly poolId: string;
  readonly starts: number;
}

export interface JobContext {
  readonly lease: Lease;
  /** Aborted when the worker stops and will not wait any longer. */
  readonly signal: AbortSignal;
}

/** Runs a job. It may run twice, also at the same time: after a crash, or where a paused worker's jobs were taken over. */
export type Run<P> = (payload: P, context: JobContext) => Promise<void>;

/** A kind of job with what runs it. */
export interface JobRow {
  readonly name: string;
  readonly run: Run<unknown>;
  /** Set on periodic jobs: seconds from the end of one run to the start of the next. */
  readonly everySeconds?: number;
}

export const runJob = <P>(job: Job<P>, run: Run<P>): JobRow => ({ name: job.name, run: run as Run<unknown> });

/**
 * A job that runs again and again, one run at a time over all processes. A run that throws is logged, and the next
 * one comes at its time.
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

/** Thrown by a run that ends without having done its job, for a reason that is no fault. */
export class SetAside extends Error {}

/** Another run has taken the job over, and this one must change nothing. */
export class LeaseLost extends SetAside {
  constructor() {
    super("the job was taken over");
  }
}

/** The worker stops; the job is run again by the next one. */
export class Interrupted extends SetAside {
  constructor() {
    super("the worker stops");
  }
}
