import { monotonicMs, sleep } from "../../platform/clock.ts";

/**
 * Calls `look` every `intervalMs` until it returns something other than undefined, and returns that; returns undefined
 * after `timeoutMs`. It watches other processes, so it waits in real time, whatever clock the service uses.
 */
export async function poll<T>(
  look: () => T | undefined | Promise<T | undefined>,
  { timeoutMs, intervalMs = 10 }: { timeoutMs: number; intervalMs?: number },
): Promise<T | undefined> {
  const deadline = monotonicMs() + timeoutMs;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (monotonicMs() >= deadline) return undefined;
    await sleep(intervalMs);
  }
}
