import { createHook } from "node:async_hooks";
import { describe, expect, test } from "vitest";
import { until } from "../../../tests/harness.ts";
import { composeItems } from "./compose.ts";
import { BULK as CREATE, setJiraStage } from "./testing/stage.ts";

const { app, fake, call, connection, estimate, events, goOn } = await setJiraStage({
  retryAfterSeconds: 3,
  lateMs: 1_500,
});
const SEARCH = /search\/jql$/;
const NEVER = new Date(8.64e15);

const bySummary = (summary: string) => fake.site.issues.find((issue) => issue.summary.includes(summary));

describe("an export to Jira", () => {
  test("makes an issue of each task, below that of its parent, and tells the key of the project", async () => {
    const { id, path, exported, tasks } = await estimate([2, 1]);
    const { run, items } = await exported();
    expect(run).toMatchObject({ status: "completed", problem: null, projectKey: "SHOP", repository: null });
    expect(run.progress).toEqual({ total: 5, created: 5, updated: 0, skipped: 0, failed: 0 });
    const group = bySummary("Group 1");
    expect(bySummary("Part 1.2")).toMatchObject({ parent: group?.id, typeId: "10103", estimate: 7_200 });
    expect(group).toMatchObject({ parent: null, typeId: "10102", labels: [`estimation-${id.slice(-12)}`] });
    // Two levels are two requests.
    expect(fake.asked.filter(({ operation }) => CREATE.test(operation))).toHaveLength(2);
    const listed = await tasks();
    expect(listed.map(({ externalRef }) => externalRef?.url)).toEqual(items.map(({ url }) => url));
    expect(listed[0]?.externalRef).toMatchObject({ target: "jira", key: group?.key });
    expect(await events(id)).toMatchObject([{ estimationId: id, taskCount: 5, projectKey: "SHOP" }]);
    expect((await call("GET", path)).data.estimation?.status).toBe("exported");
  });

  test("gives refused tasks Jira's words, makes the others, and tries the refused ones again", async () => {
    const { exported, tasks, begin, finish, items: itemsOf } = await estimate([2, 2]);
    const [group, part] = await tasks();
    // Jira's own rule changes between its screens and the request.
    fake.faults.next("retry_after_429", CREATE);
    const begun = await begin();
    await until(async () => {
      await goOn();
      return fake.faults.left() === 0;
    });
    fake.site.field("10103", "priority").hasDefaultValue = false;
    await finish(begun);
    const items = await itemsOf(begun);
    const failed = items.filter(({ outcome }) => outcome === "failed");
    expect(failed.map(({ reason }) => reason)).toEqual(Array(4).fill("“priority: Priority is required.”"));
    expect(items.find(({ taskId }) => taskId === group?.id)?.outcome).toBe("created");
    expect(failed.map(({ taskId }) => taskId)).toContain(part?.id);
    fake.site.field("10103", "priority").hasDefaultValue = true;
    const { run } = await exported({ retryOf: begun });
    expect(run).toMatchObject({ status: "completed", progress: { total: 4, created: 4 } });
    expect(fake.site.issues).toHaveLength(6);
  });

  test("leaves what is unchanged, updates what changed here, and keeps and names what changed there", async () => {
    const { path, exported, tasks } = await estimate([2]);
    await exported();
    // By the other address of the site.
    const body = { target: "jira", name: "Scoped", baseUrl: fake.gatewayUrl, email: fake.email, token: fake.token };
    const connectionId = String((await call("POST", "/api/connections", body)).data.connection?.id);
    expect((await exported({ connectionId })).run.progress).toMatchObject({ created: 0, updated: 0, skipped: 3 });
    const [, one, two] = await tasks();
    await call("PUT", `${path}/tasks/${one?.id}`, { title: "Part, renamed", hours: 7.5 });
    await call("PUT", `${path}/tasks/${two?.id}`, { title: "Part, renamed here", description: "New." });
    const issue = bySummary("Part 1.2");
    if (issue) issue.summary = "Renamed there";
    const { run, items } = await exported();
    expect(run.progress).toMatchObject({ created: 0, updated: 2, skipped: 1 });
    expect(bySummary("Part, renamed")).toMatchObject({ estimate: 27_000 });
    expect(issue?.summary).toBe("Renamed there");
    expect(JSON.stringify(issue?.description)).toContain("New.");
    expect(items.map(({ keptFields }) => keptFields)).toContainEqual(["summary"]);
    expect(fake.site.issues).toHaveLength(3);
  });

  test("reports deleted issues, fails tasks that would be below them, and makes them again on request only", async () => {
    const { exported, tasks } = await estimate([2]);
    await exported();
    const [group, refused, other] = await tasks();
    // Jira has refused this one before, and people have deleted its parent since, with all that was below it.
    await app.pool.query("update export_ledger set state = 'failed', ref = null where task_id = $1", [refused?.id]);
    for (const issue of fake.site.issues) issue.deleted = true;
    const { run, items } = await exported();
    expect(items).toMatchObject([
      { taskId: group?.id, outcome: "gone" },
      { taskId: refused?.id, outcome: "failed", reason: expect.stringContaining("parent task has no issue") },
      { taskId: other?.id, outcome: "gone" },
    ]);
    expect(run).toMatchObject({ status: "partial", progress: { created: 0, skipped: 2, failed: 1 } });
    const again = await exported({ recreateDeleted: true });
    expect(again.run.progress).toMatchObject({ created: 3, failed: 0 });
    const alive = fake.site.issues.filter(({ deleted }) => !deleted);
    expect(alive.map(({ parent }) => parent)).toEqual([null, alive[0]?.id, alive[0]?.id]);
  });

  test("puts tasks that are deeper than the types allow beside their parents, with a link and a warning", async () => {
    const { data } = await call("POST", "/api/estimations", { title: "Deep" });
    const path = `/api/estimations/${data.estimation?.id}`;
    const options = (title: string, nodes: object[] = []) => [{ title, hours: 1, nodes }];
    const group = (title: string, nodes?: object[]) => ({
      title,
      kind: "group",
      options: options(`${title}, part`, nodes),
    });
    await call("PUT", `${path}/tree`, { nodes: [group("A", [group("B", [group("C")])])] });
    await call("POST", `${path}/tasks/generate`);
    const start = async (issueType: string) => {
      const body = { target: "jira", connectionId: connection, projectKey: "SHOP", issueType };
      const exportId = String((await call("POST", `${path}/tasks/export`, body)).data.export?.id);
      await until(async () => {
        await goOn();
        return (await call("GET", `${path}/exports/${exportId}`)).data.export?.endedAt !== null;
      });
      return (await call("GET", `${path}/exports/${exportId}/items`)).data.items as unknown as {
        outcome: string;
        warnings: { code: string }[];
      }[];
    };
    const items = await start("Epic");
    expect(new Set(items.map(({ outcome }) => outcome))).toEqual(new Set(["created"]));
    const codes = items.flatMap(({ warnings }) => warnings.map(({ code }) => code));
    expect(codes.filter((code) => code === "too_deep").length).toBeGreaterThan(0);
    const linked = fake.site.issues.filter(({ description }) => JSON.stringify(description).includes("Part of: "));
    expect(linked).toHaveLength(codes.filter((code) => code === "too_deep").length);
  });

  test("finds an issue that was sent without a response, although it appears late", async () => {
    const { exported } = await estimate([2]);
    fake.faults.next("late", CREATE);
    fake.faults.next("error_before", SEARCH);
    const { run } = await exported();
    expect(run).toMatchObject({ status: "completed", progress: { created: 3 } });
    expect([...fake.site.byMarker().values()].map((found) => found.length)).toEqual([1, 1, 1]);
  });

  test("reports a duplicate that Jira shows only after the issue was sent again", async () => {
    const { exported } = await estimate([1]);
    fake.faults.next("late", CREATE);
    const showFirst = (listedAt: Date) => Object.assign(fake.site.issues[0] ?? {}, { listedAt });
    fake.onRequest(() => showFirst(NEVER), SEARCH);
    fake.onRequest(() => showFirst(app.clock.now()), CREATE, 2);
    const { run, items } = await exported();
    expect(run).toMatchObject({ status: "completed", progress: { created: 2, failed: 0 } });
    expect(fake.site.issues.map(({ summary }) => summary.slice(0, 5))).toEqual(["Group", "Group", "Part "]);
    const [first, second] = [1, 2].map((number) => `${fake.siteUrl()}/browse/${fake.name}-${number}`);
    expect(items).toMatchObject([
      { url: second, warnings: [{ code: "twin", message: expect.stringContaining(`${first}, ${second}`) }] },
      { warnings: [] },
    ]);
  });

  test.each([
    ["the response says that nothing is left of the budget", "last_allowed"],
    ["a rule of the project takes the labels away", "dropped"],
  ] as const)("makes each issue once where %s", async (_, kind) => {
    const { exported } = await estimate([1]);
    fake.faults.next(kind, CREATE);
    expect((await exported()).run).toMatchObject({ status: "completed", progress: { created: 2, failed: 0 } });
    expect((await exported()).run).toMatchObject({ status: "completed", progress: { skipped: 2 } });
    expect(fake.site.issues).toHaveLength(2);
    expect(fake.site.issues[0]?.labels).toHaveLength(kind === "dropped" ? 0 : 1);
  });

  test("ends as token_rejected, and continues with a new token", async () => {
    const { begin, finish, path, items } = await estimate([1]);
    fake.faults.next("unauthorized", CREATE);
    const id = await begin();
    const ended = await finish(id);
    expect(ended).toMatchObject({ status: "failed", resumable: true, problem: { code: "token_rejected" } });
    expect(fake.site.issues).toEqual([]);
    expect((await call("GET", `/api/connections/${connection}`)).data.connection?.tokenRejectedAt).not.toBeNull();
    await call("PATCH", `/api/connections/${connection}`, { token: fake.token });
    expect((await call("POST", `${path}/exports/${id}/resume`)).status).toBe(202);
    expect(await finish(id)).toMatchObject({ status: "completed", progress: { created: 2 } });
    expect((await items(id)).map(({ outcome }) => outcome)).toEqual(["created", "created"]);
  });

  test("finds types in every language, shows them, and goes on with them in another one", async () => {
    const { begin, finish, path, exported } = await estimate([1]);
    const names = { Task: "Aufgabe", Subtask: "Unteraufgabe", Bug: "Fehler", Epic: "Epos" };
    for (const [name, shown] of Object.entries(names)) fake.site.translations.set(name, shown);
    try {
      expect((await exported({ dryRun: true })).run).toMatchObject({ issueTypes: ["Aufgabe", "Unteraufgabe"] });
      fake.faults.next("unauthorized", CREATE);
      const id = await begin({ issueType: "Aufgabe" });
      expect(await finish(id)).toMatchObject({ status: "failed", issueTypes: ["Aufgabe", "Unteraufgabe"] });
      // The next token is that of somebody whose language is another one.
      fake.site.translations.clear();
      await call("PATCH", `/api/connections/${connection}`, { token: fake.token });
      await call("POST", `${path}/exports/${id}/resume`);
      expect(await finish(id)).toMatchObject({ status: "completed", issueTypes: ["Task", "Subtask"] });
      expect(fake.site.issues.map(({ typeId }) => typeId)).toEqual(["10102", "10103"]);
    } finally {
      fake.site.translations.clear();
    }
  });

  test("reads back which tasks are done and their actual hours", async () => {
    const { exported, path, finish, tasks } = await estimate([1]);
    const { id } = await exported();
    const issue = bySummary("Part 1.1");
    if (!issue) throw new Error("no issue");
    issue.doneAt = app.clock.now();
    issue.worklogs.push(5_400, 3_600);
    // Reading needs no right to write.
    fake.settings.permissions.delete("CREATE_ISSUES");
    const pull = async () => {
      const { data } = await call("POST", `${path}/exports/${id}/pull`, {});
      return finish(String(data.export?.id));
    };
    expect(await pull()).toMatchObject({ status: "completed", kind: "pull", progress: { updated: 1 } });
    fake.settings.permissions.add("CREATE_ISSUES");
    const part = async () => (await tasks()).find(({ title }) => title?.includes("Part"));
    expect(await part()).toMatchObject({ doneAt: issue.doneAt.toISOString(), actualHours: 2.5 });
    issue.doneAt = null;
    await pull();
    expect(await part()).toMatchObject({ doneAt: null, actualHours: 2.5 });
  });

  test("as a dry run reports what it would do, and writes nothing", async () => {
    const { exported } = await estimate([1]);
    const before = fake.asked.length;
    expect((await exported({ dryRun: true })).run.progress).toMatchObject({ created: 2 });
    expect(fake.asked.slice(before).filter(({ operation }) => /^PUT|bulk$/.test(operation))).toEqual([]);
    expect(fake.site.issues).toEqual([]);
  });

  test("requires the fields of its own tracker's destination, and refuses those of the other", async () => {
    const { path } = await estimate([1]);
    const start = (more: object) => call("POST", `${path}/tasks/export`, { connectionId: connection, ...more });
    const faultOf = async (more: object) => {
      const { status, body } = await start(more);
      return [status, body.errors?.[0]?.path, body.errors?.[0]?.code];
    };
    expect(await faultOf({ target: "jira" })).toEqual([400, "/projectKey", "required"]);
    expect(await faultOf({ target: "github" })).toEqual([400, "/repository", "required"]);
    expect(await faultOf({ target: "jira", repository: "a/b" })).toEqual([400, "/repository", "not_allowed"]);
    expect(await faultOf({ target: "github", repository: "a/b", issueType: "Task" })).toEqual([
      400,
      "/issueType",
      "not_allowed",
    ]);
    // A connection to Jira cannot be used for GitHub.
    expect((await start({ target: "github", repository: "a/b" })).status).toBe(404);
  });
});

test("composing many issues lets other work run after each", async () => {
  const { id } = await estimate([20]);
  const { rows } = await app.pool.query("select id from tasks where estimation_id = $1", [id]);
  const tracker = { compose: () => ({ fields: { title: "" }, warnings: [] }) };
  const context = { services: app.services, run: { estimationId: id }, tracker, reached: { layout: {} } } as never;
  const items = rows.map(({ id: taskId }) => ({ item: { taskId, linkId: null }, ledger: null, marker: "" }) as never);
  let immediates = 0;
  const hook = createHook({
    init(_, type) {
      if (type === "Immediate") immediates += 1;
    },
  }).enable();
  const composed = await composeItems(context, app.services.pool, items).finally(() => hook.disable());
  expect(composed.every(({ task }) => task !== null)).toBe(true);
  expect(immediates).toBeGreaterThanOrEqual(items.length);
});
