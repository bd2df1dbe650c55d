import { setTaskFacts } from "../../tasks/index.ts";
import type { ComposedItem } from "../compose.ts";
import type { HeldTransaction } from "../context.ts";
import { type counter, finishItem } from "../finish-item.ts";
import { changeLedger } from "../ledger-store.ts";
import type { Remote } from "../trackers/issues.ts";

/**
 * Updates a task from its issue: when it was closed, and its actual hours. Values that a person set here stay: a pull
 * only replaces and clears what a pull has set.
 */
export async function pullItem(
  { tx, run, now }: HeldTransaction,
  { item, ledger, task }: ComposedItem,
  { closedAt, actualHours, issue: { url } }: Remote,
  { count }: Pick<ReturnType<typeof counter>, "count">,
): Promise<void> {
  if (!task) return finishItem(tx, item, "skipped", { count }, { reason: "The task is gone.", url });
  // The tracker's clock may be ahead: nothing is done in the future.
  const done = closedAt === null ? null : new Date(Math.min(closedAt.getTime(), now.getTime())).toISOString();
  const isOfPull = ledger?.pulledDoneAt != null && task.doneAt === ledger.pulledDoneAt.toISOString();
  const takes = done === null ? isOfPull : task.doneAt === null || isOfPull;
  const otherHours = actualHours !== null && actualHours !== task.actualHours;
  const takesHours = task.actualHours === null || task.actualHours === ledger?.pulledHours;
  const keptFields = otherHours && !takesHours ? ["actualHours"] : [];
  const changes = {
    ...(takes && done !== task.doneAt ? { doneAt: done } : {}),
    ...(otherHours && takesHours ? { actualHours } : {}),
  };
  if (Object.keys(changes).length === 0)
    return finishItem(tx, item, keptFields.length > 0 ? "kept" : "unchanged", { count }, { url, keptFields });
  await setTaskFacts(tx, run.estimationId, item.taskId, changes);
  await changeLedger(tx, run, item.taskId, {
    ...("doneAt" in changes ? { pulledDoneAt: done === null ? null : new Date(done) } : {}),
    ...("actualHours" in changes ? { pulledHours: actualHours } : {}),
  });
  await finishItem(tx, item, "updated", { count }, { url, keptFields });
}
