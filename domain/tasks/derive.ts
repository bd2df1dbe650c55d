import { apportion } from "../tree/hours/apportion.ts";
import { meanOf } from "../tree/hours/distribution.ts";
import { counts } from "../tree/hours/evaluate.ts";
import { summaryHours } from "../tree/hours/roll-up.ts";
import { type Node, type Option, pointsOf, type ThreePoint, type Tree } from "../tree/shape.ts";
import { type DerivedTask, type Rounding, taskIdOf } from "./shape.ts";

/** The hours of tasks depend only on the expected value, which the correlation does not change. */
const expectedOnly = { correlation: 0 };

/**
 * The tasks that a tree asks for, in tree order, a parent before its children:
 * - one per counted option that has work: expected hours above 0, its override and all quantities considered. It carries
 *   the expected hours of that option alone, w(o + 4l + p)/6, in whole steps of `rounding` hours, so that all tasks add
 *   up exactly to the roll-up's expected hours rounded to that step;
 * - one without hours (`hours: null`) per counted option that has no work of its own, and per active `group` node, where
 *   a task stands below it; with nothing below there is nothing to do, hence no task.
 * Nodes of other kinds ask a question and are not work: their options' tasks hang below the nearest task above, and say
 * in their title which question they answer.
 */
export function deriveTasks(tree: Tree, rounding: Rounding = 0.01): DerivedTask[] {
  const tasks: DerivedTask[] = [];
  gather(tasks, tree.nodes, 1, null);
  const working = tasks.filter((task) => task.hours !== null);
  const stepsPerHour = Math.round(1 / rounding);
  const steps = working.map((task) => (task.hours ?? 0) * stepsPerHour);
  const shown = apportion(steps, Math.round(summaryHours(tree, expectedOnly).expected * stepsPerHour));
  for (const [index, task] of working.entries()) {
    const exact = steps[index] ?? 0;
    task.hours = (shown[index] ?? 0) / stepsPerHour;
    task.rounded = {
      down: Math.floor(exact + ALIKE) / stepsPerHour,
      up: Math.ceil(exact - ALIKE) / stepsPerHour,
    };
  }
  return tasks;
}

/** The rounding error of a double, as a part of a step. */
const ALIKE = 1e-6;

/** Appends the tasks below `nodes`, with unrounded hours. */
function gather(tasks: DerivedTask[], nodes: readonly Node[], weight: number, parentTaskId: string | null): void {
  for (const node of nodes) {
    if (node.kind !== "group") {
      gatherOptions(tasks, node, weight, parentTaskId);
      continue;
    }
    const task = {
      ...taskOf(node, tasks.length, parentTaskId),
      optionId: null,
      hours: null,
      role: null,
      points: null,
      rounded: null,
    };
    underParent(tasks, task, () => gatherOptions(tasks, node, weight, task.id));
  }
}

function gatherOptions(tasks: DerivedTask[], node: Node, weight: number, parentTaskId: string | null): void {
  for (const option of node.options) {
    if (!counts(node, option)) continue;
    const optionWeight = weight * option.quantity;
    const task = {
      ...taskOf(option, tasks.length, parentTaskId),
      title: titleOf(node, option),
      optionId: option.id,
      hours: expectedHours(option, optionWeight),
      role: option.role,
      points: weightedPoints(option, optionWeight),
      rounded: null,
    };
    underParent(tasks, task, () => gather(tasks, option.nodes, optionWeight, task.id));
  }
}

/** Appends a task and the tasks below it; a task without hours and without tasks below is left out. */
function underParent(tasks: DerivedTask[], task: DerivedTask, gatherBelow: () => void): void {
  const length = tasks.push(task);
  gatherBelow();
  if (task.hours === null && tasks.length === length) tasks.pop();
}

function taskOf(source: Node | Option, position: number, parentTaskId: string | null) {
  return { id: taskIdOf(source.id), parentTaskId, title: source.title, description: source.description, position };
}

/**
 * Returns the title of an option's task. A question has no task, so its title precedes the option's; a `group` has a
 * parent task, which already has the group's title.
 */
function titleOf(node: Node, option: Option): string {
  if (node.kind === "group") return option.title;
  const question = node.title.trim();
  return `${question}${/[?!:.…]$/u.test(question) ? "" : ":"} ${option.title.trim()}`;
}

/** Returns the unrounded hours of an option; null if it has no work. */
function expectedHours(option: Option, weight: number): number | null {
  const points = pointsOf(option);
  return (points && weight * meanOf(points)) || null;
}

/** Returns the three points of an option, `weight` times; null if it has no work. */
function weightedPoints(option: Option, weight: number): ThreePoint | null {
  const points = pointsOf(option);
  if (points === null || expectedHours(option, weight) === null) return null;
  const { optimistic, likely, pessimistic } = points;
  return { optimistic: weight * optimistic, likely: weight * likely, pessimistic: weight * pessimistic };
}
