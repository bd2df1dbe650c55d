import { expect, test } from "vitest";
import { BULK_TIMEOUT_SECONDS } from "../../../domain/exports/ledger.ts";
import { until } from "../../../tests/harness.ts";
import { BULK as CREATE, setJiraStage } from "./testing/stage.ts";

// Longer than anything that must not wait for it takes, even on a busy machine, where the stage's clock advances further.
const SETTLE_SECONDS = 60;
const { app, fake, call, estimate, goOn } = await setJiraStage({
  trickleMs: 30_000,
  config: { exportSettleSeconds: SETTLE_SECONDS },
});

/** The operation that looks for issues. */
const SEARCH = /search\/jql$/;

/** How many issues each request was to make. */
const sizes = () =>
  fake.requests
    .filter(({ path }) => path.endsWith("/issue/bulk"))
    .map(({ body }) => (JSON.parse(body) as { issueUpdates: object[] }).issueUpdates.length);

/** Whether Jira requires a field of a sub-task that an export does not fill. */
const requirePriority = (isRequired: boolean) => {
  fake.site.field("10103", "priority").hasDefaultValue = !isRequired;
};

/** The next issues but the first one are hidden from the token's user. */
const hideFromSecond = () => fake.onRequest(() => Object.assign(fake.settings, { hidesIssues: true }), CREATE, 2);
const show = () => {
  fake.settings.hidesIssues = false;
  for (const issue of fake.site.issues) issue.hidden = false;
};

test("an issue that Jira reports as made but does not show is never sent again, and becomes known as soon as it is shown", async () => {
  const { id, exported, tasks } = await estimate([3]);
  hideFromSecond();
  const keys = /SHOP-4, SHOP-3, SHOP-2/;
  const failed = { outcome: "failed", reason: expect.stringMatching(keys) };
  for (let time = 0; time < 3; time += 1) {
    const { run, items } = await exported({ dryRun: time === 2 });
    expect(run).toMatchObject({ status: "partial", progress: { failed: 3, created: time === 0 ? 1 : 0 } });
    expect(items.slice(1)).toMatchObject([failed, failed, failed]);
    expect(fake.site.issues).toHaveLength(4);
  }
  expect(sizes()).toEqual([1, 3]);
  show();
  expect((await exported()).run).toMatchObject({ status: "completed", progress: { created: 3, skipped: 1 } });
  const titles = new Map(fake.site.issues.map(({ key, summary }) => [key, summary]));
  for (const { title, externalRef } of await tasks()) expect(titles.get(String(externalRef?.key))).toBe(title);
  expect(fake.site.issues).toHaveLength(4);
  const { rows } = await app.pool.query("select distinct state, among from export_ledger where estimation_id = $1", [
    id,
  ]);
  expect(rows).toEqual([{ state: "created", among: null }]);
});

test("an issue that a rule has deleted at once is made again on request, once by each export", async () => {
  const { exported } = await estimate([2]);
  hideFromSecond();
  await exported();
  for (const issue of fake.site.issues.slice(1)) issue.deleted = true;
  // Hidden again, and not sent again by the same export.
  const again = await exported({ recreateDeleted: true });
  expect(again.run).toMatchObject({ status: "partial", progress: { created: 0, failed: 2 } });
  expect(fake.site.issues).toHaveLength(5);
  show();
  expect((await exported()).run).toMatchObject({ status: "completed", progress: { created: 2, skipped: 1 } });
  expect(fake.site.issues).toHaveLength(5);
});

