import { ForeignResponse } from "../../contract/client/client-responses.ts";
import { ApiError, ConnectionError } from "./errors.ts";

export interface RetryOptions {
  /** How often a request is sent at most; default 4. */
  readonly attempts?: number;
  /** An attempt that would begin later than this after the first, in milliseconds, is not made; default 60,000. */
  readonly withinMs?: number;
}

const ATTEMPTS = 4;
const WITHIN_MS = 60_000;
/** The pause before the second attempt; each further one is twice as long. */
const PAUSE_MS = 500;

/** Statuses of a service that is busy, or of a proxy that does not reach it. */
const PASSING = [429, 502, 503, 504];

/** Whether the same request could succeed a moment later. */
function isPassing(error: unknown): boolean {
  if (error instanceof ConnectionError) return true;
  // The attempt whose response was lost is still being carried out.
  if (error instanceof ApiError && error.is("request_under_way")) return true;
  return hasHeaders(error) && PASSING.includes(error.status);
}

const hasHeaders = (error: unknown): error is ApiError | ForeignResponse =>
  error instanceof ApiError || error instanceof ForeignResponse;

/** Returns how long `Retry-After` asks to wait, in milliseconds, whether it is a number of seconds or a date; 0 without it. */
function wantedMs(headers: Headers): number {
  const value = headers.get("retry-after") ?? "";
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  // By the clock that wrote the date, where its time is there.
  const now = Date.parse(headers.get("date") ?? "") || Date.now();
  return Math.max(0, (Date.parse(value) || now) - now);
}

/** Waits; rejects with the signal's reason once it is aborted. */
const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", abort, { once: true });
  });

/**
 * Returns what `attempt` returns, made again as long as what it throws could pass. A random part of each pause keeps many
 * clients from coming back at the same time.
 */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  { attempts = ATTEMPTS, withinMs = WITHIN_MS }: RetryOptions,
  signal: AbortSignal | undefined,
): Promise<T> {
  const begin = performance.now();
  for (let number = 1; ; number++) {
    try {
      return await attempt();
    } catch (error) {
      const ownMs = PAUSE_MS * 2 ** (number - 1) * (0.5 + Math.random() / 2);
      const waitMs = Math.max(ownMs, hasHeaders(error) ? wantedMs(error.headers) : 0);
      const isLate = performance.now() - begin + waitMs > withinMs;
      if (number >= attempts || isLate || !isPassing(error)) throw error;
      await pause(waitMs, signal);
    }
  }
}
