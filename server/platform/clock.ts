/** The only place that reads the time or sets a timer; everything else is given a `Clock`. */
export interface Clock {
  /** The current instant, in whole milliseconds. */
  now(): Date;
  /** Runs `action` once after `delayMs` milliseconds; the timer does not keep the process alive. Returns how to cancel it. */
  after(delayMs: number, action: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => new Date(),
  after(delayMs, action) {
    const timer = setTimeout(action, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** Milliseconds of a monotonic clock with fractions, only for measuring durations. */
export const monotonicMs = (): number => performance.now();

/** Resolves after `delayMs` milliseconds of `clock`. */
export function pause(clock: Clock, delayMs: number): Promise<void> {
  return new Promise((resolve) => clock.after(delayMs, resolve));
}

/** Runs `action` every `intervalMs` milliseconds until the returned function is called; runs never overlap. */
export function every(clock: Clock, intervalMs: number, action: () => Promise<void>): () => void {
  let cancel = () => {};
  let stopped = false;
  const schedule = () => {
    if (!stopped) cancel = clock.after(intervalMs, () => void action().finally(schedule));
  };
  schedule();
  return () => {
    stopped = true;
    cancel();
  };
}

/** Resolves after `delayMs` milliseconds of real time, and keeps the process alive until then: for watching other processes. */
export const sleep = (delayMs: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, delayMs));
