import { finishStep, type HeldTransaction, type StepContext } from "../context.ts";
import { counter, finishItem } from "../finish-item.ts";
import { type ItemRow, itemsOf, type LedgerRow, updateItem } from "../item-store.ts";
import { storeGivenUp, storeTakenForDeleted } from "../ledger-store.ts";

/** Says that an issue exists which the tracker does not show. */
export const unseen = ({ among }: Pick<LedgerRow, "among">): string =>
  `The tracker has made the issue, and does not show it: the token's user may not see it, or it was moved or deleted at once. It is one of ${among}. It is looked for in every export, and not made again unless an export is to make anew what was deleted.`;

/** Ends what the tracker has made and does not show. It is never sent again, unless somebody asks for that. */
export async function giveUp(context: StepContext, taskIds: readonly string[]): Promise<void> {
  const { run } = context;
  await finishStep(context, async (held) => {
    const { tx } = held;
    const { counts, count } = counter(held.run);
    const failed: string[] = [];
    for (const { item, ledger } of await itemsOf(tx, run, taskIds)) {
      if (ledger?.state !== "made") continue;
      if (await makesAnew(held, item)) continue;
      failed.push(item.taskId);
      await finishItem(tx, item, "failed", { count }, { reason: unseen(ledger) });
    }
    await storeGivenUp(tx, run, failed);
    return { next: { faults: 0, ...counts() } };
  });
}

/** Whether a run is to make anew what was deleted, and has not made this one itself. */
async function makesAnew({ tx, run, now }: HeldTransaction, item: ItemRow): Promise<boolean> {
  if (!run.recreateDeleted || item.sends > 0) return false;
  await storeTakenForDeleted(tx, run, item.taskId, now);
  return updateItem(tx, run.id, item.taskId, { stage: "recreate" });
}
