import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import type { Option } from "../../../contract/values/tree.ts";
import type { NodeInput } from "../../../contract/values/tree-input.ts";
import { start, type TestApp, until } from "../../../tests/harness.ts";
import { changesNothing } from "../../../tests/support/dump.ts";
import { type Scene, setScene, shop } from "./testing/scene.ts";

let app: TestApp;
beforeAll(async () => {
  app = await start();
});

/** The rows of an estimation, with the transaction that wrote each last. */
async function rowsOf({ estimationId }: Scene) {
  const { rows } = await app.pool.query("select *, xmin from tasks where estimation_id = $1 order by position, id", [
    estimationId,
  ]);
  return rows;
}

/** Data of the events written for a subscribed user's estimation. */
async function eventsOf({ estimationId }: Scene): Promise<unknown[]> {
  const { rows } = await app.pool.query<{ data: string }>(
    "select data from webhook_events where name = 'estimation.tasks_generated' order by id",
  );
  return rows.map(({ data }) => JSON.parse(data)).filter((data) => data.estimationId === estimationId);
}

async function subscribe({ user }: Scene): Promise<void> {
  const body = { url: "https://hooks.example.com/", events: ["estimation.tasks_generated"] };
  const { status } = await app.request("POST", "/api/webhooks", { token: user.token, body });
  expect(status).toBe(201);
}

/** The tree of the scene with other fields for the option of this title. */
async function changeOption(scene: Scene, title: string, changes: Partial<Option>): Promise<void> {
  const change = (nodes: NodeInput[]): NodeInput[] =>
    nodes.map((node) => ({
      ...node,
      options: node.options?.map((option) => ({
        ...option,
        nodes: change(option.nodes ?? []),
        ...(option.title === title ? changes : {}),
      })),
    }));
  await scene.replaceTree(change((await scene.tree()).nodes));
}