test("an export that failed to make hidden issues again leaves that to the next one that is asked to", async () => {
  const { exported } = await estimate([2]);
  hideFromSecond();
  await exported();
  for (const issue of fake.site.issues.slice(1)) issue.deleted = true;
  fake.settings.hidesIssues = false;
  fake.faults.next("unauthorized", CREATE);
  expect((await exported({ recreateDeleted: true })).run.problem?.code).toBe("token_rejected");
  for (const dryRun of [true, false])
    expect((await exported({ dryRun })).items.map(({ outcome }) => outcome)).toEqual(["unchanged", "failed", "failed"]);
  expect((await exported({ recreateDeleted: true })).run.progress).toMatchObject({ created: 2, skipped: 1 });
  expect(fake.site.issues).toHaveLength(5);
});

test.each([
  ["not sent", () => fake.faults.next("unauthorized", CREATE)],
  ["refused", () => fake.onRequest(() => requirePriority(true), CREATE)],
  [
    "lost",
    () => {
      fake.faults.next("reset_before", CREATE);
      fake.onRequest(() => fake.faults.next("unauthorized", SEARCH), CREATE);
    },
  ],
])("an issue that Jira reports as made stays known if the request to make it again is %s", async (_, fail) => {
  const { exported } = await estimate([2]);
  hideFromSecond();
  await exported();
  fake.settings.hidesIssues = false;
  fail();
  await exported({ recreateDeleted: true });
  requirePriority(false);
  expect((await exported()).run).toMatchObject({ status: "partial", progress: { failed: 2, skipped: 1 } });
  show();
  expect((await exported()).run).toMatchObject({ status: "completed", progress: { created: 2, skipped: 1 } });
  expect(fake.site.issues).toHaveLength(3);
});

test("an issue that can be seen again when an export is resumed is not made again", async () => {
  const { path, exported, finish, items } = await estimate([2]);
  await exported();
  for (const issue of fake.site.issues.slice(1)) issue.hidden = true;
  const gone = { outcome: "gone", reason: expect.stringMatching(/deleted there, or .* has no access/) };
  expect((await exported({ dryRun: true })).items.slice(1)).toMatchObject([gone, gone]);
  fake.faults.next("unauthorized", CREATE);
  const { id, run } = await exported({ recreateDeleted: true });
  expect(run.problem?.code).toBe("token_rejected");
  show();
  expect((await call("POST", `${path}/exports/${id}/resume`)).status).toBe(202);
  expect(await finish(id)).toMatchObject({ status: "completed", progress: { created: 0, skipped: 3 } });
  expect((await items(id)).map(({ outcome }) => outcome)).toEqual(["unchanged", "unchanged", "unchanged"]);
  expect(fake.site.issues).toHaveLength(3);
});

test("issues that Jira makes one after the other, long after their request timed out, are made once", async () => {
  const { begin, finish } = await estimate([8]);
  fake.onRequest(() => fake.faults.next("trickle", CREATE), CREATE);
  const exportId = await begin();
  await until(async () => {
    await goOn();
    return fake.asked.at(-1)?.fault === "trickle";
  });
  await app.clock.advance(BULK_TIMEOUT_SECONDS * 1_000);
  expect(await finish(exportId)).toMatchObject({ status: "completed", progress: { created: 9, failed: 0 } });
  expect(fake.site.issues).toHaveLength(9);
  expect([...fake.site.byMarker().values()].every((found) => found.length === 1)).toBe(true);
});

test("after a lost response a request makes fewer issues, and a hundred issues that wait delay no others", async () => {
  const { begin, finish } = await estimate([115]);
  const exportId = await begin();
  // The group is made; then 50 are lost, and five times 10.
  fake.onRequest(() => Array.from({ length: 6 }, () => fake.faults.next("reset_before", CREATE)), CREATE);
  await finish(exportId);
  expect(fake.site.issues).toHaveLength(116);
  expect(sizes()).toEqual([1, 50, ...Array(5).fill(10), 10, 5, ...Array(10).fill(10)]);
  const at = fake.asked.filter(({ operation }) => CREATE.test(operation)).map((one) => one.at.getTime());
  expect(Number(at[7]) - Number(at[6])).toBeLessThan(SETTLE_SECONDS * 1_000);
});
