import { finishStep, type StepContext } from "../context.ts";
import { counter, finishItem } from "../finish-item.ts";
import { itemsOf, type LedgerRow, updateItem } from "../item-store.ts";
import { storeGivenUp } from "../ledger-store.ts";

/** The reason of an item whose issue exists but is not shown by the tracker. */
export const unseen = ({ among }: Pick<LedgerRow, "among">): string =>
  `The tracker has made the issue, and does not show it: the token's user may not see it, or it was moved or deleted at once. It is one of ${among}. Every export looks for it. Only an export that recreates deleted issues makes it again; if the issue exists after all, there are then two.`;

/**
 * Ends items whose issue the tracker has made but does not show. A run with `recreateDeleted` sends them again, once;
 * until there is another issue, the ledger keeps the first one.
 */
export async function giveUp(context: StepContext, taskIds: readonly string[]): Promise<void> {
  const { run } = context;
  await finishStep(context, async (held) => {
    const { tx } = held;
    const { counts, count } = counter(held.run);
    for (const { item, ledger } of await itemsOf(tx, run, taskIds)) {
      if (ledger?.state !== "made") continue;
      if (run.recreateDeleted && item.sends === 0) await updateItem(tx, run.id, item.taskId, { stage: "recreate" });
      else await finishItem(tx, item, "failed", { count }, { reason: unseen(ledger) });
    }
    await storeGivenUp(tx, run, taskIds);
    return { next: { faults: 0, ...counts() } };
  });
}