describe("generating", () => {
  it("stores what it returns: a task for each counted option, below its group's, with the hours of the roll-up", async () => {
    const scene = await setScene(app, shop);
    const { tasks, summary } = await scene.generate();
    expect(summary).toEqual({ created: 5, updated: 0, unchanged: 0, removed: 0, obsolete: 0, conflicts: [] });
    expect(tasks.map(({ title, hours, position }) => [title, hours, position])).toEqual([
      ["Features? Payment", 6, 0],
      ["Providers", null, 1],
      ["Cards", 10, 2],
      ["Invoice", 4.5, 3],
      ["Features? Search", 8, 4],
    ]);
    const [payment, providers, cards] = tasks;
    expect(payment).toMatchObject({ parentTaskId: null, role: "backend", status: "open", edited: false });
    expect(providers).toMatchObject({ parentTaskId: payment?.id, optionId: null });
    expect(cards).toMatchObject({ parentTaskId: providers?.id, actualHours: null, externalRef: null });
    expect(await scene.list()).toEqual({ tasks, nextCursor: null });
    const { data } = await app.request("GET", `${scene.path}/tree/hours`, { token: scene.user.token });
    expect(data.hours?.expected).toBe(28.5);
  });

  it("rounds in the steps of the estimation, in a preview as well, and adds up to the roll-up in whole steps", async () => {
    const scene = await setScene(app, shop);
    await scene.update((await scene.generate()).tasks[4]?.id ?? "", { hours: 7 });
    const put = { token: scene.user.token, body: { rounding: 1 } };
    expect((await app.request("PUT", scene.path, put)).data.estimation).toMatchObject(put.body);
    const preview = await scene.preview();
    const { tasks, summary } = await scene.generate();
    expect([preview.tasks, preview.summary]).toEqual([tasks, summary]);
    // 6 + 10 + 4.5 + 8 are 28.5, in whole hours 29; 7 is the user's.
    expect(tasks.map(({ hours }) => hours)).toEqual([6, null, 10, 5, 7]);
    expect(summary).toMatchObject({ updated: 1, unchanged: 4, conflicts: [] });
  });

  it("changes nothing the second time: the same response, and no row is written", async () => {
    const scene = await setScene(app, shop);
    const first = await scene.generate();
    const rows = await rowsOf(scene);
    const second = await scene.generate();
    expect(second.tasks).toEqual(first.tasks);
    expect(second.summary).toEqual({ created: 0, updated: 0, unchanged: 5, removed: 0, obsolete: 0, conflicts: [] });
    expect(await rowsOf(scene)).toEqual(rows);
  });

  it("writes only the rows that the change of the tree touches", async () => {
    const scene = await setScene(app, shop);
    await scene.generate();
    const before = await rowsOf(scene);
    await changeOption(scene, "Cards", { title: "Debit and credit cards" });
    const { summary } = await scene.generate();
    expect(summary).toMatchObject({ updated: 1, unchanged: 4 });
    const after = await rowsOf(scene);
    expect(after.map(({ xmin }, at) => xmin === before[at].xmin)).toEqual([true, true, false, true, true]);
    expect(after[2]).toMatchObject({ title: "Debit and credit cards", id: before[2].id });
  });

  it("keeps a user's edits, follows the tree elsewhere, and reports fields that both changed", async () => {
    const scene = await setScene(app, shop);
    const [payment] = (await scene.generate()).tasks;
    const taskId = payment?.id ?? "";
    await scene.update(taskId, { title: "Pay", hours: 12 });
    await changeOption(scene, "Payment", { role: "payments", hours: { optimistic: 9, likely: 9, pessimistic: 9 } });
    const { tasks, summary } = await scene.generate();
    expect(tasks[0]).toMatchObject({ id: taskId, title: "Pay", hours: 12, role: "payments", edited: true });
    expect(summary).toMatchObject({ updated: 1, conflicts: [{ taskId, field: "hours", yours: 12, theirs: 9 }] });
    const again = await scene.generate();
    expect(again).toEqual({ tasks, summary: { ...summary, updated: 0, unchanged: 5, conflicts: [] } });
  });

  it("for options that no longer count, removes unedited tasks, keeps edited ones as obsolete, and reopens them later", async () => {
    const scene = await setScene(app, shop);
    const { tasks } = await scene.generate();
    const cards = tasks[2]?.id ?? "";
    await scene.update(cards, { actualHours: 3 });
    await changeOption(scene, "Payment", { selected: false });
    const without = await scene.generate();
    expect(without.summary).toMatchObject({ removed: 3, obsolete: 1, unchanged: 1 });
    expect(without.tasks).toMatchObject([
      { title: "Features? Search", position: 0 },
      { id: cards, status: "obsolete", position: 1, parentTaskId: null, actualHours: 3 },
    ]);
    expect((await scene.list()).tasks).toEqual(without.tasks);
    expect((await scene.list("?status=obsolete")).tasks).toEqual([without.tasks[1]]);
    await changeOption(scene, "Payment", { selected: true });
    const back = await scene.generate();
    expect(back.summary).toMatchObject({ created: 3, updated: 1, unchanged: 1 });
    expect(back.tasks).toEqual(tasks.map((task) => (task.id === cards ? { ...task, actualHours: 3 } : task)));
  });

  it("does not change the estimation's revision", async () => {
    const scene = await setScene(app, shop);
    const revision = async () =>
      (await app.request("GET", scene.path, { token: scene.user.token })).headers.get("etag");
    const before = await revision();
    const { tasks } = await scene.generate();
    await scene.update(tasks[0]?.id ?? "", { title: "Mine" });
    expect(await revision()).toBe(before);
  });

  it("runs one at a time for each estimation: of simultaneous runs, one creates the tasks and the others find them", async () => {
    const scene = await setScene(app, shop);
    const runs = await Promise.all([scene.generate(), scene.generate(), scene.generate(), scene.generate()]);
    expect(runs.map(({ summary }) => summary.created).sort()).toEqual([0, 0, 0, 5]);
    expect(runs.map(({ summary }) => summary.unchanged).sort()).toEqual([0, 5, 5, 5]);
    expect(await rowsOf(scene)).toHaveLength(5);
  });

  it("loses no edit made while a generation runs", async () => {
    const scene = await setScene(app, shop);
    const { tasks } = await scene.generate();
    await changeOption(scene, "Search", { title: "Find" });
    await Promise.all([
      ...tasks.map(({ id }) => scene.update(id, { actualHours: 1 })),
      scene.generate(),
      scene.generate(),
    ]);
    expect((await scene.list()).tasks.map(({ actualHours }) => actualHours)).toEqual([1, 1, 1, 1, 1]);
  });

  it("makes an edit wait, which then applies to what was stored", async () => {
    const scene = await setScene(app, shop);
    const { tasks } = await scene.generate();
    const [id] = tasks.map((task) => task.id);
    const generation = await app.pool.connect();
    await generation.query("begin");
    await generation.query("select from estimations where id = $1 for update", [scene.estimationId]);
    await generation.query("update tasks set title = 'New', base_title = 'New' where id = $1", [id]);
    const edit = scene.update(id ?? "", { actualHours: 1 });
    await until(async () => {
      const { rowCount } = await app.pool.query(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      return rowCount === 1;
    });
    await generation.query("commit");
    generation.release();
    expect(await edit).toEqual({ ...tasks[0], title: "New", actualHours: 1 });
  });

  it("handles the maximum number of options of a tree", async () => {
    const node = (title: string): NodeInput => ({
      title,
      kind: "group",
      options: Array.from({ length: 200 }, (_, at) => ({
        title: `${title}.${at}`,
        description: 'a "b" \\ {c}, é',
        hours: 1 / 4,
      })),
    });
    const scene = await setScene(
      app,
      Array.from({ length: 50 }, (_, at) => node(`Part ${at}`)),
    );
    const { tasks, summary } = await scene.generate();
    expect(summary).toMatchObject({ created: 10_050 });
    const rows = await rowsOf(scene);
    expect(rows).toHaveLength(10_050);
    expect(rows[1]).toMatchObject({ title: "Part 0.0", description: 'a "b" \\ {c}, é', hours: 0.25, role: null });
    expect((await scene.preview()).tasks).toEqual(tasks);
  });
});

describe("previewing", () => {
  it("returns exactly what generating then returns, and stores nothing", async () => {
    const scene = await setScene(app, shop);
    await subscribe(scene);
    await changesNothing(app, async () => expect(await scene.preview()).toEqual(await scene.preview()));
    const first = await scene.preview();
    expect(first).toEqual(await scene.generate());

    await scene.update(first.tasks[0]?.id ?? "", { title: "Mine" });
    await changeOption(scene, "Payment", { title: "Theirs", selected: false });
    await changeOption(scene, "Search", { quantity: 0.5 });
    const preview = await changesNothing(app, () => scene.preview());
    expect(preview).toMatchObject({ summary: { obsolete: 1, removed: 3, updated: 1 } });
    expect(await scene.generate()).toEqual(preview);
  });
});

describe("estimation.tasks_generated", () => {
  it("is written once per run, even if nothing changed, with the number of open tasks", async () => {
    const scene = await setScene(app, shop);
    await subscribe(scene);
    const { tasks } = await scene.generate();
    await scene.update(tasks[4]?.id ?? "", { title: "Mine" });
    await changeOption(scene, "Search", { selected: false });
    await scene.generate();
    await scene.generate();
    const { estimationId } = scene;
    expect(await eventsOf(scene)).toEqual([5, 4, 4].map((taskCount) => ({ estimationId, taskCount })));
  });

  it("is not written again by a replay, which returns the first run", async () => {
    const scene = await setScene(app, shop);
    await subscribe(scene);
    const headers = { "idempotency-key": "generate-once" };
    const call = () => app.request("POST", `${scene.path}/tasks/generate`, { token: scene.user.token, headers });
    const [first, replay] = [await call(), await call()];
    expect(replay.headers.get("idempotent-replayed")).toBe("true");
    expect(replay.body).toEqual(first.body);
    expect(await eventsOf(scene)).toHaveLength(1);
  });
});

describe("the examples", () => {
  it.each(["checkout", "mobile-app", "data-migration"])("%s is imported unchanged and gives tasks", async (name) => {
    const file = new URL(`../../../examples/${name}.json`, import.meta.url);
    const { estimation, tree } = JSON.parse(readFileSync(file, "utf8"));
    const { token } = await app.signUp();
    const created = await app.request("POST", "/api/estimations", { token, body: estimation });
    expect(created.status).toBe(201);
    const path = `/api/estimations/${created.data.estimation?.id}`;
    const replaced = await app.request("PUT", `${path}/tree`, { token, body: tree });
    expect([replaced.status, replaced.data.tree?.problems]).toEqual([200, []]);
    const generated = await app.request("POST", `${path}/tasks/generate`, { token });
    const tasks = generated.data.tasks as unknown as { hours: number | null }[];
    const total = tasks.reduce((sum, { hours }) => sum + Math.round((hours ?? 0) * 100), 0);
    expect(total / 100).toBe(replaced.data.hours?.expected);
  });
});
