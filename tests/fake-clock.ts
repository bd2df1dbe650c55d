import type { Clock } from "../server/platform/clock.ts";

/** A clock that moves only when told; timers run when it passes them. */
export interface FakeClock extends Clock {
  /** Moves on by `ms` milliseconds, running the timers that fall due, in order. */
  advance(ms: number): Promise<void>;
}

/** Starts at the real time, because the database, which times jobs, has no other. */
export function createFakeClock(start = new Date()): FakeClock {
  let nowMs = start.getTime();
  const timers = new Set<{ at: number; action: () => void }>();
  return {
    now: () => new Date(nowMs),
    after(delayMs, action) {
      const timer = { at: nowMs + delayMs, action };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    async advance(ms) {
      const end = nowMs + ms;
      for (;;) {
        const due = [...timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
        if (!due) break;
        nowMs = Math.max(nowMs, due.at);
        timers.delete(due);
        due.action();
        // Lets what the timer began set its next timer.
        await new Promise((resolve) => setImmediate(resolve));
      }
      nowMs = end;
    },
  };
}
