import type { Clock } from "../../platform/clock.ts";
import { REPLAY_BYTES_PER_DAY } from "../idempotency.ts";

/** What a caller has left in the current window. */
export interface Left {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Milliseconds until the window ends. */
  readonly resetMs: number;
}

/**
 * Counts what callers use, in units. One process counts in memory; several could share a counter behind this interface.
 */
export interface RateCounter {
  readonly perWindow: number;
  readonly windowMs: number;
  /** Takes one unit if one is left; otherwise takes nothing. */
  take(caller: string): Left | Promise<Left>;
  /** Adds what a request cost beyond its first unit; a negative number gives units back. */
  charge(caller: string, units: number): void | Promise<void>;
}

const DAY_MS = 86_400_000;

/** Counts the bytes of each user's responses that are stored for replay, within a day. */
export const createReplayBytes = (clock: Clock): RateCounter => createRateCounter(REPLAY_BYTES_PER_DAY, DAY_MS, clock);

/** Most callers counted at the same time; beyond that, the least recently seen one is forgotten. */
const CALLERS_MAX = 200_000;

/**
 * Counts in windows that start with a caller's first request. Use beyond a window's units is taken from the next
 * window, but never all of it: a caller that waits for the end of the window is let in.
 */
export function createRateCounter(perWindow: number, windowMs: number, clock: Clock): RateCounter {
  const windows = new Map<string, { endsAt: number; used: number }>();
  const windowOf = (caller: string) => {
    const now = clock.now().getTime();
    const window = windows.get(caller) ?? { endsAt: now + windowMs, used: 0 };
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
