import { apportion } from "../tree/apportion.ts";
import { counts } from "../tree/evaluate.ts";
import { summaryHours } from "../tree/roll-up.ts";
import { type Node, type Option, pointsOf, type Tree } from "../tree/shape.ts";
import { type DerivedTask, taskIdOf } from "./shape.ts";

/** Tasks' hours follow from the expected value alone, to which the correlation does not matter. */
const expectedOnly = { correlation: 0 };

/**
 * The tasks that a tree asks for, in tree order, a parent before its children:
 * - one per counted option that has hours (its override counts as hours, and a quantity of 0 makes it 0 hours), carrying
 *   the expected hours of that option alone, w(o + 4l + p)/6, rounded so that all tasks add up to the roll-up's expected
 *   hours exactly;
 * - one without hours (`hours: null`) per counted option that has none of its own, and per active `group` node, where a
 *   task stands below it; with nothing below there is nothing to do, hence no task.
 * Nodes of other kinds ask a question and are no work: their options' tasks hang below the nearest task above.
 */
export function deriveTasks(tree: Tree): DerivedTask[] {
  const tasks: DerivedTask[] = [];
  gather(tasks, tree.nodes, 1, null);
  const working = tasks.filter((task) => task.hours !== null);
  const amounts = working.map((task) => task.hours ?? 0);
  const total = Math.round(summaryHours(tree, expectedOnly).expected * 100);
  const hundredths = apportion(
    amounts.map((hours) => hours * 100),
    total,
  );
  for (const [index, task] of working.entries()) task.hours = (hundredths[index] ?? 0) / 100;
  return tasks;
}

/** Appends the tasks below `nodes`, hours not yet rounded. */
function gather(tasks: DerivedTask[], nodes: readonly Node[], weight: number, parentTaskId: string | null): void {
  for (const node of nodes) {
    if (node.kind !== "group") {
      gatherOptions(tasks, node, weight, parentTaskId);
      continue;
    }
    const task = { ...taskOf(node, tasks.length, parentTaskId), optionId: null, hours: null, role: null };
    underParent(tasks, task, () => gatherOptions(tasks, node, weight, task.id));
  }
}

function gatherOptions(tasks: DerivedTask[], node: Node, weight: number, parentTaskId: string | null): void {
  for (const option of node.options) {
    if (!counts(node, option)) continue;
    const optionWeight = weight * option.quantity;
    const task = {
      ...taskOf(option, tasks.length, parentTaskId),
      optionId: option.id,
      hours: expectedHours(option, optionWeight),
      role: option.role,
    };
    underParent(tasks, task, () => gather(tasks, option.nodes, optionWeight, task.id));
  }
}

/** Appends a task and what stands below it; a task without hours and with nothing below is left out. */
function underParent(tasks: DerivedTask[], task: DerivedTask, gatherBelow: () => void): void {
  const length = tasks.push(task);
  gatherBelow();
  if (task.hours === null && tasks.length === length) tasks.pop();
}

function taskOf(source: Node | Option, position: number, parentTaskId: string | null) {
  return { id: taskIdOf(source.id), parentTaskId, title: source.title, description: source.description, position };
}

function expectedHours(option: Option, weight: number): number | null {
  const points = pointsOf(option);
  return points && (weight * (points.optimistic + 4 * points.likely + points.pessimistic)) / 6;
}
