import { afterAll, expect, test } from "vitest";
import { type Client, createClient } from "../../contract/client/client.ts";
import { markersIn } from "../../domain/exports/github/marker.ts";
import { start, until } from "../harness.ts";
import { startGithub } from "../support/github/server.ts";
import { startJira } from "../support/jira/server.ts";
import { makeJobsDue } from "../support/jobs.ts";
import { startReceiver } from "../support/receiver.ts";

const config = { githubWritesPerMinute: 6_000, jiraWritesPerMinute: 6_000 };
const app = await start({ worker: true, config });
const { dataDir, webUrl } = app.services.config;
const github = await startGithub({ now: app.clock.now, name: "nordlicht/shop" });
Object.assign(github.settings, { writesPerMinute: Number.POSITIVE_INFINITY, writesPerHour: Number.POSITIVE_INFINITY });
const jira = await startJira({ now: app.clock.now });
const receiver = await startReceiver();
for (const server of [github, jira, receiver]) server.trustedBy(dataDir);
afterAll(() => Promise.all([github.close(), jira.close(), receiver.close()]));

/** Two groups and a choice, with nested work below it. */
const nodes = [
  { title: "Concept", kind: "group" as const, options: [{ title: "Workshop", hours: 16, role: "design" }] },
  {
    title: "Sign-in",
    kind: "single" as const,
    options: [
      {
        title: "Google",
        hours: { optimistic: 8, likely: 12, pessimistic: 30 },
        selected: true,
        nodes: [{ title: "Screens", kind: "group" as const, options: [{ title: "Account", hours: 6 }] }],
      },
      { title: "Password", hours: 40 },
    ],
  },
  {
    title: "Launch",
    kind: "group" as const,
    options: [
      { title: "Data", hours: 20 },
      { title: "Domain", hours: 2 },
    ],
  },
];

/** Waits until an export has ended; the worker waits for its turn by the clock of the test. */
async function ended(client: Client, id: string, exportId: string) {
  return until(async () => {
    const run = (await client.getExport({ params: { id, exportId } })).data.export;
    if (run.endedAt !== null) return run;
    await app.clock.advance(100);
    await makeJobsDue(app.pool);
    return null;
  });
}

