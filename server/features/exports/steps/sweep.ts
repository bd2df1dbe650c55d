import { callTracker } from "../call.ts";
import { finishStep, type StepContext } from "../context.ts";
import { afterFault, keepPause } from "../faults.ts";
import { withWarnings } from "../finish-item.ts";
import { unsweptItems, warn } from "../item-store.ts";
import { changeLedger } from "../ledger-store.ts";
import { sinceOf, twins } from "./look-up.ts";

/**
 * The last step: an issue that was sent again may have a twin that the tracker shows late. Looks for twins once the
 * tracker must show everything that was sent, reports them, and ends the run.
 */
export async function sweep(context: StepContext): Promise<void> {
  const { services, run, tracker, reached } = context;
  const { pool, clock, config } = services;
  const rows = await unsweptItems(pool, run);
  const now = clock.now();
  const lastSent = Math.max(0, ...rows.map(({ ledger }) => ledger.sentAt?.getTime() ?? 0));
  const leftMs = lastSent + config.exportSettleSeconds * 1_000 - now.getTime();
  if (rows.length === 0) return finishStep(context, async () => ({ ended: "done" }));
  if (leftMs > 0) return finishStep(context, async () => ({ next: {}, delayMs: leftMs }));
  const wanted = {
    markers: rows.map(({ ledger }) => ledger.marker),
    since: sinceOf(
      rows.map(({ ledger }) => ledger),
      now,
    ),
  };
  const { result, fault, pause } = await callTracker(context, (call) => tracker.find(reached, wanted, call));
  await finishStep(context, async (held) => {
    // If the look-up is impossible, there is nothing to report, and nothing else to do.
    if (fault && fault.kind !== "refused") return afterFault(context, held, { fault, pause });
    await keepPause(held, { pause });
    for (const { item, ledger } of rows) {
      await changeLedger(held.tx, held.run, item.taskId, { unswept: false });
      const more = twins(result?.get(ledger.marker) ?? []);
      if (more.length > 0) await warn(held.tx, item, withWarnings(item, more)?.slice(item.warnings?.length ?? 0) ?? []);
    }
    return { ended: "done" };
  });
}
