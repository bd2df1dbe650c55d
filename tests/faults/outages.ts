import { setTimeout as wait } from "node:timers/promises";
import { WAITING_FOR_RETRY } from "./deaths.ts";
import { OPEN, type Stage } from "./stage.ts";
import type { UnderWay } from "./under-way.ts";
import { until } from "./until.ts";
import type { WorkerProcess } from "./worker-process.ts";

/**
 * Crashes the database while events are committed and delivered; at the last crash the receiver refuses all requests.
 * Returns how many retries were waiting then.
 */
export async function crashDatabase(
  stage: Stage,
  underWay: UnderWay,
  { perCrash, crashes, workers }: { perCrash: number; crashes: number; workers: readonly WorkerProcess[] },
): Promise<number> {
  const { receipts } = stage;
  const hasDelivered = async () => (await stage.count(OPEN)) === 0;
  let scheduled = 0;
  for (let crash = 1; crash <= crashes; crash++) {
    const isLast = crash === crashes;
    if (isLast) receipts.respond({ status: 500 });
    const known = receipts.byId.size;
    const emitting = stage.emit(perCrash);
    await until("deliveries are under way", () => receipts.byId.size > known + perCrash / 4);
    if (isLast) {
      await until("retries wait", async () => {
        scheduled = await stage.count(WAITING_FOR_RETRY);
        return scheduled > 0;
      });
    }
    const settled = await underWay.settled();
    await stage.stopDatabase();
    // Nothing new is sent without a database, so exactly what was received by now was under way.
    await receipts.quiet();
    underWay.note(settled);
    receipts.respond();
    await stage.startDatabase();
    await emitting;
    // The next crash comes either after recovery or at once, alternately.
    if (crash % 2 === 1) await until("all is delivered", hasDelivered, receipts.requests);
    else await wait(500);
  }
  await until("all is delivered", hasDelivered, receipts.requests);
  for (const { process } of workers) if (process.exitCode !== null) throw new Error("a worker ended by itself");
  return scheduled;
}
