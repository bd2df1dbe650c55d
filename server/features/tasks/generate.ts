import type { Tree } from "../../../contract/values/tree.ts";
import { deriveTasks } from "../../../domain/tasks/derive.ts";
import { type Generation, regenerate } from "../../../domain/tasks/regenerate.ts";
import type { StoredTask } from "../../../domain/tasks/shape.ts";
import { aboutBytes } from "../../../domain/tree/check/about-bytes.ts";
import type { Queryable } from "../../db/database.ts";
import { inTurn } from "../../platform/compute.ts";
import type { Services } from "../../services/index.ts";
import {
  accountTexts,
  bytesOfTexts,
  type ContentCall,
  type EstimationRow,
  loadTree,
  noteChange,
  tellReaders,
} from "../estimations/index.ts";
import { knownIssues } from "../ledger/index.ts";
import { makeMatchingMove } from "../states/index.ts";
import { pinIfRoom } from "../versions/index.ts";
import { loadTasks, removeTasks, saveTasks } from "./store.ts";

/** Bytes of a task in JSON, roughly. */
const TASK_BYTES = 300;
/** Bytes of the texts of tasks: what people made of them, and beside it what was generated. */
export const textBytesOf = (tasks: readonly StoredTask[]): number =>
  tasks.reduce(
    (sum, { title, description, role, base }) =>
      sum + bytesOfTexts(title, description, role, base.title, base.description, base.role),
    0,
  );

/**
 * Returns the current result of generating from `tree`; stores nothing. Refuses (409) to make more tasks obsolete than may be
 * retained: only people know which of them can go.
 */
export async function planGeneration(
  { quotas }: Pick<Services, "quotas">,
  db: Queryable,
  { id, rounding }: Pick<EstimationRow, "id" | "rounding">,
  tree: Tree,
): Promise<Generation & { readonly moreTextBytes: number }> {
  const stored = await loadTasks(db, id);
  const generation = await regenerateFrom(db, id, stored, await derive(tree, rounding));
  const obsolete = generation.tasks.filter(({ status }) => status === "obsolete").length;
  if (generation.summary.obsolete > 0) await quotas.reserve(db, { quota: "obsoleteTasks", used: () => obsolete });
  const { changed, removed } = generation;
  const replaced = new Set([...changed, ...removed].map((task) => task.id));
  const moreTextBytes = textBytesOf(changed) - textBytesOf(stored.filter((task) => replaced.has(task.id)));
  return { ...generation, moreTextBytes };
}

const derive = (tree: Tree, rounding: EstimationRow["rounding"]) =>
  inTurn(aboutBytes(tree.nodes), () => deriveTasks(tree, rounding));

async function regenerateFrom(
  db: Queryable,
  id: string,
  stored: Parameters<typeof regenerate>[0],
  derived: Parameters<typeof regenerate>[1],
): Promise<Generation> {
  const taskIds = new Set([...stored, ...derived].map((task) => task.id));
  const issues = await knownIssues(db, id, taskIds);
  return await inTurn(taskIds.size * TASK_BYTES, () => regenerate(stored, derived, issues));
}

/**
 * Returns how many tasks the next generation from `tree` would add, change, remove or make obsolete; 0 where there are no
 * tasks.
 */
export async function countAffected(
  db: Queryable,
  { id, rounding }: Pick<EstimationRow, "id" | "rounding">,
  tree: Tree,
): Promise<number> {
  const stored = await loadTasks(db, id);
  if (stored.length === 0) return 0;
  const { summary } = await regenerateFrom(db, id, stored, await derive(tree, rounding));
  const { created, updated, removed, obsolete } = summary;
  return created + updated + removed + obsolete;
}

/**
 * Generates the tasks of a locked estimation and sends the event to its readers' webhooks, even if nothing changed. A
 * submitted estimation becomes `tasks_generated`. The content becomes a version if there is room for one. Refuses (409) texts
 * beyond the owner's quota.
 */
export async function generateTasks(services: Services, call: ContentCall): Promise<Generation> {
  const { db: tx, estimation, now, actor } = call;
  const tree = await loadTree(tx, estimation.id);
  const generation = await planGeneration(services, tx, estimation, tree);
  await pinIfRoom(services, call, tree, { cause: "tasks", authorId: actor.userId });
  if (generation.removed.length + generation.changed.length > 0) await noteChange(tx, estimation, actor.userId);
  await removeTasks(tx, estimation.id, generation.removed);
  await saveTasks(tx, estimation.id, generation.changed);
  await accountTexts(tx, services.quotas, estimation, generation.moreTextBytes);
  await makeMatchingMove(call, "mark-tasks-generated");
  const taskCount = generation.tasks.filter(({ status }) => status === "open").length;
  await tellReaders(tx, services, estimation, {
    event: "estimation.tasks_generated",
    data: { estimationId: estimation.id, taskCount },
    senderId: actor.userId,
    now,
  });
  return generation;
}
