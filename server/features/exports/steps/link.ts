import type { StepContext } from "../context.ts";
import { counter, finishItem, withWarnings } from "../finish-item.ts";
import { type ItemRow, itemsOf, ledgerRows } from "../item-store.ts";
import { changeLedger } from "../ledger-store.ts";
import { updateRun } from "../store.ts";
import type { Linked } from "../trackers/issues.ts";
import { write } from "./write.ts";

interface Link {
  readonly item: ItemRow;
  readonly ref: string;
  readonly parentRef: string;
  /** The issue that it was placed below before. */
  readonly from: string | null;
}

const notPlaced = (reason: string) => ({
  code: "not_placed",
  message: `The issue is not below that of its parent task: ${reason}`,
});

/**
 * A placement that people or the tracker have refused is not tried again by every export. The issue stays where it is.
 */
const refusedBelow = (parentRef: string) => ({ refusedParentRef: parentRef });

/** Places an issue below that of its parent. If that is impossible, the issue stays where it is, with a warning. */
export const link = (context: StepContext, taskId: string): Promise<void> => {
  const finish = async (
    held: Parameters<Parameters<typeof write<Link, Linked>>[1]["conclude"]>[0],
    item: ItemRow,
    reason?: string,
  ) => {
    const { counts, count } = counter(held.run);
    const warnings = reason === undefined ? item.warnings : withWarnings(item, [notPlaced(reason)]);
    await finishItem(
      held.tx,
      item,
      item.result === null || item.result === "pending" ? "unchanged" : item.result,
      { count },
      { warnings },
    );
    return counts();
  };
  return write<Link, Linked>(context, {
    async intend(held) {
      const { tx, run } = held;
      const [row] = await itemsOf(tx, run, [taskId]);
      if (!row) return null;
      const [parent] = row.item.parentId === null ? [] : await ledgerRows(tx, run, [row.item.parentId]);
      const parentRef = parent?.state === "created" && parent.goneAt === null ? parent.ref : null;
      if (parentRef && row.ledger?.ref)
        return { item: row.item, ref: row.ledger.ref, parentRef, from: row.ledger.parentRef };
      await updateRun(tx, run.id, await finish(held, row.item, "the parent has no issue."));
      return null;
    },

    send: ({ ref, ...parents }, call) => context.tracker.link(context.reached, ref, parents, call),

    async conclude(held, { item, parentRef }, linked) {
      if (linked.outcome === "linked") {
        await changeLedger(held.tx, held.run, taskId, { parentRef, refusedParentRef: null });
        return finish(held, item);
      }
      await changeLedger(held.tx, held.run, taskId, refusedBelow(parentRef));
      return finish(held, item, linked.outcome === "refused" ? linked.reason : "one of the two is no longer there.");
    },

    async refused(held, { item, parentRef }, reason) {
      await changeLedger(held.tx, held.run, taskId, refusedBelow(parentRef));
      await updateRun(held.tx, held.run.id, await finish(held, item, reason));
    },
  });
};
