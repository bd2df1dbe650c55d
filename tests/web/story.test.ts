import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import type { Milestone } from "../../contract/endpoints/milestones.ts";
import { start, type TestUser, until } from "../harness.ts";
import { atEndOfFile } from "../support/end-of-file.ts";
import { startGithub } from "../support/github/server.ts";
import { makeJobsDue } from "../support/jobs.ts";
import { startReceiver } from "../support/receiver.ts";
import { importAs, press, saved, storedOutline } from "./actions.ts";
import { openBrowser, openSignedIn } from "./browser.ts";

/*
 * What a team does with an estimation, from the first minute to what it learns from. Each part stands on its own, and
 * takes the picture that the README has of it (`npm run story`).
 */
const app = await start({ pages: true, worker: true, config: { githubWritesPerMinute: 6_000 } });
const github = await startGithub({ now: app.clock.now, name: "nordlicht/shop" });
Object.assign(github.settings, { writesPerMinute: 100_000, writesPerHour: 1_000_000 });
github.trustedBy(app.services.config.dataDir);
atEndOfFile(() => github.close());

const OUTLINE = `# Web shop

- Sign-in (choose one)
  - [x] Build it: 10-16-34 @backend
  - [ ] Buy it: 4-6-13 @backend
- Checkout
  - Cart: 8-12-30 @frontend
  - Payment: 12-20-44 @backend
  - Confirmation by mail: 3-5-10 @backend
- Catalogue
  - List and search: 16-24-50 @frontend
  - Product page: 8-12-22 @frontend
`;

const folder = process.env.PICTURES;

/** Takes the picture of a part, where pictures are wanted. */
async function picture(page: Page, name: string): Promise<void> {
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  await page.mouse.move(0, 0);
  await page.evaluate("scrollTo(0, 0)");
  await page.screenshot({ path: join(folder, `${name}.png`), animations: "disabled" });
}

const WINDOW = { viewport: { width: 1200, height: 750 } };

/** Opens a page of somebody in a browser of their own. */
const openAs = async (user: TestUser, path: string) => openSignedIn(await openBrowser(app, WINDOW), user, path);

async function newcomer(name: string): Promise<TestUser> {
  const user = await app.signUp();
  await app.request("PATCH", "/api/auth/me", { token: user.token, body: { name } });
  return user;
}

/** Sends a request about an estimation of `user`, which must succeed. */
const sender = (user: TestUser, id: string) => async (method: string, below: string, body?: object) => {
  const path = `/api/estimations/${id}${below}`;
  const { status, data, text } = await app.request(method, path, { token: user.token, ...(body && { body }) });
  if (status >= 300) throw new Error(`${method} ${below} returned ${status}: ${text}`);
  return data;
};

test("a newcomer registers, adds examples, imports an outline and estimates", async () => {
  const page = await (await openBrowser(app, WINDOW)).newPage();
  await page.goto("/");
  await page.getByRole("link", { name: "Create an account" }).click();
  await page.getByLabel("Name (optional)").fill("Olga Owner");
  await page.getByLabel("E-mail address").fill("olga@example.com");
  await page.getByLabel("Password", { exact: true }).fill("a long enough password");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Add examples" }).click();
  await page.getByText("3 estimations").waitFor();

  await page.getByRole("link", { name: "New estimation" }).click();
  await page.getByText("From a file or outline").click();
  await page.getByLabel("Outline or exported file").fill(OUTLINE);
  await page.getByRole("region", { name: "Preview of the import" }).getByText("3 questions, 7 options").waitFor();
  await page.getByRole("button", { name: "Import" }).click();
  // Not the heading of the preview, which says the same.
  await page.getByRole("heading", { name: "Web shop", level: 1 }).waitFor();

  const estimate = page.getByRole("complementary", { name: "Estimate" });
  const p80 = async () => Number.parseFloat(await estimate.innerText());
  const before = await p80();
  // What each choice would change shows before it is made.
  await page.getByRole("row", { name: "Buy it" }).getByText("−12.3").waitFor();
  await page.locator('[data-choose="Buy it"]').click();
  await until(async () => (await p80()) < before - 10);
  await saved(page);
  const { data: session } = await app.request("POST", "/api/auth/login", {
    body: { email: "olga@example.com", password: "a long enough password" },
  });
  const { data } = await app.request("GET", "/api/estimations?q=Web+shop", { token: String(session.token) });
  const listed = data.estimations as unknown as { title: string; hours: { p80: number } }[];
  const stored = listed.find(({ title }) => title === "Web shop")?.hours.p80;
  expect(await p80()).toBeCloseTo(Number(stored), 0);
  await page.getByRole("row", { name: "Payment" }).click();
  await picture(page, "1-estimate");
});

