import { beforeAll, describe, expect, it } from "vitest";
import type { Task } from "../../../contract/endpoints/tasks.ts";
import { limits } from "../../../contract/limits.ts";
import { start, type TestApp } from "../../../tests/harness.ts";
import { type Scene, setScene, shop } from "./testing/scene.ts";

let app: TestApp;
let scene: Scene;
beforeAll(async () => {
  app = await start();
  scene = await setScene(app, shop);
});

/** Resets the tasks of the scene to freshly generated ones. */
async function freshTasks(): Promise<[Task, ...Task[]]> {
  await app.pool.query("delete from tasks where estimation_id = $1", [scene.estimationId]);
  return (await scene.generate()).tasks as [Task, ...Task[]];
}

const request = (method: string, path: string, body?: unknown, token = scene.user.token) =>
  app.request(method, path, { token, body });
const pathOf = ({ id }: { id: string }) => `${scene.path}/tasks/${id}`;

describe("changing a task", () => {
  it("accepts any of its fields, keeps the others, and marks it as edited", async () => {
    const [task] = await freshTasks();
    const changes = { title: "Mine", description: "So", hours: 7.25, role: null, actualHours: 3 };
    const { status, data } = await request("PUT", pathOf(task), changes);
    expect([status, data]).toEqual([200, { task: { ...task, ...changes, edited: true } }]);
    expect((await scene.list()).tasks[0]).toEqual(data.task);
    expect(await scene.update(task.id, { hours: null })).toEqual({ ...task, ...changes, hours: null, edited: true });
  });

  it("does not count as an edit if only the actual hours are set, or once the fields are set back", async () => {
    const [task] = await freshTasks();
    expect(await scene.update(task.id, { actualHours: 5 })).toMatchObject({ edited: false, actualHours: 5 });
    expect(await scene.update(task.id, { title: "Mine" })).toMatchObject({ edited: true });
    expect(await scene.update(task.id, { title: task.title, actualHours: null })).toEqual(task);
  });

  it("ignores read-only fields of a record that is sent back", async () => {
    const [task, other] = await freshTasks();
    const sentBack = {
      ...task,
      position: 40,
      parentTaskId: other?.id,
      edited: true,
      title: "Mine",
    };
    expect(await scene.update(task.id, sentBack as Task)).toEqual({ ...task, title: "Mine", edited: true });
    expect(await scene.update(task.id, {})).toEqual({ ...task, title: "Mine", edited: true });
  });

  it("accepts large hours with two decimals, and refuses a third decimal", async () => {
    const [task] = await freshTasks();
    const changes = { hours: 123_456_789.07, actualHours: 0 };
    expect(await scene.update(task.id, changes)).toMatchObject(changes);
    await expect(scene.update(task.id, { hours: 0.1 + 0.2 })).rejects.toThrow(/two decimals/);
  });

  it.each([
    { title: "" },
    { title: "  " },
    { title: null },
    { title: "x".repeat(limits.taskTitleLength + 1) },
    { description: null },
    { description: "x".repeat(10_001) },
    { hours: -1 },
    { hours: 1.234 },
    { hours: "8" },
    { hours: 1e14 },
    { actualHours: -0.01 },
    { role: "x".repeat(101) },
    { role: 5 },
    { dueDate: "2026-01-31" },
  ])("refuses %j and changes nothing", async (body) => {
    const [task] = await freshTasks();
    const { status, body: response } = await request("PUT", pathOf(task), body);
    expect([status, response.message]).toEqual([400, "validation_failed"]);
  });

  it("refuses a request without a body", async () => {
    const [task] = await freshTasks();
    expect((await request("PUT", pathOf(task))).status).toBe(400);
  });
});

