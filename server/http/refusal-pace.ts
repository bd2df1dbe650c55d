import type { Clock } from "../platform/clock.ts";

/** Refusals of one caller that are answered at once, … */
export const REFUSED_AT_ONCE = 50;
/** … and the time between two further ones, in milliseconds. */
export const REFUSED_EVERY_MS = 10;
/** How long one of them waits at most, in milliseconds: less than the service takes to stop. So few of a caller wait. */
export const REFUSED_WITHIN_MS = 5_000;
/** Most callers that are remembered; beyond that, the one that was refused the longest ago is forgotten. */
const CALLERS_MAX = 10_000;

/**
 * Returns how long a refusal of a caller has to wait, in milliseconds; null if too many wait already. Who goes on at full speed
 * after refusals waits for further ones, each until another moment: only to refuse thousands in a second would keep others
 * waiting.
 */
export function createRefusalPace(clock: Pick<Clock, "now">): (caller: string) => number | null {
  /** When the next refusal of a caller would be due if none were answered at once, in milliseconds of the clock. */
  const dueMs = new Map<string, number>();
  const atOnceMs = (REFUSED_AT_ONCE - 1) * REFUSED_EVERY_MS;
  return (caller) => {
    const nowMs = clock.now().getTime();
    // A clock that was set back must not make anybody wait longer.
    const aheadMs = Math.min(
      Math.max(0, (dueMs.get(caller) ?? 0) - nowMs),
      REFUSED_WITHIN_MS + atOnceMs + REFUSED_EVERY_MS,
    );
    const waitMs = Math.max(0, aheadMs - atOnceMs);
    const mayWait = waitMs <= REFUSED_WITHIN_MS;
    dueMs.delete(caller);
    dueMs.set(caller, nowMs + aheadMs + (mayWait ? REFUSED_EVERY_MS : 0));
    if (dueMs.size > CALLERS_MAX) dueMs.delete(dueMs.keys().next().value as string);
    return mayWait ? waitMs : null;
  };
}
