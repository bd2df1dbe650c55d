import { compareFields } from "../../../../domain/exports/compare.ts";
import { type DroppedResolution, isDropped } from "../../../../domain/exports/dropped.ts";
import { learnDropped } from "../../connections/index.ts";
import { setTaskFacts } from "../../tasks/index.ts";
import { callTracker } from "../call.ts";
import { type ComposedItem, composeItems } from "../compose.ts";
import { finishStep, type HeldTransaction, type StepContext } from "../context.ts";
import { fingerprints } from "../destination.ts";
import { afterFault, keepPause } from "../faults.ts";
import { counter, finishItem, goneReasons, notObsolete, withWarnings } from "../finish-item.ts";
import { isPlacedBelow, itemsOf, ledgerRows, updateItem } from "../item-store.ts";
import { changeLedger } from "../ledger-store.ts";
import type { Gone, Remote } from "../trackers/issues.ts";

/**
 * Reads existing issues, and decides for each what an export does with it, or in a pull what it says about its task.
 */
export async function read(context: StepContext, taskIds: readonly string[]): Promise<void> {
  const { services, run, tracker, reached } = context;
  const rows = await itemsOf(services.pool, run, taskIds);
  const refs = rows.flatMap(({ ledger }) => (ledger?.ref ? [ledger.ref] : []));
  const hours = run.kind === "pull";
  const { result, fault, pause } = await callTracker(context, (call) => tracker.read(reached, refs, { hours }, call));
  await finishStep(context, async (held) => {
    if (fault) return afterFault(context, held, { fault, pause });
    await keepPause(held, { pause });
    const { tx, run: current } = held;
    const { counts, count } = counter(current);
    const now = await itemsOf(tx, run, taskIds);
    const items = await composeItems(
      context,
      tx,
      now.map((row) => ({ ...row, marker: row.ledger?.marker ?? "" })),
    );
    const parents = await parentsOf(context, held, items);
    const seen = [...result.values()].flatMap((remote) => ("resolution" in remote && remote.resolution) || []);
    const dropped = hours ? await learnDropped(tx, run, seen) : [];
    for (const item of items) {
      if (item.ledger?.state !== "created") continue;
      // An earlier version stored some as deleted that were never known.
      const remote = item.ledger.ref ? result.get(item.ledger.ref) : deleted;
      if (!remote) continue;
      if (remote.outcome === "gone") await goneItem(held, item, remote, { count });
      else if (run.kind === "pull") await pullItem(held, item, remote, { count, dropped });
      else if (run.kind === "close") await closeItem(held, item, remote, { count });
      else if (item.task?.status === "obsolete" && item.item.sends === 0)
        await obsoleteItem(held, item, remote, { count });
      else await compareItem(held, item, remote, { count, parentRef: parents.get(item.item.parentId ?? "") });
    }
    return { next: { faults: 0, ...counts() } };
  });
}

const deleted: Gone = { outcome: "gone", reason: "deleted" };

/** The issues of the parents below which items are to be placed. */
async function parentsOf({ run }: StepContext, { tx }: HeldTransaction, items: readonly ComposedItem[]) {
  const ids = items.flatMap(({ item }) => (item.parentId === null ? [] : [item.parentId]));
  const rows = ids.length === 0 ? [] : await ledgerRows(tx, run, ids);
  return new Map(rows.map(({ taskId, ref, goneAt }) => [taskId, goneAt === null ? ref : null]));
}

type Counting = Pick<ReturnType<typeof counter>, "count">;

async function goneItem(
  { tx, run, now }: HeldTransaction,
  { item, task }: ComposedItem,
  { reason }: Gone,
  { count }: Counting,
): Promise<void> {
  const isPlanned = run.kind === "export" && task?.status === "open";
  const wanted = run.recreateDeleted && isPlanned && reason === "deleted";
  if (!run.dryRun) {
    if (task) await setTaskFacts(tx, run.estimationId, item.taskId, { externalRef: null });
    await changeLedger(tx, run, item.taskId, { goneAt: now });
    // Only this run makes it again: the ledger does not ask later ones to.
    if (wanted && (await updateItem(tx, run.id, item.taskId, { stage: "recreate" }))) return;
  }
  // Only a dry run gets here with issues that are to be made again.
  await finishItem(tx, item, wanted ? "created" : "gone", { count }, { reason: goneReasons[reason], url: null });
}

/** Lists an issue that is still open although its task is obsolete: closing it is for people to decide. */
const obsoleteItem = ({ tx }: HeldTransaction, { item }: ComposedItem, remote: Remote, { count }: Counting) =>
  remote.closedAt === null
    ? finishItem(tx, item, "obsolete", { count }, { reason: OBSOLETE, url: remote.issue.url })
    : finishItem(tx, item, "unchanged", { count }, { url: remote.issue.url });

