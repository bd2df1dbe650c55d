import { monotonicMs, sleep } from "../../platform/clock.ts";

/**
 * Looks again every `intervalMs` until `look` returns something other than undefined, and returns that; undefined
 * when `timeoutMs` have passed. It watches other processes, so it waits in real time, whatever clock the service has.
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
