import type { MilestoneRecord } from "../../../../contract/endpoints/milestones.ts";
import { limits } from "../../../../contract/limits.ts";
import type { TrackerProblem } from "../../../../contract/values/tracker-problems.ts";
import { placeTasks } from "../../../../domain/exports/placement.ts";
import type { Layout } from "../../../../domain/exports/shape.ts";
import { createCoverage } from "../../../../domain/timeline/coverage.ts";
import type { Queryable } from "../../../db/database.ts";
import { loadTimeline, loadTree } from "../../estimations/index.ts";
import { obsoleteTaskIds, openTaskPlaces, type TaskPlace } from "../../tasks/index.ts";
import { callTracker } from "../call.ts";
import { type Afterwards, finishStep, type HeldTransaction, type StepContext } from "../context.ts";
import { destinationOf } from "../destination.ts";
import { afterFault, keepPause } from "../faults.ts";
import { type ItemRow, insertItems, type LedgerRow, obsoleteItems, unfinishedTasks } from "../item-store.ts";
import { createdRows, renameDestination } from "../ledger-store.ts";
import { countOtherDestinations, type RunRow, updateRun } from "../store.ts";
import type { Phase } from "../tables.ts";

const tooManyDestinations: TrackerProblem = {
  code: "too_many_destinations",
  message: `The estimation was exported to ${limits.exportDestinations} other destinations already, which is the limit.`,
  remedy: "Export it to one of those, or export a copy of the estimation.",
};

const destinationReplaced: TrackerProblem = {
  code: "destination_moved",
  message:
    "The name leads to another repository or project than before: another one has it now, or the connection leads to another server.",
  remedy:
    "Start a new export: under the present name of the old one to continue there, or to the one that now has its name. To read back, use a connection to the server that the export went to.",
};

type NewItem = Pick<
  ItemRow,
  "exportId" | "number" | "taskId" | "level" | "depth" | "parentId" | "linkId" | "milestone" | "warnings"
>;

/** How long the tracker's response about the destination is valid, in milliseconds: another one may get its name. */
const CHECKED_MS = 600_000;

/** Returns whether to ask the tracker again if the destination is still the same. */
export const isCheckDue = ({ checkedAt }: Pick<RunRow, "checkedAt">, now: Date): boolean =>
  checkedAt === null || now.getTime() - checkedAt.getTime() > CHECKED_MS;

/**
 * The first step of a new or resumed run: checks with the tracker whether the export is possible, then lists its tasks.
 * Long runs check again in between.
 */
export async function plan(context: StepContext): Promise<void> {
  const { tracker, reached } = context;
  const writes = context.run.kind !== "pull";
  const checked = await callTracker(context, (call) =>
    tracker.check(reached.access, reached.destination, { writes, layout: reached.layout }, call),
  );
  await finishStep(context, async (held) => {
    if (checked.fault) return afterFault(context, held, checked);
    await keepPause(held, checked);
    const { problems, layout } = checked.result;
    const [problem] = problems;
    if (problem) return { ended: { ...problem } };
    if (!layout) throw new Error("A check without problems has a layout.");
    const { target, estimationId, phase } = held.run;
    const destination = destinationOf(target, checked.result.destination ?? "");
    const former = checked.result.former.map((named) => destinationOf(target, named));
    const said = { checkedAt: held.now, ...(checked.at ? { trackerAt: checked.at } : {}) };
    // The known issues of this run, or of the export that it reads back, are elsewhere.
    if (!["", destination, ...former].includes(held.run.destination)) return { ended: destinationReplaced };
    await renameDestination(held.tx, { estimationId, destination, former });
    if (held.run.layout === null) return begin(held, destination, layout, said);
    if (phase !== "plan") return { next: { destination, faults: 0, ...said } };
    return { next: { destination, layout, faults: 0, phase: firstPhase(held.run), ...said } };
  });
}

const firstPhase = ({ kind, dryRun }: RunRow): Phase => (kind === "export" && !dryRun ? "prepare" : "items");