test("a second person comments and approves, and what was changed afterwards is compared", async () => {
  const [olga, rita] = [await newcomer("Olga Owner"), await newcomer("Rita Reviewer")];
  const id = await importAs(app, olga, OUTLINE);
  const page = await openAs(olga, `/estimations/${id}`);
  await press(page, "Request review");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Reviewer").fill(rita.email);
  await dialog.getByLabel("What to look at").fill("Is the payment realistic?");
  await press(page, "Send request");
  await press(page, "Done");

  const hers = await openAs(rita, "/reviews");
  await hers.getByRole("region", { name: "Waiting for you" }).getByRole("link", { name: "Web shop" }).click();
  await hers.getByText("Is the payment realistic?").waitFor();
  await hers.getByRole("row", { name: /Payment/ }).click();
  await hers.getByRole("button", { name: "Comment on this line" }).click();
  await hers.keyboard.type("Refunds are missing: rather 16 to 60.");
  await hers.keyboard.press("Control+Enter");
  const comments = hers.getByRole("region", { name: "Comments" });
  await comments.getByText("Refunds are missing: rather 16 to 60.").waitFor();
  await picture(hers, "2-review");
  await hers.getByText("Approve", { exact: true }).click();
  await hers.getByRole("form").getByRole("button", { name: "Approve" }).click();
  await until(async () => {
    const { reviews } = (await app.request("GET", `/api/estimations/${id}/reviews`, { token: olga.token })).data;
    return (reviews as unknown as { status: string }[])[0]?.status === "approved";
  });

  await page.goto(`/estimations/${id}`);
  await page.getByText("Approved").first().waitFor();
  await page.getByRole("row", { name: "Payment" }).getByRole("gridcell").nth(1).click();
  await page.keyboard.type("16-28-60");
  await page.keyboard.press("Enter");
  await expect.poll(() => storedOutline(app, olga, id)).toContain("Payment: 16-28-60");
  await page.getByRole("link", { name: "Versions" }).click();
  await page.getByRole("link", { name: "Compare" }).click();
  await page
    .getByRole("row", { name: /Payment/ })
    .getByText("changed")
    .waitFor();
  await page.getByText("Where the difference comes from").waitFor();
});

