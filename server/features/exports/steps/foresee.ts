import { finishStep, type StepContext } from "../context.ts";
import { counter, finishItem, goneReasons } from "../finish-item.ts";
import { endUnmade, unseenItems } from "../item-store.ts";
import { unseen } from "./give-up.ts";

/** In a dry run: determines what an export would do with tasks whose issue is not known, without asking the tracker. */
export const foresee = (context: StepContext): Promise<void> =>
  finishStep(context, async ({ tx, run }) => {
    const { counts, count } = counter(run);
    if (!run.recreateDeleted) {
      for (const { item, ledger } of await unseenItems(tx, run))
        await finishItem(tx, item, "failed", { count }, { reason: unseen(ledger) });
      count("gone", await endUnmade(tx, run, "gone", { isGone: true, reason: goneReasons.deleted }));
    }
    count("created", await endUnmade(tx, run, "created"));
    return { next: counts() };
  });
