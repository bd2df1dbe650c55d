import type { MilestoneRecord } from "../../../../contract/milestones.ts";
import { placeTasks } from "../../../../domain/exports/placement.ts";
import { createCoverage } from "../../../../domain/timeline/coverage.ts";
import type { Queryable } from "../../../db/database.ts";
import { loadTimeline, loadTree } from "../../estimations/index.ts";
import { openTaskPlaces, type TaskPlace } from "../../tasks/index.ts";
import { callTracker } from "../call.ts";
import { finishStep, type StepContext } from "../context.ts";
import { afterFault, keepPause } from "../faults.ts";
import { type ItemRow, insertItems, unfinishedTasks } from "../item-store.ts";
import { createdRows } from "../ledger-store.ts";

type NewItem = Pick<
  ItemRow,
  "exportId" | "number" | "taskId" | "level" | "parentId" | "linkId" | "milestone" | "warnings"
>;

/** The first step of a run: asks whether the tracker takes it, then lists its tasks. */
export async function plan(context: StepContext): Promise<void> {
  const { tracker, place } = context;
  const checked = await callTracker(context, (call) => tracker.check(place.access, place.destination, call));
  await finishStep(context, async (held) => {
    const { tx, run } = held;
    if (checked.fault) return afterFault(context, held, checked);
    await keepPause(held, checked);
    const [problem] = checked.result;
    if (problem) return { ended: { ...problem } };
    const items = run.kind === "pull" ? await pulledItems(context, tx) : await exportedItems(context, tx);
    await insertItems(tx, items);
    const writesLeft = items.length + items.filter(({ parentId }) => parentId !== null).length;
    const writes = run.kind === "export" && !run.dryRun;
    return {
      next: {
        total: items.length,
        writesLeft: writes ? writesLeft : 0,
        faults: 0,
        phase: writes ? "prepare" : "items",
      },
    };
  });
}

/** The open tasks, each with its place and milestone; of a retry only those that the earlier run made no issue of. */
async function exportedItems({ run, tracker }: StepContext, tx: Queryable): Promise<NewItem[]> {
  const tasks = await openTaskPlaces(tx, run.estimationId);
  const placed = new Set(
    (await createdRows(tx, run)).flatMap(({ taskId, parentRef }) => (parentRef === null ? [] : [taskId])),
  );
  const placements = placeTasks(tasks, tracker.nesting, placed);
  const milestoneOf = await milestones(tx, run.estimationId, tasks);
  const wanted = run.retryOf === null ? null : await unfinishedTasks(tx, run.retryOf);
  return tasks.flatMap(({ id }, number) => {
    const placement = placements.get(id);
    if (!placement || (wanted && !wanted.has(id))) return [];
    const { level, parentId, linkId, warnings } = placement;
    const milestone = milestoneOf(id);
    return [{ exportId: run.id, number, taskId: id, level, parentId, linkId, milestone, warnings: [...warnings] }];
  });
}

/** The tasks whose issue is known. */
async function pulledItems({ run }: StepContext, tx: Queryable): Promise<NewItem[]> {
  const rows = await createdRows(tx, run);
  const none = { level: 0, parentId: null, linkId: null, milestone: null, warnings: [] };
  return rows.map(({ taskId }, number) => ({ exportId: run.id, number, taskId, ...none }));
}

/** Returns what names the milestone of a task: the one with the earliest date, if it belongs to several. */
async function milestones(
  tx: Queryable,
  estimationId: string,
  tasks: readonly TaskPlace[],
): Promise<(taskId: string) => string | null> {
  const { milestones: all } = await loadTimeline(tx, estimationId);
  if (all.length === 0) return () => null;
  const coverageOf = createCoverage(await loadTree(tx, estimationId), tasks);
  const covered = all
    .toSorted((a: MilestoneRecord, b: MilestoneRecord) => (a.dueDate < b.dueDate ? -1 : 1))
    .map((milestone) => ({ title: milestone.title, taskIds: coverageOf(milestone).taskIds }));
  return (taskId) => covered.find(({ taskIds }) => taskIds.has(taskId))?.title ?? null;
}
