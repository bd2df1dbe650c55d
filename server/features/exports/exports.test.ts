import { describe, expect, test } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { until } from "../../../tests/harness.ts";
import { sumOf } from "../../../tests/support/metrics.ts";
import { CREATE, LIST, setStage } from "./testing/stage.ts";

const RETRY_AFTER_SECONDS = 5;
const { app, fake, call, connection, estimate, events, activity, goOn } = await setStage({
  retryAfterSeconds: RETRY_AFTER_SECONDS,
});
const NEVER = new Date(8.64e15);
const REPOSITORY = /^GET .*\{repo\}$/;

const issuesOf = (titles: readonly string[]) =>
  fake.repository.issues.filter(({ title }) => titles.some((known) => title.includes(known)));

describe("an export", () => {
  test("makes an issue of each task, below that of its parent, and sends one event, with the change to exported", async () => {
    const counted = async (outcome: string) =>
      sumOf(await app.services.metrics.registry.metrics(), "estimation_exports_total", { kind: "export", outcome });
    const before = Number(await counted("completed"));
    const { id, path, exported, tasks } = await estimate([2, 1]);
    const { run, items } = await exported();
    await until(async () => (await counted("completed")) === before + 1);
    expect(await counted("failed")).toBe(0);
    expect(run).toMatchObject({ status: "completed", problem: null, resumable: false });
    expect(run.progress).toEqual({ total: 5, created: 5, updated: 0, skipped: 0, failed: 0 });
    expect(fake.repository.issues).toHaveLength(5);
    expect(items.map(({ outcome }) => outcome)).toEqual(Array(5).fill("created"));
    const listed = await tasks();
    expect(listed.map(({ externalRef }) => externalRef?.url)).toEqual(items.map(({ url }) => url));
    const parts = fake.repository.issues.filter(({ title }) => title.includes("Part"));
    expect(parts).toHaveLength(3);
    expect(await events(id)).toEqual([
      {
        estimationId: id,
        taskCount: 5,
        projectKey: "acme/shop",
        estimationTitle: "Shop",
        estimationUrl: `${app.services.config.webUrl}/estimations/${id}`,
      },
    ]);
    const { data } = await call("GET", path);
    expect(data.estimation?.status).toBe("exported");
  });

  test("leaves unchanged fields, updates fields changed here, and keeps and reports fields changed there", async () => {
    const { exported, tasks, path, id } = await estimate([2]);
    await exported();
    const before = fake.repository.issues.length;
    const again = await exported();
    expect(again.run.progress).toMatchObject({ created: 0, updated: 0, skipped: 3 });
    const [, first, second] = await tasks();
    await call("PUT", `${path}/tasks/${first?.id}`, { title: "Renamed here" });
    await call("PUT", `${path}/tasks/${second?.id}`, { title: "Renamed here as well" });
    const theirs = issuesOf(["Part 1.2"])[0];
    fake.repository.edit(Number(theirs?.number), { title: "Renamed there" });
    const { run, items } = await exported();
    expect(run.progress).toEqual({ total: 3, created: 0, updated: 1, skipped: 2, failed: 0 });
    expect(items.map(({ outcome, keptFields }) => [outcome, keptFields])).toEqual([
      ["unchanged", []],
      ["updated", []],
      ["kept", ["title"]],
    ]);
    expect(issuesOf(["Renamed"]).map(({ title }) => title)).toEqual(["Renamed here", "Renamed there"]);
    expect(fake.repository.issues).toHaveLength(before);
    expect((await events(id)).map(({ taskCount }) => taskCount)).toEqual([3, 0, 0]);
  });

  test("recognises a repository by every spelling of its address", async () => {
    const { exported } = await estimate([1]);
    await exported();
    const body = { target: "github", name: "Same", baseUrl: `${fake.url}/api/v3`, token: fake.token };
    const connectionId = String((await call("POST", "/api/connections", body)).data.connection?.id);
    const again = await exported({ connectionId, repository: fake.name.toUpperCase() });
    expect(again.run.progress).toMatchObject({ created: 0, skipped: 2 });
    expect(fake.repository.issues).toHaveLength(2);
  });

  test("knows the issues of a repository that was renamed, and refuses its former name", async () => {
    const { id, exported } = await estimate([1]);
    await exported();
    Object.assign(fake.settings, { newName: "acme/store" });
    const former = await exported();
    expect(former.run).toMatchObject({ status: "failed", problem: { code: "destination_moved" } });
    const present = await exported({ repository: "acme/store" });
    expect(present.run).toMatchObject({ status: "completed", progress: { created: 0, skipped: 2 } });
    Object.assign(fake.settings, { newName: null });
    expect(fake.repository.issues).toHaveLength(2);
    const { rows } = await app.pool.query("select distinct destination from export_ledger where estimation_id = $1", [
      id,
    ]);
    expect(rows).toEqual([{ destination: `github ${fake.url}/api/v3 ${fake.settings.id}` }]);
  });

  test("as a dry run reports what it would do, and writes nothing, here or there", async () => {
    const { id, path, exported, tasks } = await estimate([2]);
    const { run, items } = await exported({ dryRun: true });
    expect(run).toMatchObject({ status: "completed", dryRun: true });
    expect(items.map(({ outcome }) => outcome)).toEqual(["created", "created", "created"]);
    expect(fake.repository.issues).toHaveLength(0);
    expect((await tasks()).map(({ externalRef }) => externalRef)).toEqual([null, null, null]);
    expect(await events(id)).toEqual([]);
    const { data } = await call("GET", path);
    expect(data.estimation?.status).toBe("tasks_generated");
    const { rows } = await app.pool.query("select from export_ledger where estimation_id = $1", [id]);
    expect(rows).toHaveLength(0);
  });

  test("sends nothing twice when a response is lost, whether the issue exists or not", async () => {
    const { id, exported } = await estimate([4]);
    for (const kind of ["error_before", "error_after", "reset_before", "truncated", "reset_after"] as const) {
      fake.faults.next(kind, CREATE);
    }
    const { run } = await exported();
    expect(run).toMatchObject({ status: "completed" });
    expect(run.progress).toMatchObject({ created: 5, failed: 0 });
    expect(fake.repository.issues).toHaveLength(5);
    const { rows } = await app.pool.query("select state, sends from export_ledger where estimation_id = $1", [id]);
    expect(rows.map(({ state }) => state)).toEqual(Array(5).fill("created"));
    expect(rows.map(({ sends }) => sends).sort()).not.toEqual([1, 1, 1, 1, 1]);
  });

  test("reports a duplicate that GitHub shows only after the issue was sent again", async () => {
    const { exported } = await estimate([1]);
    fake.faults.next("late", CREATE);
    const showFirst = (listedAt: Date) => Object.assign(fake.repository.issues[0] ?? {}, { listedAt });
    fake.onRequest(() => showFirst(NEVER), LIST);
    fake.onRequest(() => showFirst(app.clock.now()), CREATE, 2);
    const { run, items } = await exported();
    expect(run).toMatchObject({ status: "completed", progress: { created: 2, failed: 0 } });
    expect(fake.repository.issues.map(({ title }) => title.slice(0, 5))).toEqual(["Group", "Group", "Part "]);
    const [first, second] = [1, 2].map((number) => `${fake.url}/${fake.name}/issues/${number}`);
    expect(items).toMatchObject([
      { url: second, warnings: [{ code: "twin", message: expect.stringContaining(`${first}, ${second}`) }] },
      { warnings: [] },
    ]);
  });

  test.each([
    ["the check of the repository is refused", "used_up", REPOSITORY],
    ["the check of the repository uses up the budget", "last_allowed", REPOSITORY],
    ["the check of the repository finds GitHub away", "unavailable", REPOSITORY],
    ["GitHub is away when an issue is created", "unavailable", CREATE],
    ["a look-up uses up the budget", "last_allowed", LIST],
  ] as const)("asks nothing for as long as GitHub says when %s", async (_, kind, on) => {
    const { exported } = await estimate([1]);
    if (on === LIST) fake.faults.next("reset_after", CREATE);
    fake.faults.next(kind, on);
    expect((await exported()).run).toMatchObject({ status: "completed", progress: { created: 2 } });
    const at = fake.asked.findLastIndex(({ fault }) => fault === kind);
    const [hit, following] = fake.asked.slice(at).map((one) => one.at.getTime());
    expect(Number(following) - Number(hit)).toBeGreaterThanOrEqual(RETRY_AFTER_SECONDS * 1_000);
    expect(fake.repository.issues).toHaveLength(2);
  });

  test("retries only an export to the same repository, and keeps that export as long as it is needed", async () => {
    const { id, path, begin, finish, exported } = await estimate([1]);
    fake.faults.next("unauthorized", CREATE);
    const earlier = await begin();
    await finish(earlier);
    const body = { target: "github", connectionId: connection, retryOf: earlier };
    const other = await call("POST", `${path}/tasks/export`, { ...body, repository: "acme/other" });
    expect([other.status, other.body.errors?.[0]?.path]).toEqual([400, "/retryOf"]);
    const pull = await call("POST", `${path}/exports/${earlier}/pull`, {});
    const pulled = String(pull.data.export?.id);
    await finish(pulled);
    const ofPull = await call("POST", `${path}/tasks/export`, { ...body, repository: fake.name, retryOf: pulled });
    expect([ofPull.status, ofPull.body.errors?.[0]?.path]).toEqual([400, "/retryOf"]);
    await app.pool.query(
      `insert into export_runs (id, estimation_id, kind, target, address, destination, project, connection_id, user_id, dry_run,
         recreate_deleted, status, progress_at, created_at, updated_at)
       select id || n, estimation_id, kind, target, address, destination, project, connection_id, user_id, dry_run,
         recreate_deleted, 'completed', created_at, created_at, updated_at
       from export_runs, generate_series(1, $2) n where export_runs.id = $1`,
      [pulled, limits.exportsPerEstimation],
    );
    const { run } = await exported({ retryOf: earlier });
    expect(run.progress).toMatchObject({ total: 2, created: 2 });
    // It is no longer needed.
    const kept = async () =>
      (await app.pool.query("select id from export_runs where estimation_id = $1", [id])).rows.map((row) => row.id);
    await until(async () => !(await kept()).includes(earlier));
    await until(async () => (await kept()).length === limits.exportsPerEstimation);
  });

  test("looks again for an issue that an earlier export found missing and did not send again", async () => {
    const { id, exported } = await estimate([1]);
    await exported();
    const { rowCount } = await app.pool.query(
      `update export_ledger set state = 'unknown', look_ups = 2, ref = null, key = null, url = null
       where estimation_id = $1`,
      [id],
    );
    expect(rowCount).toBe(2);
    const { run } = await exported();
    expect(run).toMatchObject({ status: "completed", progress: { failed: 0 } });
    expect(fake.repository.issues).toHaveLength(2);
  });

  test("reports an issue that was deleted there, and makes it again only on request", async () => {
    const { exported, tasks } = await estimate([1]);
    await exported();
    const deleted = issuesOf(["Part"])[0];
    Object.assign(deleted ?? {}, { gone: "deleted" });
    const { items } = await exported();
    expect(items.map(({ outcome, url }) => [outcome, url === null])).toEqual([
      ["unchanged", false],
      ["gone", true],
    ]);
    expect((await tasks()).map(({ externalRef }) => externalRef === null)).toEqual([false, true]);
    expect(fake.repository.issues).toHaveLength(2);
    const { run } = await exported({ recreateDeleted: true });
    expect(run.progress).toMatchObject({ created: 1 });
    expect(issuesOf(["Part"]).map(({ gone }) => gone)).toEqual(["deleted", null]);
  });

  test("as a dry run changes nothing that is known of issues, and reports what was deleted there", async () => {
    const { id, exported, tasks } = await estimate([2]);
    await exported();
    Object.assign(issuesOf(["Part 1.1"])[0] ?? {}, { gone: "deleted" });
    await app.pool.query("update tasks set external_ref = null where estimation_id = $1 and title = 'Part 1.2'", [id]);
    const known = async () => [
      (await tasks()).map(({ externalRef }) => externalRef),
      (await app.pool.query("select * from export_ledger where estimation_id = $1 order by task_id", [id])).rows,
    ];
    const before = await known();
    const plain = await exported({ dryRun: true });
    const wanted = await exported({ dryRun: true, recreateDeleted: true });
    expect(plain.items.map(({ outcome }) => outcome)).toEqual(["unchanged", "gone", "unchanged"]);
    expect(wanted.items.map(({ outcome }) => outcome)).toEqual(["unchanged", "created", "unchanged"]);
    expect(await known()).toEqual(before);
  });

  test("continues if an issue was turned into a pull request, leaves that unchanged, and reports it", async () => {
    const { exported, tasks } = await estimate([1]);
    await exported();
    const part = issuesOf(["Part"])[0];
    Object.assign(part ?? {}, { isPullRequest: true });
    const { run, items } = await exported({ recreateDeleted: true });
    expect([run.status, items.map(({ outcome }) => outcome)]).toEqual(["completed", ["unchanged", "gone"]]);
    expect(items[1]?.reason).toContain("pull request");
    expect((await tasks()).map(({ externalRef }) => externalRef === null)).toEqual([false, true]);
    expect(fake.repository.issues).toHaveLength(2);
  });

  test("does not make an issue again that was moved, or that only a cancelled export was to make again", async () => {
    const { path, begin, finish, exported } = await estimate([1]);
    await exported();
    const part = issuesOf(["Part"])[0];
    for (const gone of ["transferred", "hidden"]) {
      Object.assign(part ?? {}, { gone });
      const moved = await exported({ recreateDeleted: true });
      expect(moved.items.map(({ outcome }) => outcome)).toEqual(["unchanged", "gone"]);
    }
    Object.assign(part ?? {}, { gone: "deleted" });
    fake.faults.next("slow", /^GET .*\/issues\/\{issue_number\}$/);
    const exportId = await begin({ recreateDeleted: true });
    await until(async () => {
      await goOn();
      return fake.asked.at(-1)?.fault === "slow";
    });
    await call("POST", `${path}/exports/${exportId}/cancel`);
    fake.release();
    expect(await finish(exportId)).toMatchObject({ status: "cancelled" });
    const again = await exported();
    expect(again.items.map(({ outcome }) => outcome)).toEqual(["unchanged", "gone"]);
    expect(fake.repository.issues).toHaveLength(2);
    const { run } = await exported({ recreateDeleted: true });
    expect(run.progress).toMatchObject({ created: 1, skipped: 1 });
    expect(fake.repository.issues).toHaveLength(3);
  });
});