describe("deleting a task", () => {
  it("moves its children up to its parent, until the next generation moves them back", async () => {
    const [payment, providers, cards, invoice, search] = await freshTasks();
    const { status, data } = await request("DELETE", pathOf(providers as Task));
    expect([status, data]).toEqual([200, { task: providers }]);
    const left = [payment, { ...cards, parentTaskId: payment.id }, { ...invoice, parentTaskId: payment.id }, search];
    expect((await scene.list()).tasks).toEqual(left);
    expect((await request("DELETE", pathOf(providers as Task))).status).toBe(404);
    const { tasks, summary } = await scene.generate();
    expect(tasks).toEqual([payment, providers, cards, invoice, search]);
    expect(summary).toMatchObject({ created: 1, updated: 2, unchanged: 2 });
  });

  it("loses the user's edits", async () => {
    const [task] = await freshTasks();
    await scene.update(task.id, { title: "Mine", actualHours: 4 });
    await request("DELETE", pathOf(task));
    expect((await scene.generate()).tasks[0]).toEqual(task);
  });
});

describe("a record that does not belong to the caller", () => {
  it("gets the response of one that does not exist, and does not change", async () => {
    const tasks = await freshTasks();
    const [task] = tasks;
    const stranger = await app.signUp();
    const other = await setScene(app, shop, scene.user);
    const missing = "0".repeat(26);
    const bodyOf = (method: string) => (method === "PUT" ? { title: "Theirs" } : undefined);
    const calls: [string, string, string][] = [
      ["GET", `${scene.path}/tasks`, stranger.token],
      ["POST", `${scene.path}/tasks/preview`, stranger.token],
      ["POST", `${scene.path}/tasks/generate`, stranger.token],
      ...["PUT", "DELETE"].flatMap((method): [string, string, string][] => [
        [method, pathOf(task), stranger.token],
        [method, `${other.path}/tasks/${task.id}`, scene.user.token],
        [method, `${scene.path}/tasks/tsk_${missing}`, scene.user.token],
        [method, `${scene.path}/tasks/nonsense`, scene.user.token],
        [method, `/api/estimations/est_${missing}/tasks/${task.id}`, scene.user.token],
      ]),
    ];
    for (const [method, path, token] of calls) {
      const { status, body } = await request(method, path, bodyOf(method), token);
      expect([method, path, status, body.message]).toEqual([method, path, 404, "not_found"]);
    }
    expect((await scene.list()).tasks).toEqual(tasks);
    expect((await other.list()).tasks).toEqual([]);
  });

  it("is deleted with its estimation", async () => {
    const gone = await setScene(app, shop, scene.user);
    await gone.generate();
    await request("DELETE", gone.path);
    expect((await request("GET", `${gone.path}/tasks`)).status).toBe(404);
    expect((await request("POST", `${gone.path}/tasks/generate`)).status).toBe(404);
  });
});

describe("listing tasks", () => {
  it("pages in tree order, every task once, a hundred per page by default", async () => {
    const options = Array.from({ length: 130 }, (_, at) => ({ title: `Option ${at}`, hours: 1 }));
    const long = await setScene(app, [{ title: "All", kind: "group", options }], scene.user);
    const { tasks } = await long.generate();
    const first = await long.list();
    expect(first.tasks).toHaveLength(100);
    const second = await long.list(`?cursor=${first.nextCursor}`);
    expect([...first.tasks, ...second.tasks]).toEqual(tasks);
    expect(second.nextCursor).toBeNull();

    const seen: Task[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const page: Awaited<ReturnType<Scene["list"]>> = await long.list(
        `?limit=50&status=open${cursor && `&cursor=${cursor}`}`,
      );
      seen.push(...page.tasks);
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(tasks);
    expect(await long.list("?status=obsolete")).toEqual({ tasks: [], nextCursor: null });
    expect((await long.list("?status=obsolete,open")).tasks).toEqual(tasks.slice(0, limits.pageSizeInside));
  });

  it.each([
    "limit=0",
    "limit=101",
    "limit=x",
    "status=done",
    "status=open,",
    "cursor=nonsense",
    "page=2",
    ...[
      ["estimations.updatedAt", 1, "tsk_00000000000000000000000000"],
      ["tasks", 1e300, "tsk_00000000000000000000000000"],
      ["tasks", 1, "\u0000"],
      ["tasks", 1.5, "tsk_00000000000000000000000000"],
      ["tasks", 1],
    ].map((place) => `cursor=${Buffer.from(JSON.stringify(place)).toString("base64url")}`),
  ])("refuses ?%s", async (query) => {
    const { status, body } = await request("GET", `${scene.path}/tasks?${query}`);
    expect([status, body.message]).toEqual([400, "validation_failed"]);
  });
});
