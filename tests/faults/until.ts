import { setTimeout as wait } from "node:timers/promises";
import { patient } from "../support/patience.ts";

/**
 * How long nothing may happen, in milliseconds: longer than an export waits before it looks for issues that a lost request may
 * still make (more than two minutes), and than any step takes on a busy machine.
 */
const STUCK_MS = patient(300_000);

/**
 * Waits, in real time, until `condition` holds; returns how long that took, in milliseconds. Throws if it does not hold for
 * five minutes in which `progress` stays the same: work that goes on may take any time.
 */
export async function until(
  what: string,
  condition: () => Promise<boolean> | boolean,
  progress: () => number = () => 0,
): Promise<number> {
  const begin = performance.now();
  let [last, changedMs] = [progress(), begin];
  while (!(await condition())) {
    const now = progress();
    if (now !== last) [last, changedMs] = [now, performance.now()];
    if (performance.now() - changedMs > STUCK_MS) throw new Error(`nothing happened for ${STUCK_MS} ms: ${what}`);
    await wait(50);
  }
  return performance.now() - begin;
}
