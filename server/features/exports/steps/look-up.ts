import { actsMs } from "../../../../domain/exports/ledger.ts";
import { callTracker } from "../call.ts";
import { finishStep, type StepContext } from "../context.ts";
import { afterFault, keepPause } from "../faults.ts";
import { finishCreated } from "../finish-created.ts";
import { counter, finishItem } from "../finish-item.ts";
import { itemsOf, type LedgerRow } from "../item-store.ts";
import { storeIssue, storeLookUp } from "../ledger-store.ts";
import type { Found } from "../trackers/issues.ts";

/** The clocks of a tracker's machines may differ by this much, in milliseconds. */
const CLOCKS_MS = 5 * 60_000;

/** The earliest time at which the issues of these rows can have been made, by the tracker's clock. */
export const sinceOf = (rows: readonly LedgerRow[], now: Date): Date => {
  const earliest = Math.min(...rows.map(({ sinceAt, sentAt }) => (sinceAt ?? sentAt ?? now).getTime()));
  return new Date(earliest - CLOCKS_MS);
};

const TWINS_NAMED = 10;

/** Says that there is more than one issue of a task, and names the first ones. */
export const twins = (found: readonly Found[]) =>
  found.length < 2
    ? []
    : [
        {
          code: "twin",
          message: `There is more than one issue of this task: ${found
            .slice(0, TWINS_NAMED)
            .map(({ issue }) => issue.url)
            .join(", ")}. Close all but the first.`,
        },
      ];

const notFound = (reason: string): string =>
  `The issue may exist, and looking for it was refused (${reason}). Nothing is sent before it can be looked for.`;

/** Looks for issues that may exist: those that the tracker shows become known, the others are looked for again. */
export async function lookUp(context: StepContext, taskIds: readonly string[]): Promise<void> {
  const { services, run, tracker, reached } = context;
  const rows = (await itemsOf(services.pool, run, taskIds)).flatMap(({ item, ledger }) =>
    ledger ? [{ item, ledger }] : [],
  );
  const began = services.clock.now();
  const wanted = {
    markers: rows.map(({ ledger }) => ledger.marker),
    since: sinceOf(
      rows.map(({ ledger }) => ledger),
      began,
    ),
  };
  const { result, fault, pause, at } = await callTracker(context, (call) => tracker.find(reached, wanted, call));
  const looked = {
    at: began.getTime(),
    trackerAt: (at ?? began).getTime(),
    settleMs: services.config.exportSettleSeconds * 1_000,
    actsMs: actsMs(tracker.createTimeoutSeconds),
  };
  /** The requests that have produced an issue. */
  const appearing = new Set(
    rows.filter(({ ledger }) => result?.has(ledger.marker)).map(({ ledger }) => ledger.sentAt?.getTime()),
  );
  await finishStep(
    context,
    async (held) => {
      const { tx, run: current } = held;
      const { counts, count } = counter(current);
      if (fault?.kind === "refused") {
        await keepPause(held, { pause });
        for (const { item } of rows)
          await finishItem(tx, item, "failed", { count }, { reason: notFound(fault.reason) });
        return { next: { faults: 0, ...counts() } };
      }
      if (fault) return afterFault(context, held, { fault, pause });
      await keepPause(held, { pause });
      for (const { item, ledger } of rows) {
        const found = result.get(ledger.marker) ?? [];
        const [first] = found;
        if (!first) continue;
        await finishCreated(tx, context, item, { count }, { issue: first.issue, warnings: twins(found) });
      }
      return { next: { faults: 0, ...counts() } };
    },
    async (tx, now) => {
      if (!result) return;
      for (const { ledger } of rows) {
        const [first] = result.get(ledger.marker) ?? [];
        if (first) await storeIssue(tx, run, ledger.taskId, first.issue, { now });
        else {
          const progresses = appearing.has(ledger.sentAt?.getTime());
          await storeLookUp(tx, run, ledger, { ...looked, progresses });
        }
      }
    },
  );
}
