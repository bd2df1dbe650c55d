import { describe, expect, it } from "vitest";
import type { OptionInput, Tree } from "../tree/shape.ts";
import { plant } from "../tree/testing/trees.ts";
import { deriveTasks } from "./derive.ts";
import { editTask } from "./edit.ts";
import { presentTask } from "./present.ts";
import { regenerate } from "./regenerate.ts";
import type { Rounding, StoredTask } from "./shape.ts";

const login = { title: "Login", description: "By e-mail", hours: 8, role: "backend", selected: true };
const search = { title: "Search", hours: 5, selected: true };

/** The same two options with other fields: ids follow from the order of creation, so they stay. */
const treeOf = (first: Partial<OptionInput> = {}, second: Partial<OptionInput> = {}): Tree =>
  plant([
    {
      title: "Features?",
      kind: "multi",
      options: [
        { ...login, ...first },
        { ...search, ...second },
      ],
    },
  ]);

const run = (tree: Tree, stored: readonly StoredTask[] = [], rounding: Rounding = 0.01) =>
  regenerate(stored, deriveTasks(tree, rounding));
const generated = () => run(treeOf()).tasks;

function edited(tasks: readonly StoredTask[], at: number, changes: Parameters<typeof editTask>[1]): StoredTask[] {
  return tasks.map((task, index) => (index === at ? editTask(task, changes) : task));
}

const nothing = { created: 0, updated: 0, unchanged: 0, removed: 0, obsolete: 0, conflicts: [] };

describe("a generation", () => {
  it("creates the tasks of a tree, and a second one changes nothing", () => {
    const first = run(treeOf());
    expect(first.summary).toEqual({ ...nothing, created: 2 });
    expect(first.changed).toEqual(first.tasks);
    expect(first.tasks.map(presentTask)).toMatchObject([
      { title: "Features? Login", hours: 8, status: "open", edited: false, actualHours: null, externalRef: null },
      { title: "Features? Search", hours: 5, status: "open", edited: false },
    ]);
    const second = run(treeOf(), first.tasks);
    expect(second).toEqual({ tasks: first.tasks, changed: [], removed: [], summary: { ...nothing, unchanged: 2 } });
  });

  it("keeps a task whose issue exists or may exist, and a task that comes back has its issue again", () => {
    const issue = { target: "github", key: "#12", url: "https://github.com/acme/shop/issues/12" } as const;
    const [first] = generated();
    const without = deriveTasks(treeOf({ selected: false }), 0.01);
    const known = new Map([[String(first?.id), null]]);
    expect(regenerate(generated(), without).summary).toMatchObject({ removed: 1, obsolete: 0 });
    expect(regenerate(generated(), without, known).summary).toMatchObject({ removed: 0, obsolete: 1 });
    const again = regenerate([], deriveTasks(treeOf(), 0.01), new Map([[String(first?.id), issue]]));
    expect(again.tasks.map(({ externalRef }) => externalRef)).toEqual([issue, null]);
  });

  it("follows the tree in every field that nobody changed", () => {
    const { tasks, summary } = run(treeOf({ title: "Sign-in", description: "", hours: 9, role: null }), generated());
    expect(summary).toEqual({ ...nothing, updated: 1, unchanged: 1 });
    expect(tasks[0]).toMatchObject({ title: "Features? Sign-in", description: "", hours: 9, role: null });
  });

  it("keeps a field that only the user changed, and follows the tree in the others", () => {
    const mine = edited(generated(), 0, { title: "Login and logout", role: null });
    const { tasks, summary } = run(treeOf({ hours: 9 }), mine);
    expect(summary).toEqual({ ...nothing, updated: 1, unchanged: 1 });
    expect(tasks.map(presentTask)[0]).toMatchObject({ title: "Login and logout", role: null, hours: 9, edited: true });
  });

  it("keeps the user's value if both changed a field, and reports the conflict only in that run", () => {
    const mine = edited(generated(), 0, { title: "Login and logout", hours: 12, role: "web" });
    const tree = treeOf({
      title: "Sign-in",
      hours: null,
      nodes: [{ title: "How?", kind: "group", options: [{ title: "OIDC", hours: 1 }] }],
      role: null,
    });
    const { tasks, summary } = run(tree, mine);
    const [{ id: taskId }] = mine as [StoredTask];
    expect(summary.conflicts).toEqual([
      { taskId, field: "title", yours: "Login and logout", theirs: "Features? Sign-in" },
      { taskId, field: "hours", yours: 12, theirs: null },
      { taskId, field: "role", yours: "web", theirs: null },
    ]);
    expect(tasks[0]).toMatchObject({ title: "Login and logout", hours: 12, role: "web" });
    const again = run(tree, tasks);
    expect(again).toMatchObject({ changed: [], summary: { ...nothing, unchanged: 4 } });
    expect(again.tasks).toEqual(tasks);
  });

  it("has no conflict if both made the same change, and the task counts as unedited again", () => {
    const { tasks, summary } = run(
      treeOf({ title: "Sign-in" }),
      edited(generated(), 0, { title: "Features? Sign-in" }),
    );
    expect(summary).toEqual({ ...nothing, updated: 1, unchanged: 1 });
    expect(tasks.map(presentTask)[0]).toMatchObject({ title: "Features? Sign-in", edited: false });
    expect(run(treeOf(), tasks).tasks[0]).toMatchObject({ title: "Features? Login" });
  });

  it("follows the tree again once a user has set a field back", () => {
    const back = edited(edited(generated(), 0, { hours: 20 }), 0, { hours: 8 });
    expect(run(treeOf({ hours: 9 }), back)).toMatchObject({ tasks: [{ hours: 9 }, {}], summary: { conflicts: [] } });
  });

  it("does not count a hundredth that rounding moved between options as a change of the tree", () => {
    const third = { optimistic: 0, likely: 0, pessimistic: 0.02 };
    const before = treeOf({ hours: third }, { hours: third });
    const after = treeOf({ hours: third }, { hours: { ...third, pessimistic: 0.05 } });
    const tasks = run(before).tasks;
    expect(tasks.map(({ hours }) => hours)).toEqual([0.01, 0]);
    expect(deriveTasks(after).map(({ hours }) => hours)).toEqual([0, 0.01]);
    expect(run(after, edited(tasks, 0, { hours: 3 })).summary.conflicts).toEqual([]);
  });

  it("distinguishes a step of rounding from a change of the tree, however large the steps are", () => {
    const mine = edited(run(treeOf({ hours: 4.3 }), [], 1).tasks, 0, { hours: 9 });
    // 4.3 h may come to 4 or 5; 5.3 h may not come to 4.
    expect(run(treeOf({ hours: 4.3 }, { hours: 5.4 }), mine, 1).summary.conflicts).toEqual([]);
    expect(run(treeOf({ hours: 5.3 }), mine, 1).summary.conflicts).toMatchObject([{ yours: 9, theirs: 5 }]);
  });
});

