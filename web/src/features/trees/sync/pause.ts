import { hasResponse, isPassing } from "../../../api/failure.ts";

const FIRST_MS = 3_000;
const LONGEST_MS = 30_000;
const TOO_MANY = 429;

/** Returns whether a request was refused only because there were too many. */
export const isLimited = (error: unknown): boolean => hasResponse(error) && error.status === TOO_MANY;

/**
 * Returns after how many milliseconds to retry a request that failed `times` times in a row; null if waiting does not
 * help. The pauses double, and differ by chance (`random` is from 0 to 1), so that after an outage not all browsers
 * send at once. `Retry-After` takes precedence.
 */
export function pauseAfter(error: unknown, times: number, random: number = Math.random()): number | null {
  if (!isPassing(error) && !isLimited(error)) return null;
  // A date, which the header may also have, is ignored.
  const retryAfterMs = hasResponse(error) ? Number(error.headers.get("retry-after") ?? 0) * 1_000 || 0 : 0;
  return retryAfterMs + Math.min(LONGEST_MS, FIRST_MS * 2 ** (times - 1)) * (0.75 + random / 4);
}
