import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { setJiraStage } from "./testing/stage.ts";

const { app, fake, estimate } = await setJiraStage();
const page = readFileSync(new URL("../../../docs/exports-to-jira.md", import.meta.url), "utf8");

test("after a site was renamed, the statement of the documentation lets exports go on with the issues that exist", async () => {
  const renamed = `${fake.url}/renamed`;
  const [, sql = ""] = /```sql\n([^`]+)```/.exec(page) ?? [];
  const statement = sql
    .replaceAll("https://acme.atlassian.net", fake.url)
    .replaceAll("https://acme-corp.atlassian.net", renamed);
  expect(statement).toContain(renamed);
  const [moved, twice] = [await estimate([2]), await estimate([1])];
  await moved.exported();
  await twice.exported();
  fake.settings.baseUrl = renamed;
  // The documentation warns of this.
  expect((await twice.exported()).run.progress).toMatchObject({ created: 2 });
  expect((await moved.exported({ dryRun: true })).run.progress).toMatchObject({ created: 3 });
  await app.pool.query(statement);
  expect((await moved.exported({ dryRun: true })).run.progress).toMatchObject({ created: 0, skipped: 3 });
  expect((await moved.exported()).run.progress).toMatchObject({ created: 0, updated: 0, skipped: 3 });
  expect((await twice.exported()).run.progress).toMatchObject({ created: 0, skipped: 2 });
  expect(fake.site.issues).toHaveLength(7);
  expect(fake.violations).toEqual([]);
});
