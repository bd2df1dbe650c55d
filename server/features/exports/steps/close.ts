import { findTasks, setTaskFacts } from "../../tasks/index.ts";
import { exportedEstimation } from "../compose.ts";
import type { HeldTransaction, StepContext } from "../context.ts";
import { counter, finishItem, goneReasons, notObsolete } from "../finish-item.ts";
import { type ItemRow, itemsOf, updateItem } from "../item-store.ts";
import { changeLedger } from "../ledger-store.ts";
import { updateRun } from "../store.ts";
import type { Closed } from "../trackers/issues.ts";
import { write } from "./write.ts";

interface Close {
  readonly item: ItemRow;
  readonly ref: string;
  readonly estimation: Awaited<ReturnType<typeof exportedEstimation>>;
  /** Whether the task has no end yet. */
  readonly isOpen: boolean;
}

/** Closes the issue of an obsolete task, with a comment. The task counts as dropped then, as after reading that back. */
export const close = (context: StepContext, taskId: string): Promise<void> => {
  const fail = async ({ tx, run }: HeldTransaction, item: ItemRow, reason: string) => {
    const { counts, count } = counter(run);
    await finishItem(tx, item, "failed", { count }, { reason });
    return counts();
  };
  return write<Close, Closed>(context, {
    async intend({ tx, run }) {
      const [row] = await itemsOf(tx, run, [taskId]);
      const [task = null] = await findTasks(tx, run.estimationId, [taskId]);
      if (row?.ledger?.ref && task?.status === "obsolete") {
        const isOpen = task.doneAt === null && task.droppedAt === null;
        return { item: row.item, ref: row.ledger.ref, estimation: await exportedEstimation(context, tx), isOpen };
      }
      const { counts, count } = counter(run);
      if (row) await finishItem(tx, row.item, "skipped", { count }, { reason: notObsolete(task) });
      await updateRun(tx, run.id, counts());
      return null;
    },

    send: ({ item, ref, estimation }, call) =>
      context.tracker.close(
        context.reached,
        ref,
        { estimation, since: context.run.createdAt, isSaid: item.sends > 0 },
        call,
      ),

    async conclude(held, { item, isOpen }, closed) {
      const { tx, run, now } = held;
      // What is sent first is the comment.
      if (closed.outcome === "said") {
        await updateItem(tx, run.id, taskId, { sends: item.sends + 1 });
        return {};
      }
      if (closed.outcome === "refused") return fail(held, item, closed.reason);
      const { counts, count } = counter(run);
      if (closed.outcome === "gone") {
        await changeLedger(tx, run, taskId, { goneAt: now });
        await setTaskFacts(tx, run.estimationId, taskId, { externalRef: null });
        await finishItem(tx, item, "gone", { count }, { reason: goneReasons[closed.reason], url: null });
        return counts();
      }
      if (isOpen) {
        await setTaskFacts(tx, run.estimationId, taskId, { doneAt: null, droppedAt: now.toISOString() });
        await changeLedger(tx, run, taskId, { pulledDoneAt: now });
      }
      await finishItem(tx, item, "closed", { count });
      return counts();
    },

    async refused(held, { item }, reason) {
      await updateRun(held.tx, held.run.id, await fail(held, item, reason));
    },
  });
};