test("an estimate becomes issues of GitHub and of Jira, once each, follows changes of both sides, and gets the actual hours back", async () => {
  let credential: string | null = null;
  const client = createClient(app.url, () => credential);
  const account = { email: "ada@example.com", password: "a long enough password" };
  credential = (await client.registerUser({ body: account })).data.token;
  const connect = { target: "github", name: "Nordlicht", baseUrl: github.url, token: github.token } as const;
  const connectionId = (await client.createConnection({ body: connect })).data.connection.id;
  const repository = github.name;
  const check = { params: { id: connectionId }, body: { repository } };
  expect((await client.checkConnection(check)).data).toMatchObject({ ok: true, problems: [] });
  await client.createWebhook({ body: { url: receiver.url, events: ["estimation.exported"] } });

  const params = { id: (await client.createEstimation({ body: { title: "Checkout" } })).data.estimation.id };
  await client.replaceTree({ params, body: { nodes } });
  await client.createMilestone({ params, body: { title: "Go-live", dueDate: "2030-06-30" } });
  await client.submitEstimation({ params });
  const { tasks } = (await client.generateTasks({ params })).data;

  const exportAgain = async () => {
    const body = { target: "github", connectionId, repository } as const;
    const begun = (await client.exportTasks({ params, body })).data.export;
    return ended(client, params.id, begun.id);
  };
  const first = await exportAgain();
  expect(first).toMatchObject({ status: "completed", progress: { total: tasks.length, created: tasks.length } });
  expect((await client.getEstimation({ params })).data.estimation.status).toBe("exported");
  const { issues, milestones } = github.repository;
  expect(milestones).toEqual([{ number: 1, title: "Go-live", dueOn: "2030-06-30T12:00:00Z" }]);
  expect(new Set(issues.map(({ milestone }) => milestone))).toEqual(new Set([1]));
  expect(issues.map(({ body }) => markersIn(body).length)).toEqual(tasks.map(() => 1));
  for (const { body } of issues) expect(body).toContain(`(${webUrl}/estimations/${params.id})`);
  const listed = (await client.listTasks({ params })).data.tasks;
  const issueOf = (taskId: string | null | undefined) => {
    const { externalRef } = listed.find(({ id }) => id === taskId) ?? {};
    return issues.find(({ number }) => externalRef?.key === `#${number}`);
  };
  for (const { id, parentTaskId, title, hours } of listed) {
    expect(issueOf(id)).toMatchObject({ title, parent: issueOf(parentTaskId)?.number ?? null });
    if (hours !== null) expect(issueOf(id)?.body).toContain(`**Estimate:** ${hours} h`);
  }
  const told = await until(() => receiver.requests[0]);
  expect(JSON.parse(told.body)).toMatchObject({
    estimationId: params.id,
    taskCount: tasks.length,
    projectKey: repository,
  });

  // One task changes here, another there, and a third on both sides.
  const leaves = listed.filter(({ hours }) => hours !== null);
  const [here, there, both, done] = leaves;
  const rename = (task = here, title = "Renamed here") =>
    client.updateTask({ params: { ...params, taskId: task?.id ?? "" }, body: { title } });
  await rename();
  await rename(both, "Renamed here as well");
  for (const task of [there, both]) github.repository.edit(issueOf(task?.id)?.number ?? 0, { title: "Renamed there" });
  const second = await exportAgain();
  expect(second.progress).toEqual({
    total: tasks.length,
    created: 0,
    updated: 1,
    skipped: tasks.length - 1,
    failed: 0,
  });
  expect([here, there, both].map((task) => issueOf(task?.id)?.title)).toEqual([
    "Renamed here",
    "Renamed there",
    "Renamed there",
  ]);
  const itemsOf = { params: { ...params, exportId: second.id }, query: { outcome: ["kept" as const] } };
  const { items } = (await client.listExportItems(itemsOf)).data;
  expect(items.map(({ taskId, keptFields }) => [taskId, keptFields])).toEqual([[both?.id, ["title"]]]);
  expect(issues).toHaveLength(tasks.length);

  const issue = issueOf(done?.id)?.number ?? 0;
  github.repository.close(issue);
  github.repository.comment(issue, "It took longer than we thought.\n\nActual hours: 37.5");
  const pull = async () => {
    const begun = (await client.pullExport({ params: { ...params, exportId: second.id }, body: {} })).data.export;
    expect(await ended(client, params.id, begun.id)).toMatchObject({ status: "completed", progress: { updated: 1 } });
    const after = (await client.listTasks({ params })).data.tasks;
    return after.find(({ id }) => id === done?.id);
  };
  expect(await pull()).toMatchObject({ doneAt: expect.any(String), actualHours: 37.5 });
  github.repository.reopen(issue);
  expect(await pull()).toMatchObject({ doneAt: null, actualHours: 37.5 });

  // The same estimation goes to Jira as well: GitHub's issues stay as they are.
  const atGithub = JSON.stringify(issues);
  const site = { target: "jira", name: "Nordlicht", baseUrl: jira.url, email: jira.email, token: jira.token } as const;
  const jiraId = (await client.createConnection({ body: site })).data.connection.id;
  const found = await client.listConnectionProjects({ params: { id: jiraId }, query: { q: "shop" } });
  expect(found.data).toEqual({ projects: [{ key: "SHOP", name: "Shop" }], problems: [] });
  const types = await client.listConnectionIssueTypes({ params: { id: jiraId }, query: { project: "SHOP" } });
  expect(types.data.issueTypes.map(({ name }) => name)).toContain("Epic");
  const place = { projectKey: "SHOP", issueType: "Epic" } as const;
  expect((await client.checkConnection({ params: { id: jiraId }, body: place })).data).toMatchObject({ ok: true });
  const exportToJira = async () => {
    const body = { target: "jira", connectionId: jiraId, ...place } as const;
    const begun = (await client.exportTasks({ params, body })).data.export;
    return ended(client, params.id, begun.id);
  };
  const atJira = await exportToJira();
  const open = (await client.listTasks({ params })).data.tasks;
  expect(atJira).toMatchObject({ status: "completed", progress: { total: open.length, created: open.length } });
  const issueAtJira = (taskId: string | null | undefined) => {
    const { externalRef } = open.find(({ id }) => id === taskId) ?? {};
    return jira.site.issues.find(({ key }) => externalRef?.target === "jira" && externalRef.key === key);
  };
  for (const { id, parentTaskId, title, hours } of open)
    expect(issueAtJira(id)).toMatchObject({
      ...{ summary: title, parent: issueAtJira(parentTaskId)?.id ?? null },
      estimate: hours === null ? null : Math.round(hours * 60) * 60,
    });
  const toldOfJira = await until(() => receiver.requests.find(({ body }) => body.includes('"projectKey":"SHOP"')));
  expect(JSON.parse(toldOfJira.body)).toMatchObject({ estimationId: params.id, taskCount: open.length });

  await rename(here, "Renamed once more");
  const kept = issueAtJira(there?.id);
  if (kept) kept.summary = "Renamed in Jira";
  expect((await exportToJira()).progress).toMatchObject({ created: 0, updated: 1, skipped: open.length - 1 });
  expect([issueAtJira(here?.id)?.summary, kept?.summary]).toEqual(["Renamed once more", "Renamed in Jira"]);

  const worked = issueAtJira(both?.id);
  worked?.worklogs.push(3_600, 5_400);
  if (worked) worked.doneAt = app.clock.now();
  const pulled = (await client.pullExport({ params: { ...params, exportId: atJira.id }, body: {} })).data.export;
  expect(await ended(client, params.id, pulled.id)).toMatchObject({ status: "completed", progress: { updated: 1 } });
  const after = (await client.listTasks({ params })).data.tasks.find(({ id }) => id === both?.id);
  expect(after).toMatchObject({ doneAt: worked?.doneAt?.toISOString(), actualHours: 2.5 });
  expect(JSON.stringify(issues)).toBe(atGithub);
  for (const { violations } of [github, jira]) expect(violations).toEqual([]);
});
