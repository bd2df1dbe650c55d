import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deleteOption, deselectOption, moveOption, selectOption, updateOption } from "../tree/edit/edit-options.ts";
import type { Outcome } from "../tree/hours/outcome.ts";
import { idsOf, type Tree } from "../tree/shape.ts";
import { points, trees } from "../tree/testing/trees.ts";
import { deriveTasks } from "./derive.ts";
import { editTask } from "./edit.ts";
import { presentTask } from "./present.ts";
import { type Generation, regenerate } from "./regenerate.ts";
import type { StoredTask } from "./shape.ts";

/** A tree edit, a user's edit of a task, or a generation. `at` picks what it meets. */
type Step = { at: number; to: number } & (
  | { do: "select" | "deselect" | "delete option" | "move option" | "delete task" | "generate" }
  | { do: "set hours"; hours: { optimistic: number; likely: number; pessimistic: number } | null }
  | { do: "set quantity"; quantity: number }
  | { do: "set title"; title: string }
  | { do: "edit task"; changes: { title?: string; hours?: number | null; actualHours?: number } }
);

const title = fc.constantFrom("A", "B", "C");
const place = { at: fc.nat(), to: fc.nat() };
const cents = fc.nat(5_000).map((value) => value / 100);
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({ ...place, do: fc.constantFrom("select" as const, "deselect" as const) }),
    fc.record({
      ...place,
      do: fc.constantFrom("delete option" as const, "move option" as const, "delete task" as const),
    }),
    fc.record({ ...place, do: fc.constant("generate" as const) }),
    fc.record({ ...place, do: fc.constant("set hours" as const), hours: fc.option(points) }),
    fc.record({
      ...place,
      do: fc.constant("set quantity" as const),
      quantity: fc.nat(300).map((value) => value / 100),
    }),
    fc.record({ ...place, do: fc.constant("set title" as const), title }),
    fc.record({
      ...place,
      do: fc.constant("edit task" as const),
      changes: fc.record({ title, hours: fc.option(cents), actualHours: cents }, { requiredKeys: [] }),
    }),
  ),
  { maxLength: 25 },
);

const pick = <T>(list: readonly T[], at: number): T | undefined => list[at % (list.length || 1)];

function editTree(tree: Tree, step: Step): Tree {
  const ids = idsOf(tree.nodes);
  const id = pick([...ids.options], step.at) ?? "none";
  const outcome = ((): Outcome<unknown> | null => {
    if (step.do === "select") return selectOption(tree, id);
    if (step.do === "deselect") return deselectOption(tree, id);
    if (step.do === "delete option") return deleteOption(tree, id);
    if (step.do === "move option") return moveOption(tree, id, { nodeId: pick([...ids.nodes], step.to) ?? "none" });
    if (step.do === "set hours") return updateOption(tree, id, { hours: step.hours, override: null });
    if (step.do === "set quantity") return updateOption(tree, id, { quantity: step.quantity });
    return step.do === "set title" ? updateOption(tree, id, { title: step.title }) : null;
  })();
  return outcome?.ok ? outcome.tree : tree;
}

function editTasks(tasks: readonly StoredTask[], step: Step): readonly StoredTask[] {
  const task = pick(tasks, step.at);
  if (task && step.do === "edit task") {
    return tasks.map((other) => (other === task ? editTask(task, step.changes) : other));
  }
  if (!task || step.do !== "delete task") return tasks;
  const left = tasks.filter((other) => other !== task);
  return left.map((other) => (other.parentTaskId === task.id ? { ...other, parentTaskId: task.parentTaskId } : other));
}

function expectSound(
  { tasks, changed, removed, summary }: Generation,
  before: readonly StoredTask[],
  tree: Tree,
): void {
  expect(new Set(tasks.map(({ id }) => id)).size).toBe(tasks.length);
  expect(tasks.map(({ position }) => position)).toEqual(tasks.map((_, index) => index));
  const { created, updated, unchanged, obsolete } = summary;
  expect(created + updated + unchanged + obsolete).toBe(tasks.length);
  expect(before.length + created - summary.removed).toBe(tasks.length);
  expect(removed).toHaveLength(summary.removed);
  for (const task of removed)
    expect(presentTask(task)).toMatchObject({ edited: false, actualHours: null, externalRef: null });
  expect(tasks.filter((task) => !changed.includes(task)).every((task) => before.includes(task))).toBe(true);
  const open = tasks.filter(({ status }) => status === "open");
  expect(open.map(({ id, base }) => ({ id, base }))).toEqual(
    deriveTasks(tree).map(({ id, title, description, hours, role }) => ({
      id,
      base: { title, description, hours, role },
    })),
  );
  const parentOf = new Map(tasks.map(({ id, parentTaskId }) => [id, parentTaskId]));
  for (const { id } of tasks) {
    let [steps, parent] = [0, parentOf.get(id)];
    for (; parent !== null && steps <= tasks.length; steps += 1) parent = parentOf.get(parent ?? "");
    expect(parent, "the way up ends at a root, over tasks that exist").toBeNull();
  }
}

/** What a user set, where it differs from what was generated, stands; and such a task is still there. */
function expectEditsKept(before: readonly StoredTask[], after: readonly StoredTask[]): void {
  for (const task of before) {
    const now = after.find(({ id }) => id === task.id);
    if (task.actualHours !== null) expect(now?.actualHours).toBe(task.actualHours);
    for (const field of ["title", "hours"] as const) {
      if (task[field] !== task.base[field]) expect(now?.[field]).toBe(task[field]);
    }
  }
}

describe("any sequence of tree edits, task edits and generations", () => {
  it("keeps every generation valid, has no effect when repeated, and loses no user's edit", () => {
    fc.assert(
      fc.property(trees, steps, (start, sequence) => {
        let tree = start;
        let tasks: readonly StoredTask[] = [];
        for (const step of [...sequence, { do: "generate", at: 0, to: 0 } as const]) {
          tree = editTree(tree, step);
          tasks = editTasks(tasks, step);
          if (step.do !== "generate") continue;
          const given = structuredClone(tasks);
          const run = regenerate(tasks, deriveTasks(tree));
          expect(tasks, "what was given is not written to").toEqual(given);
          expectSound(run, tasks, tree);
          expectEditsKept(tasks, run.tasks);
          const again = regenerate(run.tasks, deriveTasks(tree));
          expect(again.tasks).toEqual(run.tasks);
          expect(again.changed).toEqual([]);
          const unchanged = run.tasks.length;
          expect(again.summary).toEqual({ created: 0, updated: 0, unchanged, removed: 0, obsolete: 0, conflicts: [] });
          tasks = run.tasks;
        }
      }),
      { numRuns: 300 },
    );
  });
});
