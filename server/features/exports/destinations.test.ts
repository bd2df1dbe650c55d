import { expect, test } from "vitest";
import { until } from "../../../tests/harness.ts";
import { startGithub } from "../../../tests/support/github/server.ts";
import { CREATE, setStage } from "./testing/stage.ts";

const { app, fake, call, estimate, goOn } = await setStage();
const LINK = /sub_issues$/;
const MINUTE_MS = 60_000;

const numberOf = (title: string) => fake.repository.issues.find((issue) => issue.title.includes(title))?.number;
const parentOf = (title: string) => fake.repository.issues.find((issue) => issue.title.includes(title))?.parent;

test("an issue that GitHub refused to place below its new parent is moved from its present place to the next one", async () => {
  const { id, exported, tasks } = await estimate([1, 1, 1]);
  await exported();
  const taskId = (title: string, all: Awaited<ReturnType<typeof tasks>>) =>
    all.find((task) => String(task.title).includes(title))?.id;
  const all = await tasks();
  const moveBelow = (group: string) =>
    app.pool.query("update tasks set parent_task_id = $3 where estimation_id = $1 and id = $2", [
      id,
      taskId("Part 1.1", all),
      taskId(group, all),
    ]);
  expect(parentOf("Part 1.1")).toBe(numberOf("Group 1"));
  await moveBelow("Group 2");
  fake.faults.next("invalid", LINK);
  const warned = (await exported()).items.find(({ taskId: of }) => of === taskId("Part 1.1", all));
  expect(warned).toMatchObject({ warnings: [{ code: "not_placed" }] });
  // What was refused is not tried again.
  fake.asked.length = 0;
  await exported();
  expect(fake.asked.filter(({ operation }) => LINK.test(operation))).toEqual([]);
  expect(parentOf("Part 1.1")).toBe(numberOf("Group 1"));
  await moveBelow("Group 3");
  await exported();
  expect(parentOf("Part 1.1")).toBe(numberOf("Group 3"));
  expect((await exported()).run.progress).toMatchObject({ skipped: 6 });
});

test("reading back through a connection to another server is refused with that reason, and reads nothing", async () => {
  const { path, exported, finish } = await estimate([1]);
  const { id } = await exported();
  const other = await startGithub({ now: app.clock.now });
  other.trustedBy(app.services.config.dataDir);
  try {
    const body = { target: "github", name: "Another", baseUrl: other.url, token: other.token };
    const connectionId = String((await call("POST", "/api/connections", body)).data.connection?.id);
    const pull = async (more: object) =>
      finish(String((await call("POST", `${path}/exports/${id}/pull`, more)).data.export?.id));
    expect(await pull({ connectionId })).toMatchObject({ status: "failed", problem: { code: "destination_moved" } });
    expect(await pull({})).toMatchObject({ status: "completed", progress: { total: 2 } });
  } finally {
    await other.close();
  }
});

test("a repository that replaces another during an export gets no issues of that export", async () => {
  const { path, begin, finish } = await estimate([3]);
  fake.faults.next("slow", CREATE);
  const exportId = await begin();
  await until(async () => {
    await goOn();
    return fake.asked.at(-1)?.fault === "slow";
  });
  const { id } = fake.settings;
  fake.settings.id = id + 1;
  await app.clock.advance(11 * MINUTE_MS);
  await until(() => fake.repository.issues.length === 1);
  fake.release();
  expect(await finish(exportId)).toMatchObject({ status: "failed", problem: { code: "destination_moved" } });
  expect(fake.repository.issues.length).toBeLessThanOrEqual(1);
  fake.settings.id = id;
  await call("POST", `${path}/exports/${exportId}/resume`);
  expect(await finish(exportId)).toMatchObject({ status: "completed", progress: { created: 4 } });
  expect(fake.repository.issues).toHaveLength(4);
});