describe("a pull", () => {
  test("marks tasks of closed issues as done, reverts that when they are reopened, and leaves what people set here", async () => {
    const { path, exported, finish, tasks } = await estimate([2]);
    const { id } = await exported();
    const [group, first, second] = await tasks();
    const pull = async () => {
      const { data, status, text } = await call("POST", `${path}/exports/${id}/pull`, {});
      expect(status, text).toBe(202);
      expect((await activity(path))[0]).toEqual(["tasks.read_back", data.export?.id]);
      return finish(String(data.export?.id));
    };
    const numberOf = (title: string) => Number(issuesOf([title])[0]?.number);
    await call("PUT", `${path}/tasks/${group?.id}`, { doneAt: "2026-01-31T00:00:00Z" });
    fake.repository.close(numberOf("Part 1.1"));
    fake.repository.comment(numberOf("Part 1.2"), "Actual hours: 2.5");
    expect((await pull()).progress).toEqual({ total: 3, created: 0, updated: 2, skipped: 1, failed: 0 });
    const byId = async () => new Map((await tasks()).map((task) => [task.id, task]));
    const closed = await byId();
    expect(closed.get(first?.id as never)?.doneAt).not.toBeNull();
    expect(closed.get(second?.id as never)).toMatchObject({ actualHours: 2.5, doneAt: null });
    expect((await pull()).progress).toMatchObject({ updated: 0, skipped: 3 });
    fake.repository.reopen(numberOf("Part 1.1"));
    expect((await pull()).progress).toMatchObject({ updated: 1 });
    const reopened = await byId();
    expect(reopened.get(first?.id as never)?.doneAt).toBeNull();
    expect(reopened.get(group?.id as never)?.doneAt).toBe("2026-01-31T00:00:00.000Z");
  });
});

describe("the tasks of an estimation", () => {
  test("keep their issue: an exported task is never removed, and a task that comes back has its issue again", async () => {
    const { path, exported, tasks } = await estimate([1], { submits: false });
    await exported();
    const [, part] = await tasks();
    await call("DELETE", `${path}/tasks/${part?.id}`);
    await call("POST", `${path}/tasks/generate`);
    expect((await tasks()).find(({ id }) => id === part?.id)?.externalRef).toEqual(part?.externalRef);
    await app.pool.query("update tasks set external_ref = null where id = $1", [part?.id]);
    const { data } = await call("GET", `${path}/tree`);
    const option = data.tree?.nodes?.[0]?.options?.[0]?.id;
    await call("DELETE", `${path}/tree/options/${option}`);
    const { data: generated } = await call("POST", `${path}/tasks/generate`);
    expect(generated.summary).toMatchObject({ removed: 0 });
    expect((await tasks()).find(({ id }) => id === part?.id)?.status).toBe("obsolete");
  });
});
