import { finishStep, type StepContext } from "../context.ts";
import { counter, finishItem } from "../finish-item.ts";
import { itemsOf, type LedgerRow, updateItem } from "../item-store.ts";
import { storeGivenUp } from "../ledger-store.ts";

/** Says that an issue exists which the tracker does not show. */
export const unseen = ({ among }: Pick<LedgerRow, "among">): string =>
  `The tracker has made the issue, and does not show it: the token's user may not see it, or it was moved or deleted at once. It is one of ${among}. It is looked for in every export, and made again only by an export that is to make anew what was deleted: if the issue exists after all, that makes a second one.`;

/**
 * Ends what the tracker has made and does not show. A run that is to make anew what was deleted sends it again, once: until
 * there is another issue, the ledger knows of the first one.
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
