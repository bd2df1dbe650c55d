import { expect, test } from "vitest";
import { startJira } from "../../../tests/support/jira/server.ts";
import { setJiraStage } from "./testing/stage.ts";

const { app, fake, call, estimate } = await setJiraStage();

/** Makes a connection to the address of a Jira. */
async function connectTo(baseUrl: string): Promise<string> {
  const body = { target: "jira", name: "Another", baseUrl, email: fake.email, token: fake.token };
  return String((await call("POST", "/api/connections", body)).data.connection?.id);
}

const destinations = async (estimationId: string) => {
  const { rows } = await app.pool.query(
    "select destination, count(*)::int from export_ledger where estimation_id = $1 group by 1 order by 1",
    [estimationId],
  );
  return rows.map(({ destination, count }) => [destination, count]);
};

test("a site that is renamed stays the same site, by its new address and by the gateway", async () => {
  const { id, exported, tasks } = await estimate([2]);
  await exported();
  const known = [[`jira ${fake.cloudId} 10001`, 3]];
  expect(await destinations(id)).toEqual(known);
  fake.settings.renamed = true;
  const former = await exported();
  expect(former.run).toMatchObject({ status: "failed", problem: { code: "destination_moved" } });
  for (const address of [fake.gatewayUrl, fake.siteUrl()]) {
    const { run } = await exported({ connectionId: await connectTo(address) });
    expect(run).toMatchObject({ status: "completed", progress: { created: 0, skipped: 3 } });
  }
  expect((await tasks()).map(({ externalRef }) => String(externalRef?.url).startsWith(fake.siteUrl()))).toEqual([
    true,
    true,
    true,
  ]);
  fake.settings.renamed = false;
  expect(await destinations(id)).toEqual(known);
  expect(fake.site.issues).toHaveLength(3);
  expect(fake.violations).toEqual([]);
});

test("issues that are known by the address of their site are known by its id from then on", async () => {
  const { id, exported, begin, finish, path } = await estimate([2]);
  fake.site.issues.length = 0;
  fake.faults.next("unauthorized", /bulk$/);
  const exportId = await begin();
  await finish(exportId);
  const former = `jira ${fake.siteUrl()} 10001`;
  const forget = async () => {
    await app.pool.query("update export_ledger set destination = $2 where estimation_id = $1", [id, former]);
    await app.pool.query("update export_runs set destination = $2 where estimation_id = $1", [id, former]);
  };
  await forget();
  await call("POST", `${path}/exports/${exportId}/resume`);
  expect(await finish(exportId)).toMatchObject({ status: "completed", progress: { created: 3 } });
  await forget();
  expect((await exported({ dryRun: true })).run.progress).toMatchObject({ created: 0, skipped: 3 });
  expect(await destinations(id)).toEqual([[`jira ${fake.cloudId} 10001`, 3]]);
  await forget();
  expect((await exported({ connectionId: await connectTo(fake.gatewayUrl) })).run.progress).toMatchObject({
    created: 0,
    skipped: 3,
  });
  const pulled = await call("POST", `${path}/exports/${exportId}/pull`, {});
  expect(await finish(String(pulled.data.export?.id))).toMatchObject({ status: "completed", progress: { total: 3 } });
  expect(fake.site.issues).toHaveLength(3);
});

test("a server of another user has its own issues, whichever site it claims to be", async () => {
  const other = await startJira({ now: app.clock.now });
  other.trustedBy(app.services.config.dataDir);
  try {
    const { id, exported, tasks } = await estimate([1]);
    await exported();
    const before = fake.site.issues.length;
    other.settings.baseUrl = fake.siteUrl();
    const { run } = await exported({ connectionId: await connectTo(other.url), recreateDeleted: true });
    expect(run).toMatchObject({ status: "completed", progress: { created: 2 } });
    expect(await destinations(id)).toEqual([
      [`jira ${fake.cloudId} 10001`, 2],
      [`jira ${other.url} 10001`, 2],
    ]);
    expect((await tasks()).every(({ externalRef }) => String(externalRef?.url).startsWith(other.url))).toBe(true);
    expect((await exported()).run.progress).toMatchObject({ created: 0, skipped: 2 });
    expect([fake.site.issues.length, other.site.issues.length]).toEqual([before, 2]);
    expect(other.violations).toEqual([]);
  } finally {
    await other.close();
  }
});
