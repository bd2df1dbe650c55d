import { setTimeout as wait } from "node:timers/promises";

/** Waits, in real time and at most `timeoutMs` milliseconds, until `condition` holds; returns how long it took. */
export async function until(
  what: string,
  condition: () => Promise<boolean> | boolean,
  timeoutMs = 60_000,
): Promise<number> {
  const begin = performance.now();
  while (!(await condition())) {
    if (performance.now() - begin > timeoutMs) throw new Error(`not within ${timeoutMs} ms: ${what}`);
    await wait(50);
  }
  return performance.now() - begin;
}
