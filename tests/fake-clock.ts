import type { Clock } from "../server/platform/clock.ts";

/** A clock that moves only with `advance`; timers run when it passes them. */
export interface FakeClock extends Clock {
  /**
   * Moves on by `ms` milliseconds, running the timers that fall due, in order. After a thousand of them it jumps to the
   * end, where the others run late, as on a machine that was asleep: a regular timer does not run a million times.
   */
  advance(ms: number): Promise<void>;
}

/** The most timers of one advance that run on time. */
const IN_TIME = 1_000;

interface Timer {
  readonly at: number;
  readonly action: () => void;
}

/** Returns the timer that falls due first; of several, the one that was set first. */
function earliest(timers: ReadonlySet<Timer>): Timer | undefined {
  let first: Timer | undefined;
  for (const timer of timers) if (first === undefined || timer.at < first.at) first = timer;
  return first;
}

/** Starts at the real time, because the database, which schedules jobs, uses it. */
export function createFakeClock(start = new Date()): FakeClock {
  let nowMs = start.getTime();
  const timers = new Set<Timer>();
  return {
    now: () => new Date(nowMs),
    after(delayMs, action) {
      const timer = { at: nowMs + delayMs, action };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    async advance(ms) {
      const end = nowMs + ms;
      for (let ran = 0; ; ran += 1) {
        const due = earliest(timers);
        if (due === undefined || due.at > end) break;
        nowMs = ran < IN_TIME ? Math.max(nowMs, due.at) : end;
        timers.delete(due);
        due.action();
        // Lets what the timer began set its next timer.
        await new Promise((resolve) => setImmediate(resolve));
      }
      nowMs = end;
    },
  };
}
