import type { MilestoneRecord } from "../../contract/endpoints/milestones.ts";
import { taskIdOf } from "../tasks/shape.ts";
import type { Node, Tree } from "../tree/shape.ts";

/** The fields of a task that matter here. */
interface CoveredTask {
  readonly id: string;
  readonly optionId: string | null;
  readonly parentTaskId: string | null;
  /** No milestone waits for it, but those that name it reach the tasks below it. */
  readonly isDropped?: boolean;
}

/** The tasks of a milestone, and its ids of nodes and tasks that do not exist at present or were dropped. */
export interface Coverage {
  readonly taskIds: ReadonlySet<string>;
  readonly dormantIds: readonly string[];
}

/**
 * Returns a function that says which tasks a milestone covers: those of the options below its nodes, those that it
 * names, and all below these, but none that was dropped. A milestone without ids covers all tasks; one whose nodes and tasks
 * are all gone covers none.
 */
export function createCoverage(tree: Tree, tasks: readonly CoveredTask[]) {
  const { numbers, spans } = spansOf(tree);
  const below = new Map<string, string[]>();
  const ids = new Set<string>();
  const planned = new Set<string>();
  /** The tasks of the things of the tree, by their numbers. */
  const byNumber: (string | undefined)[] = [];
  for (const { id, optionId, parentTaskId, isDropped } of tasks) {
    ids.add(id);
    if (isDropped !== true) planned.add(id);
    const number = numbers.get(optionId ?? id);
    if (number !== undefined) byNumber[number] = id;
    if (parentTaskId === null) continue;
    const siblings = below.get(parentTaskId);
    if (siblings) siblings.push(id);
    else below.set(parentTaskId, [id]);
  }
  return ({ nodeIds, taskIds }: Pick<MilestoneRecord, "nodeIds" | "taskIds">): Coverage => {
    if (nodeIds.length + taskIds.length === 0) return { taskIds: planned, dormantIds: [] };
    const covered = new Set<string>();
    const dormantIds: string[] = [];
    for (const nodeId of nodeIds) {
      const span = spans.get(nodeId);
      if (!span) dormantIds.push(nodeId);
      for (let number = span?.from ?? 0; number < (span?.until ?? 0); number += 1) {
        const task = byNumber[number];
        if (task !== undefined) covered.add(task);
      }
    }
    const named = new Set(taskIds);
    const add = (id: string): void => {
      if (covered.has(id) && !named.has(id)) return;
      covered.add(id);
      for (const task of below.get(id) ?? []) add(task);
    };
    for (const taskId of taskIds) {
      if (ids.has(taskId)) add(taskId);
      if (!planned.has(taskId)) dormantIds.push(taskId);
    }
    return { taskIds: new Set([...covered].filter((id) => planned.has(id))), dormantIds };
  };
}

/** Numbers nodes and options in pre-order: everything below a node has the numbers of its span. */
function spansOf(tree: Tree) {
  const numbers = new Map<string, number>();
  const spans = new Map<string, { readonly from: number; readonly until: number }>();
  let next = 0;
  const enter = (nodes: readonly Node[]): void => {
    for (const node of nodes) {
      const from = next;
      // The task of a `group` node has an id that follows from the node's.
      numbers.set(taskIdOf(node.id), next++);
      for (const option of node.options) {
        numbers.set(option.id, next++);
        enter(option.nodes);
      }
      spans.set(node.id, { from, until: next });
    }
  };
  enter(tree.nodes);
  return { numbers, spans };
}
