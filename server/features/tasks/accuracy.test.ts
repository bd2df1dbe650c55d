import { beforeAll, describe, expect, it } from "vitest";
import type { TaskAccuracy } from "../../../contract/endpoints/accuracy.ts";
import { limits } from "../../../contract/limits.ts";
import { start, type TestApp, type TestUser } from "../../../tests/harness.ts";
import { newestWith } from "./accuracy-store.ts";
import { type Scene, setScene } from "./testing/scene.ts";

let app: TestApp;
beforeAll(async () => {
  app = await start();
});

async function read({ token }: TestUser): Promise<TaskAccuracy> {
  const { status, data, text } = await app.request("GET", "/api/tasks/accuracy", { token });
  if (status !== 200) throw new Error(text);
  return data.accuracy as unknown as TaskAccuracy;
}

/** An estimation with options whose mean is 10 hours, each as a task that took as long as is given. */
async function setDone(took: readonly number[], user?: TestUser): Promise<Scene> {
  const hours = { optimistic: 4, likely: 8, pessimistic: 24 };
  const options = took.map((_, at) => ({ title: `Work ${at}`, hours, role: at % 2 === 0 ? "backend" : "design" }));
  const scene = await setScene(app, [{ title: "Work", kind: "group", options }], user);
  const { tasks } = await scene.generate();
  const working = tasks.filter(({ hours: of }) => of !== null);
  for (const [at, task] of working.entries())
    await scene.update(task.id, { actualHours: took[at] as number, doneAt: app.services.clock.now().toISOString() });
  return scene;
}

const NINE = [5, 6, 7, 8, 9, 10, 11, 12, 13];

describe("the accuracy of finished tasks", () => {
  it("compares their ranges and hours with what they took, in all, by month and by role", async () => {
    const { user } = await setDone([...NINE, 60]);
    const accuracy = await read(user);
    expect(accuracy).toMatchObject({
      ratio: { n: 10, median: 0.95 },
      ranges: { n: 10, held: 8 },
      isCut: false,
      months: [{ month: app.services.clock.now().toISOString().slice(0, 7), n: 10, median: 0.95 }],
    });
    expect(accuracy.reliability.map(({ stated }) => stated)).toEqual([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]);
    expect(accuracy.roles.map(({ role, ratio }) => [role, ratio.n])).toEqual([
      ["backend", 5],
      ["design", 5],
    ]);
  });

  it("keeps the range that a task was generated from, and counts no task that is open, or was taken back", async () => {
    const scene = await setDone(NINE);
    const more = async (at: number) => (await scene.list()).tasks.filter(({ hours }) => hours !== null)[at]?.id ?? "";
    await scene.update(await more(0), { actualHours: null });
    expect((await read(scene.user)).ratio.n).toBe(8);
    await scene.update(await more(0), { actualHours: 6, doneAt: null });
    expect((await read(scene.user)).ratio.n).toBe(8);
  });

  it("shows only what a user works on: not a stranger's, not what was only shared, and nothing deleted", async () => {
    const [scene, other] = [await setDone(NINE), await app.signUp()];
    expect((await read(other)).ratio.n).toBe(0);
    const share = "insert into estimation_readers (estimation_id, user_id, shared) values ($1, $2, 'editor')";
    await app.pool.query(share, [scene.estimationId, other.userId]);
    expect((await read(other)).ratio.n).toBe(0);
    const [task] = (await scene.list()).tasks;
    await app.request("PUT", `${scene.path}/tasks/${task?.id}`, { token: other.token, body: { title: "Changed" } });
    expect((await read(other)).ratio.n).toBe(9);
    const own = await setDone(NINE, scene.user);
    expect((await read(scene.user)).ratio.n).toBe(18);
    await app.request("DELETE", own.path, { token: scene.user.token });
    expect((await read(scene.user)).ratio.n).toBe(9);
  });

  it("covers the 1,000 tasks that were done last, and says that there are more", async () => {
    const scene = await setDone([5]);
    const add = (from: number, to: number) =>
      app.pool.query(
        `insert into tasks select (json_populate_record(t, json_build_object('id', 'tsk_' || n, 'actual_hours', 40,
           'done_at', t.done_at + n * interval '1 second'))).* from tasks t, generate_series($2::int, $3::int) n
         where t.estimation_id = $1 and t.hours is not null and t.id not like 'tsk\\__' and t.actual_hours = 5`,
        [scene.estimationId, from, to],
      );
    const count = () =>
      app.pool.query(
        "update task_totals set finished = (select count(*) from tasks where estimation_id = $1 and actual_hours > 0) where estimation_id = $1",
        [scene.estimationId],
      );
    await add(1, limits.accuracyTasks - 1);
    await count();
    expect(await read(scene.user)).toMatchObject({ ratio: { n: limits.accuracyTasks }, isCut: false });
    await add(limits.accuracyTasks, limits.accuracyTasks);
    await count();
    const { ratio, isCut, months } = await read(scene.user);
    // The task that took 5 hours was done before all others.
    expect([ratio.n, isCut, months.reduce((sum, { n }) => sum + n, 0)]).toEqual([
      limits.accuracyTasks,
      true,
      limits.accuracyTasks,
    ]);
    const low = await app.pool.query("select 1 from tasks where estimation_id = $1 and actual_hours = 5", [
      scene.estimationId,
    ]);
    expect(low.rowCount).toBe(1);
  });
});

describe("the estimations that are searched for finished tasks", () => {
  it("are the newest 1,000 that a user works on, and the answer says if there are more", async () => {
    const { user } = await setDone(NINE);
    // Ids that come after those of today: newer ones.
    const add = async (from: number, to: number) =>
      app.pool.query(
        `with made as (
           insert into estimations (id, owner_id, title, description, correlation, created_at, updated_at)
           select 'est_z' || lpad(n::text, 25, '0'), $1, 'Newer', '', 0.2, now(), now() from generate_series($2::int, $3::int) n
           returning id)
         insert into estimation_readers (estimation_id, user_id, owns) select id, $1, true from made`,
        [user.userId, from, to],
      );
    await add(1, limits.accuracyEstimations - 1);
    expect(await read(user)).toMatchObject({ ratio: { n: NINE.length }, isCut: false });
    await add(limits.accuracyEstimations, limits.accuracyEstimations);
    expect(await read(user)).toMatchObject({ ratio: { n: 0 }, isCut: true });
  });

  const source = (estimationId: string, finished: number) => ({ estimationId, finished, revision: 1, isOwn: true });

  it("are the newest, until they have enough together", () => {
    const all = [source("a", 400), source("b", 600), source("c", 399), source("d", 1)];
    const chosen = (most: number) => newestWith(all, most).map(({ estimationId }) => estimationId);
    expect([chosen(400), chosen(401), chosen(1_000), chosen(1_001)]).toEqual([
      ["d", "c"],
      ["d", "c", "b"],
      ["d", "c", "b"],
      ["d", "c", "b", "a"],
    ]);
  });
});
