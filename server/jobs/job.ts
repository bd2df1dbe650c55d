/** A kind of job, defined once: the code that adds jobs and the code that runs them agree on its payload `P`. */
export interface Job<P> {
  readonly name: string;
  /**
   * The most runs in a row that fail or are cut, before the job is given up. Default: 25, over some four days, because the
   * pauses grow from three seconds to six hours.
   */
  readonly maxRuns?: number;
  /** It sends something to others, so it waits while nothing may leave the instance. */
  readonly sends?: true;
  /** Never set; ties the name to the payload. */
  readonly payload?: P;
}

/** Never given up: at pauses of six hours it lasts longer than any installation. */
export const ENDLESS_RUNS = Number.MAX_SAFE_INTEGER;

export const defineJob = <P>(name: string, options: Pick<Job<P>, "maxRuns" | "sends"> = {}): Job<P> => ({
  name,
  ...options,
});

/**
 * Names the run that holds a job. An outcome that must not be written twice is written only where this lease is stored
 * with what it is about.
 */
export interface Lease {
  readonly key: string;
  readonly token: string;
}

export interface JobContext {
  readonly lease: Lease;
  /** Aborted when the worker stops and will wait no longer, and when another run has taken the job over. */
  readonly signal: AbortSignal;
}

/** Runs a job. It may run twice: after a crash, or while a paused process that has lost its lease goes on. */
export type Run<P> = (payload: P, context: JobContext) => Promise<void>;

/** A kind of job and the function that runs it. */
export interface JobRow {
  readonly name: string;
  readonly run: Run<unknown>;
  readonly maxRuns?: number | undefined;
  readonly sends?: true | undefined;
  /** Set on periodic jobs: seconds from the end of one run to the start of the next. */
  readonly everySeconds?: number;
}

export const runJob = <P>(job: Job<P>, run: Run<P>): JobRow => ({
  name: job.name,
  maxRuns: job.maxRuns,
  sends: job.sends,
  run: run as Run<unknown>,
});

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
