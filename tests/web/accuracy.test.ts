import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { start, type TestUser } from "../harness.ts";
import { importAs } from "./actions.ts";
import { expectAccessible, openBrowser, openSignedIn } from "./browser.ts";

const app = await start({ pages: true });

/** Imports options of 4-8-24 hours, of which the mean is 10, as tasks that took so long, and were done in a month. */
async function finish(user: TestUser, role: string, month: string, took: readonly number[]) {
  const lines = took.map((_, at) => `  - Work ${at}: 4-8-24 @${role}`);
  const id = await importAs(app, user, `# Done\n\n- Work\n${lines.join("\n")}\n`);
  const call = async (method: string, below: string, body?: object) => {
    const { status, data, text } = await app.request(method, `/api/estimations/${id}/tasks${below}`, {
      token: user.token,
      ...(body && { body }),
    });
    if (status >= 300) throw new Error(text);
    return data;
  };
  const { tasks } = await call("POST", "/generate");
  const working = (tasks as unknown as { id: string; hours: number | null }[]).filter(({ hours }) => hours !== null);
  for (const [at, task] of working.entries())
    await call("PUT", `/${task.id}`, { actualHours: took[at], doneAt: `${month}-15T12:00:00Z` });
}

const rowsOf = async (page: Page, table: string) =>
  (await page.getByRole("table", { name: table }).locator("tbody tr").allInnerTexts()).map((row) => row.split("\t"));

test("ranges that were too narrow, hours over time and roles are told in words, drawn, and listed in tables", async () => {
  const user = await app.signUp();
  // 12 of 24 within 5.8 to 15.4 hours.
  await finish(user, "backend", "2026-01", [8, 9, 10, 11, 12, 13, 20, 21, 22, 23, 24, 25]);
  await finish(user, "design", "2026-03", [9, 10, 11, 12, 13, 14, 30, 31, 32]);
  await finish(user, "design", "2026-02", [18, 19, 20]);
  const page = await openSignedIn(await openBrowser(app), user, "/estimations");
  await page.getByRole("button", { name: "Account" }).click();
  await page.getByRole("menuitem", { name: "Accuracy" }).click();
  await page.getByText(/^Your 80% ranges held 50% of 24 tasks: widen them by \d\.\d\.$/).waitFor();
  await page.getByText("the true share is 31% to 69%, with 95% certainty").waitFor();
  await page.getByText(/^The work took longer than estimated: 1\.\d+ times the hours/).waitFor();

  // The pictures show what the tables say.
  const points = (chart: string) => page.locator(`[data-chart=${chart}] circle`).count();
  expect([await points("reliability"), await points("months")]).toEqual([9, 2]);
  await page.getByText("1 month has fewer than 6 tasks and isn’t drawn.").waitFor();
  for (const details of await page.locator("summary").all()) await details.click();
  const reliability = await rowsOf(page, "What ranges say, and what happened");
  expect(reliability.map(([stated]) => stated)).toEqual([
    "10%",
    "20%",
    "30%",
    "40%",
    "50%",
    "60%",
    "70%",
    "80%",
    "90%",
  ]);
  expect(reliability.at(-1)?.[1]).toBe("50%");
  const months = await rowsOf(page, "Actual by estimated hours, over time");
  expect(months.map((row) => [row[0], row[1], row[3]])).toEqual([
    ["Mar 2026", "9", "1 to 3.1"],
    ["Feb 2026", "3", "Too few tasks"],
    ["Jan 2026", "12", "1 to 2.3"],
  ]);
  const [first, second] = await rowsOf(page, "By role");
  expect([first?.[0], first?.[1], second?.[0]]).toEqual(["backend", "12", "design"]);
  expect(first?.[4]).toMatch(/^(Widen by \d|Fine so far)/);
  await expectAccessible(page);
});

test("few tasks are too few in words, without a picture, and none lead to where hours are entered", async () => {
  const user = await app.signUp();
  const page = await openSignedIn(await openBrowser(app), user, "/accuracy");
  await page.getByText("Nothing to compare yet").waitFor();
  await page.getByRole("link", { name: "Estimations" }).last().waitFor();
  await finish(user, "backend", "2026-01", [8, 9, 30]);
  await page.reload();
  await page.getByText("Too few tasks to judge your ranges: 3 of the 10 that it takes.").waitFor();
  await page.getByText("Too few tasks to judge your hours: 3 of the 6 that it takes.").waitFor();
  expect(await page.locator("[data-chart]").count()).toBe(0);
  expect((await rowsOf(page, "By role")).map((row) => row.slice(1))).toEqual([
    ["3", "Too few tasks", "Too few tasks", "Too few tasks"],
  ]);
  await expectAccessible(page);
});