const OBSOLETE =
  "The task is no longer part of the estimation, and its issue is open: close it there, or here with one click.";

/** Prepares to close an issue, unless it is closed, or its task is part of the estimation again. */
async function closeItem(
  { tx, run }: HeldTransaction,
  { item, task }: ComposedItem,
  { closedAt, issue: { url } }: Remote,
  { count }: Counting,
): Promise<void> {
  if (closedAt !== null) return finishItem(tx, item, "unchanged", { count }, { url });
  if (task?.status !== "obsolete")
    return finishItem(tx, item, "skipped", { count }, { reason: notObsolete(task), url });
  await updateItem(tx, run.id, item.taskId, { stage: "update", url });
}

async function compareItem(
  { tx, run, now }: HeldTransaction,
  { item, ledger, task, composed }: ComposedItem,
  { fields, issue }: Remote,
  { count, parentRef }: Counting & { readonly parentRef: string | null | undefined },
): Promise<void> {
  if (!task || !composed) return finishItem(tx, item, "skipped", { count }, { reason: "The task is gone." });
  const { key, url } = issue;
  if (!run.dryRun) {
    await setTaskFacts(tx, run.estimationId, item.taskId, { externalRef: { target: run.target, key, url } });
    // It may be back, or have another address since the repository was renamed.
    await changeLedger(tx, run, item.taskId, { goneAt: null, key, url, touchedAt: now });
  }
  const wanted = fingerprints(composed.fields);
  // A job that has lost the run may have found or stored it: then it is not yet recorded that this run made it.
  const isMade = item.sends > 0;
  const { update, kept, pushed } = compareFields(wanted, ledger?.pushed ?? {}, fingerprints(fields));
  const updates = Object.keys(update);
  const keptFields = kept.map(({ field }) => field);
  const warnings = withWarnings(item, [...composed.warnings]);
  const isPlaced = item.parentId === null || !parentRef || isPlacedBelow(ledger, parentRef) || run.dryRun;
  if (updates.length > 0 && !run.dryRun) {
    await updateItem(tx, run.id, item.taskId, { stage: "update", updates, keptFields, url, warnings });
    return;
  }
  // A field that both sides changed to the same value counts as pushed.
  if (!run.dryRun) await changeLedger(tx, run, item.taskId, { pushed: { ...pushed } as Record<string, string> });
  const isKept = kept.some(({ changedHere }) => changedHere);
  const outcome = isMade ? "created" : updates.length > 0 ? "updated" : isKept ? "kept" : "unchanged";
  await finishItem(tx, item, outcome, { count }, { keptFields, url, warnings, isPlaced });
}

/**
 * Updates a task from its issue: when it was done or dropped, and its actual hours. Values that a person set here stay: a pull
 * only replaces and clears what a pull has set. A task that is done in one place is done, although another place has dropped it.
 */
async function pullItem(
  { tx, run, now }: HeldTransaction,
  { item, ledger, task }: ComposedItem,
  { closedAt, resolution, actualHours, issue: { url } }: Remote,
  { count, dropped }: Counting & { readonly dropped: readonly DroppedResolution[] },
): Promise<void> {
  if (!task) return finishItem(tx, item, "skipped", { count }, { reason: "The task is gone.", url });
  // The tracker's clock may be ahead: nothing is done in the future.
  const closed = closedAt === null ? null : new Date(Math.min(closedAt.getTime(), now.getTime())).toISOString();
  const ended = isDropped(resolution, dropped)
    ? { doneAt: null, droppedAt: closed }
    : { doneAt: closed, droppedAt: null };
  const before = task.doneAt ?? task.droppedAt;
  const isOfPull = ledger?.pulledDoneAt != null && before === ledger.pulledDoneAt.toISOString();
  const isBetter = closed !== null && (before === null || (ended.doneAt !== null && task.doneAt === null));
  const changesEnd = ended.doneAt !== task.doneAt || ended.droppedAt !== task.droppedAt;
  const otherHours = actualHours !== null && actualHours !== task.actualHours;
  const takesHours = task.actualHours === null || task.actualHours === ledger?.pulledHours;
  const keptFields = otherHours && !takesHours ? ["actualHours"] : [];
  const changes = {
    ...((isOfPull || isBetter) && changesEnd ? ended : {}),
    ...(otherHours && takesHours ? { actualHours } : {}),
  };
  if (Object.keys(changes).length === 0)
    return finishItem(tx, item, keptFields.length > 0 ? "kept" : "unchanged", { count }, { url, keptFields });
  await setTaskFacts(tx, run.estimationId, item.taskId, changes);
  await changeLedger(tx, run, item.taskId, {
    ...("doneAt" in changes ? { pulledDoneAt: closed === null ? null : new Date(closed) } : {}),
    ...("actualHours" in changes ? { pulledHours: actualHours } : {}),
  });
  await finishItem(tx, item, "updated", { count }, { url, keptFields });
}