describe("a task whose option no longer counts", () => {
  const without = treeOf({ selected: false });

  it("is removed if nobody edited it", () => {
    const { tasks, removed, summary } = run(without, generated());
    expect(summary).toEqual({ ...nothing, removed: 1, unchanged: 1 });
    expect(removed).toMatchObject([{ title: "Features? Login" }]);
    expect(tasks).toMatchObject([{ title: "Features? Search", position: 0 }]);
  });

  it.each([
    ["edited", { title: "Mine" }],
    ["worked on", { actualHours: 0 }],
    ["exported", { externalRef: { target: "jira" as const, key: "SHOP-1", url: "https://shop.example.com/1" } }],
  ])("is obsolete if it was %s, is last in the list, and is left unchanged by the next run", (_, change) => {
    const [first, ...rest] = generated() as [StoredTask, ...StoredTask[]];
    const { tasks, summary } = run(without, [{ ...first, ...change }, ...rest]);
    expect(summary).toEqual({ ...nothing, obsolete: 1, unchanged: 1 });
    expect(tasks).toMatchObject([
      { title: "Features? Search", position: 0 },
      { ...change, status: "obsolete", position: 1 },
    ]);
    expect(run(without, tasks)).toMatchObject({ changed: [], tasks, summary: { ...nothing, unchanged: 2 } });
  });

  it("is open again under its id and with the user's edits once the option counts", () => {
    const gone = run(without, edited(generated(), 0, { title: "Mine", actualHours: 3 })).tasks;
    const { tasks, summary } = run(treeOf({ hours: 10 }), gone);
    expect(summary).toEqual({ ...nothing, updated: 1, unchanged: 1 });
    const [before] = generated();
    expect(tasks[0]).toMatchObject({
      id: before?.id,
      title: "Mine",
      actualHours: 3,
      hours: 10,
      status: "open",
      position: 0,
    });
  });

  it("comes back as generated if it had been deleted", () => {
    const [, second] = generated() as [StoredTask, StoredTask];
    const { tasks, summary } = run(treeOf(), [second]);
    expect(summary).toEqual({ ...nothing, created: 1, unchanged: 1 });
    expect(tasks).toEqual(generated());
  });

  it("moves up to the nearest parent that is left", () => {
    const nested = (selected: boolean) =>
      plant([
        {
          ...{ title: "Scope", kind: "group" },
          options: [
            {
              title: "Shop",
              hours: 1,
              nodes: [
                {
                  title: "Pay?",
                  kind: "single",
                  options: [
                    {
                      title: "Card",
                      selected,
                      nodes: [{ title: "Card parts", kind: "group", options: [{ title: "Form", hours: 2 }] }],
                    },
                  ],
                },
              ],
            },
          ],
        },
      ]);
    const before = run(nested(true)).tasks;
    expect(before.map(({ title }) => title)).toEqual(["Scope", "Shop", "Pay? Card", "Card parts", "Form"]);
    const { tasks, removed } = run(nested(false), edited(before, 4, { title: "My form" }));
    expect(removed.map(({ title }) => title)).toEqual(["Pay? Card", "Card parts"]);
    expect(tasks[2]).toMatchObject({ title: "My form", status: "obsolete", parentTaskId: tasks[1]?.id });
  });
});
