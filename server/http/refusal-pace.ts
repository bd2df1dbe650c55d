import { type Clock, pause } from "../platform/clock.ts";

/** Refusals of one caller that are answered at once, … */
export const REFUSED_AT_ONCE = 50;
/** … and the time between two further ones, in milliseconds. */
export const REFUSED_EVERY_MS = 10;
/** How long one of them waits at most, in milliseconds: less than a request may take. */
export const REFUSED_WITHIN_MS = 20_000;
/** Most callers that are remembered; beyond that, the one that was refused the longest ago is forgotten. */
const CALLERS_MAX = 10_000;

/**
 * Returns how to wait before a refusal. Who goes on at full speed after refusals waits for further ones, each at another moment:
 * only to refuse thousands in a second would keep others waiting.
 */
export function createRefusalPace(clock: Clock): (caller: string) => Promise<void> {
  /** When the last refusal of a caller is due if none is answered at once, in milliseconds of the clock. */
  const dueMs = new Map<string, number>();
  return async (caller) => {
    const nowMs = clock.now().getTime();
    const aheadMs = Math.max(0, (dueMs.get(caller) ?? 0) - nowMs);
    // A clock that was set back must not make anybody wait longer.
    const waitMs = Math.min(REFUSED_WITHIN_MS, aheadMs - (REFUSED_AT_ONCE - 1) * REFUSED_EVERY_MS);
    dueMs.delete(caller);
    dueMs.set(
      caller,
      nowMs + Math.min(aheadMs, REFUSED_WITHIN_MS + REFUSED_AT_ONCE * REFUSED_EVERY_MS) + REFUSED_EVERY_MS,
    );
    if (dueMs.size > CALLERS_MAX) dueMs.delete(dueMs.keys().next().value as string);
    if (waitMs > 0) await pause(clock, waitMs);
  };
}
