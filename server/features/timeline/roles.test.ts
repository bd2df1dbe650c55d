import { describe, expect, it } from "vitest";
import type { NodeInput } from "../../../contract/values/tree-input.ts";
import { start } from "../../../tests/harness.ts";
import { option, setScene } from "./testing/scene.ts";

const app = await start({ at: "2026-12-01T09:30:00Z" });

const treeOf = (...roles: string[]): NodeInput[] => [
  { title: "Scope", kind: "group", options: roles.map((role, at) => option(`Part ${at}`, 12, role)) },
];
const START = { startDate: "2027-01-04", focusFactor: 1 };

describe("a role in two spellings", () => {
  it("is one: in the tree, in its hours, in the tasks and in the timeline", async () => {
    const scene = await setScene(
      app,
      undefined,
      treeOf("Backend", " backend\u00a0", "Back\u200bend", "Qualita\u0308t"),
    );
    const { tree } = await scene.expect("GET", "/tree");
    const written = ["Backend", "backend", "Backend", "Qualität"];
    expect(tree?.nodes?.[0]?.options).toMatchObject(written.map((role) => ({ role })));
    expect(scene.tasks.map(({ role }) => role)).toEqual(written);
    const { hours } = await scene.expect("GET", "/tree/hours");
    expect(hours?.byRole).toMatchObject([
      { role: "Backend", expected: 39 },
      { role: "Qualität", expected: 13 },
    ]);
    const alone = await scene.setTimeline(START);
    expect(alone.assumed).toEqual([
      { role: "Backend", people: 1 },
      { role: "Qualität", people: 1 },
    ]);
    // One after the other.
    expect(new Set(alone.items.map(({ start }) => start)).size).toBe(3);
    const people = [
      { role: "BACKEND ", count: 3 },
      { role: "Qualita\u0308t", count: 1 },
    ];
    const together = await scene.setTimeline({ people });
    expect(together).toMatchObject({ assumed: [], unused: [] });
    expect(together.people).toEqual([
      { role: "BACKEND", count: 3 },
      { role: "Qualität", count: 1 },
    ]);
    expect(new Set(together.items.map(({ start }) => start)).size).toBe(1);
  });

  it("gets more people under the name that the timeline has for it", async () => {
    const scene = await setScene(app, undefined, treeOf("backend", "Backend", "BACKEND", "back\u200bend"));
    await scene.setTimeline({ ...START, people: [{ role: "Backend", count: 1 }] });
    const { id } = await scene.addMilestone({ title: "Beta", dueDate: "2027-01-06" });
    const { proposal } = await scene.expect("POST", `/milestones/${id}/what-would-it-take`);
    expect(proposal).toMatchObject({ people: { added: [{ role: "Backend", before: 1 }], isReached: true } });
  });

  it("is refused twice in `people`, and changes nothing", async () => {
    const scene = await setScene(app);
    for (const other of ["qa", " QA", "ＱＡ"]) {
      const people = [
        { role: "QA", count: 1 },
        { role: other, count: 2 },
      ];
      const { status, body } = await scene.send("PUT", "/timeline", { people });
      expect([status, body.errors?.[0]]).toMatchObject([400, { path: "/people/1/role", code: "repeated" }]);
    }
  });

  it("is no change of a task or an option, in the spelling that is stored or in another", async () => {
    const scene = await setScene(app, undefined, treeOf("Backend"));
    const [task] = scene.tasks;
    const change = async (role: string | null) => (await scene.expect("PUT", `/tasks/${task?.id}`, { role })).task;
    expect(await change("  Backend")).toMatchObject({ role: "Backend", edited: false });
    expect(await change("backend ")).toMatchObject({ role: "backend", edited: true });
    expect(await change(" ")).toMatchObject({ role: null, edited: true });
    const revision = async () => (await scene.expect("GET", "")).estimation?.revision;
    const before = await revision();
    const { option: same } = await scene.expect("PATCH", `/tree/options/${task?.optionId}`, { role: "Backend\t" });
    expect(same).toMatchObject({ role: "Backend" });
    expect(await revision()).toBe(before);
  });
});

describe("an empty role", () => {
  it("is none", async () => {
    const scene = await setScene(app, undefined, treeOf("", " \u00a0", "\u200b"));
    expect(scene.tasks.map(({ role }) => role)).toEqual([null, null, null]);
    expect(await scene.setTimeline(START)).toMatchObject({ assumed: [{ role: null, people: 1 }], unused: [] });
  });
});

describe("a role of `people` that no task has", () => {
  it("is named, until a task has it", async () => {
    const scene = await setScene(app, undefined, treeOf("backend"));
    const people = [
      { role: "Architect", count: 1 },
      { role: "backend", count: 1 },
    ];
    expect(await scene.setTimeline({ ...START, people })).toMatchObject({ unused: ["Architect"], assumed: [] });
    await scene.expect("PUT", `/tasks/${scene.tasks[0]?.id}`, { role: "architect" });
    expect(await scene.timeline()).toMatchObject({ unused: ["backend"], assumed: [] });
  });
});

describe("roles that were stored before spellings were made equal", () => {
  it("stay, with the hash of their content, and are one role all the same", async () => {
    const scene = await setScene(app, undefined, treeOf("Backend", "design"));
    await app.pool.query(
      `update decision_trees set tree = replace(replace(tree::text, '"Backend"', '" Backend"'), '"design"', '"BACKEND"')::json
       where estimation_id = $1`,
      [scene.id],
    );
    const { version } = await scene.expect("POST", "/versions");
    const { tree } = await scene.expect("GET", "/tree");
    expect(tree?.nodes?.[0]?.options).toMatchObject([{ role: " Backend" }, { role: "BACKEND" }]);
    const { hours } = await scene.expect("GET", "/tree/hours");
    expect(hours?.byRole).toMatchObject([{ role: "Backend", expected: 26 }]);
    await scene.expect("PUT", "/tree", { nodes: tree?.nodes });
    expect((await scene.expect("POST", "/versions")).version).toMatchObject({
      ...{ id: version?.id, contentHash: version?.contentHash },
    });
    const { estimation } = await scene.expect("POST", "/duplicate");
    const copy = await app.request("GET", `/api/estimations/${estimation?.id}/tree`, { token: scene.user.token });
    expect(copy.data.tree?.nodes?.[0]?.options?.[0]?.role).toBe(" Backend");
  });
});
