import type { Clock } from "../platform/clock.ts";

/** What is left to a caller in the running window. */
export interface Left {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Milliseconds until the window ends. */
  readonly resetMs: number;
}

/** Counts what callers use, in units. One process counts in its memory; several could share one behind this. */
export interface RateCounter {
  readonly perWindow: number;
  readonly windowMs: number;
  /** Takes one unit where one is left; otherwise nothing. */
  take(caller: string): Left | Promise<Left>;
  /** Adds what a request turned out to cost beyond its first unit, or gives back where that is below 0. */
  charge(caller: string, units: number): void | Promise<void>;
}

/** Callers counted at the same time; beyond it the one is forgotten that was seen the longest ago. */
const CALLERS_MAX = 200_000;

/**
 * Counts in windows that begin with a caller's first request. What was used beyond a window's units is taken from the next
 * one, but never all of it: whoever waits for the end of the window is let in.
 */
export function createRateCounter(perWindow: number, windowMs: number, clock: Clock): RateCounter {
  const windows = new Map<string, { endsAt: number; used: number }>();
  const windowOf = (caller: string) => {
    const now = clock.now().getTime();
    const window = windows.get(caller) ?? { endsAt: now + windowMs, used: 0 };
    // A clock that is set back must not make a window longer.
    window.endsAt = Math.min(window.endsAt, now + windowMs);
    if (window.endsAt <= now) {
      const ended = 1 + Math.floor((now - window.endsAt) / windowMs);
      window.used = Math.max(0, window.used - ended * perWindow);
      window.endsAt = now + windowMs;
    }
    windows.delete(caller);
    windows.set(caller, window);
    if (windows.size > CALLERS_MAX) windows.delete(windows.keys().next().value as string);
    return { window, resetMs: window.endsAt - now };
  };
  return {
    perWindow,
    windowMs,
    take(caller) {
      const { window, resetMs } = windowOf(caller);
      const allowed = window.used < perWindow;
      if (allowed) window.used += 1;
      return { allowed, remaining: Math.max(0, perWindow - window.used), resetMs };
    },
    charge(caller, units) {
      const { window } = windowOf(caller);
      window.used = Math.max(0, Math.min(window.used + units, 2 * perWindow - 1));
    },
  };
}