test("a milestone is made likely, and the tasks are exported to GitHub and reported by a webhook", async () => {
  const olga = await newcomer("Olga Owner");
  const id = await importAs(app, olga, OUTLINE);
  const send = sender(olga, id);
  const receiver = await startReceiver((_, response) => response.writeHead(204).end());
  atEndOfFile(() => receiver.close());
  receiver.trustedBy(app.services.config.dataDir);
  const hook = { url: `${receiver.url}/hook`, events: ["estimation.tasks_generated", "estimation.exported"] };
  expect((await app.request("POST", "/api/webhooks", { token: olga.token, body: hook })).status).toBe(201);
  const connection = { target: "github", name: "Shop", baseUrl: github.url, token: github.token };
  expect((await app.request("POST", "/api/connections", { token: olga.token, body: connection })).status).toBe(201);

  await send("PUT", "/timeline", { startDate: "2049-01-04" });
  await send("POST", "/milestones", { title: "Beta", dueDate: "2049-01-11" });
  const milestone = async () => ((await send("GET", "/milestones")).milestones as unknown as Milestone[])[0];
  const page = await openAs(olga, `/estimations/${id}`);
  await page.getByRole("link", { name: "Tasks" }).click();
  await press(page, "Generate tasks");
  await press(page, "Generate");
  await page.getByRole("row", { name: "Payment" }).waitFor();
  await page.getByRole("link", { name: "Timeline" }).click();
  await press(page, "What would it take?");
  await page.getByRole("dialog").getByRole("button", { name: "Use these people" }).click();
  await until(async () => Number((await milestone())?.forecast?.probability) >= 0.8);
  await page
    .getByText(/^(8|9|10)\d% by 11 Jan 2049$/)
    .first()
    .waitFor();
  await picture(page, "3-timeline");

  await page.getByRole("link", { name: "Tasks" }).click();
  await press(page, "Export…");
  await page.getByLabel("Repository").fill(github.name);
  await press(page, "Start");
  const panel = page.getByRole("region", { name: "Export tasks" });
  /** Waits while the worker goes on, which waits for its turn by the clock of the test. */
  const comes = (isThere: () => Promise<boolean> | boolean) =>
    until(async () => {
      await app.clock.advance(1_000);
      await makeJobsDue(app.pool);
      return isThere();
    });
  const exportNow = page.getByRole("button", { name: "Export now" });
  await comes(async () => (await exportNow.count()) === 1);
  const { tasks } = await send("GET", "/tasks");
  const count = (tasks as unknown as unknown[]).length;
  expect(await panel.innerText()).toContain(`${count} issues would be created`);
  expect(github.repository.issues).toHaveLength(0);
  await exportNow.click();
  await comes(async () => (await page.getByRole("link", { name: /^GitHub #\d/ }).count()) === count);
  // What the tasks say comes by another request.
  await comes(async () => (await panel.innerText()).includes(`${count} issues created`));
  expect(github.repository.issues).toHaveLength(count);
  await picture(page, "4-tasks");
  await comes(() => {
    const events = new Set(receiver.requests.map(({ headers }) => headers["x-service-event"]));
    return events.size === hook.events.length;
  });
});

test("actual hours make the suggestion for the next estimation a better one", async () => {
  const olga = await newcomer("Olga Owner");
  const first = await importAs(app, olga, OUTLINE);
  const second = await importAs(app, olga, OUTLINE.replace("# Web shop", "# Second shop"));
  const next = await importAs(app, olga, "# Portal\n\n- Checkout\n  - Cart: 8-12-30\n  - Payment: 12-20-44\n");
  const suggested = async () => {
    const { data } = await app.request("GET", `/api/estimations/${next}/suggestion`, { token: olga.token });
    return data.suggestion as unknown as { rung: number; current: { p50: number }; hours: Record<string, number> };
  };
  const before = await suggested();
  expect(before.rung).toBe(1);
  // The browser's clock is the machine's, and nothing is done later than now.
  await app.clock.advance(Math.max(0, Date.now() + 60_000 - app.clock.now().getTime()));
  // Everything takes half as long again as was estimated.
  for (const id of [first, second]) {
    const send = sender(olga, id);
    await send("POST", "/submit");
    await send("POST", "/tasks/generate");
    const { tasks } = await send("GET", "/tasks");
    const doneAt = app.clock.now().toISOString();
    const open = (tasks as unknown as { id: string; title: string; hours: number | null }[]).filter(
      ({ hours }) => hours,
    );
    for (const task of open) {
      const isLast = id === second && task === open.at(-1);
      const actualHours = Math.round(Number(task.hours) * 15) / 10;
      if (!isLast) await send("PATCH", `/tasks/${task.id}`, { actualHours, doneAt });
      else {
        // The last one as people do it.
        const page = await openAs(olga, `/estimations/${id}/tasks`);
        await page.getByLabel(`Actual hours of ${task.title}`).fill(String(actualHours));
        await page.keyboard.press("Enter");
        await page.getByRole("row", { name: task.title }).getByRole("checkbox").click();
        await until(async () => {
          const { tasks: now } = await send("GET", "/tasks");
          return (now as unknown as { id: string; doneAt: string | null }[]).find(({ id }) => id === task.id)?.doneAt;
        });
      }
    }
  }
  const page = await openAs(olga, `/estimations/${next}`);
  await page.getByText("Suggestion", { exact: true }).click();
  await page.getByText("Most similar finished work").waitFor();
  await picture(page, "5-suggestion");
  const after = await suggested();
  const actual = 1.5 * after.current.p50;
  expect(after.rung).toBe(3);
  // Nearer to what such work takes, and surer of it.
  expect(Math.abs(Number(after.hours.p50) - actual)).toBeLessThan(Math.abs(Number(before.hours.p50) - actual));
  const width = ({ p10, p90 }: Record<string, number>) => Number(p90) / Number(p10);
  expect(width(after.hours)).toBeLessThan(width(before.hours));
  await page.getByRole("button", { name: "Use hours for 2 options" }).click();
  await page.getByText("Hours applied").waitFor();
});