/** Lists the tasks of a run whose destination is known now. */
async function begin(
  { tx, run: { id, estimationId } }: HeldTransaction,
  destination: string,
  layout: Layout,
  said: Partial<RunRow>,
): Promise<Afterwards> {
  if ((await countOtherDestinations(tx, estimationId, destination)) >= limits.exportDestinations)
    return { ended: tooManyDestinations };
  const run = await updateRun(tx, id, { destination, layout });
  if (!run) return { next: {} };
  const items = await itemsFor(run, layout, tx);
  await insertItems(tx, items);
  return { next: { total: items.length, faults: 0, phase: firstPhase(run), ...said } };
}

async function itemsFor(run: RunRow, layout: Layout, tx: Queryable): Promise<NewItem[]> {
  if (run.kind === "pull") return pulledItems(run, tx);
  const created = await createdRows(tx, run);
  const known = new Set(created.map(({ taskId }) => taskId));
  const isKnown = (taskId: string) => known.has(taskId);
  if (run.kind === "close") {
    const listed = run.retryOf === null ? [] : await obsoleteItems(tx, run.retryOf);
    return withIssues(run, 0, listed.filter(isKnown));
  }
  const items = await exportedItems(run, layout, created, tx);
  // A retry is about tasks that got no issue.
  if (run.retryOf !== null) return items;
  const obsolete = (await obsoleteTaskIds(tx, run.estimationId)).filter(isKnown);
  return [...items, ...withIssues(run, (items.at(-1)?.number ?? -1) + 1, obsolete)];
}

/** Tasks as items that are only about the issues that they have. */
const withIssues = (run: RunRow, first: number, taskIds: readonly string[]): NewItem[] => {
  const none = { level: 0, depth: 0, parentId: null, linkId: null, milestone: null, warnings: [] };
  return taskIds.map((taskId, at) => ({ exportId: run.id, number: first + at, taskId, ...none }));
};

/** The open tasks, each with its place and milestone; for a retry only those that got no issue in the earlier run. */
async function exportedItems(
  run: RunRow,
  { nesting }: Layout,
  created: Awaited<ReturnType<typeof createdRows>>,
  tx: Queryable,
): Promise<NewItem[]> {
  const tasks = await openTaskPlaces(tx, run.estimationId);
  const placed = placedTasks(created, tasks);
  const placements = placeTasks(tasks, nesting, placed);
  const milestoneOf = await milestones(tx, run.estimationId, tasks);
  const wanted = run.retryOf === null ? null : await unfinishedTasks(tx, run.retryOf);
  return tasks.flatMap(({ id }, number) => {
    const placement = placements.get(id);
    if (!placement || (wanted && !wanted.has(id))) return [];
    const { level, depth, parentId, linkId, warnings } = placement;
    const milestone = milestoneOf(id);
    return [
      { exportId: run.id, number, taskId: id, level, depth, parentId, linkId, milestone, warnings: [...warnings] },
    ];
  });
}

/** The tasks whose issue is below that of their parent already. */
function placedTasks(
  rows: readonly Pick<LedgerRow, "taskId" | "ref" | "parentRef">[],
  tasks: readonly TaskPlace[],
): Set<string> {
  const known = new Map(rows.map((row) => [row.taskId, row]));
  const placed = tasks.filter(({ id, parentTaskId }) => {
    const parent = known.get(parentTaskId ?? "");
    return parent !== undefined && known.get(id)?.parentRef === parent.ref;
  });
  return new Set(placed.map(({ id }) => id));
}

/** The tasks whose issue is known. */
async function pulledItems(run: RunRow, tx: Queryable): Promise<NewItem[]> {
  const rows = await createdRows(tx, run);
  return withIssues(
    run,
    0,
    rows.map(({ taskId }) => taskId),
  );
}

/**
 * Returns the function that names the milestone of a task: the one with the earliest date, if it belongs to several.
 */
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
