import type { Clock } from "../../../platform/clock.ts";
import type { Call } from "./reach.ts";

/** For all requests of one step that reads, in milliseconds: a tracker that responds just in time would hold it for hours. */
export const READ_MS = 600_000;

/**
 * Makes calls that together may take this many milliseconds: after that they end with a fault of the kind `unknown`.
 */
export async function within<T>(
  clock: Clock,
  ms: number,
  call: Call | undefined,
  work: (call: Call) => Promise<T>,
): Promise<T> {
  const end = new AbortController();
  const cancel = clock.after(ms, () => end.abort());
  const signal = call?.signal ? AbortSignal.any([call.signal, end.signal]) : end.signal;
  try {
    return await work({ ...call, signal });
  } finally {
    cancel();
  }
}
