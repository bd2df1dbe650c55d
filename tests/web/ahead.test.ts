import type { Page, Request } from "playwright-core";
import { expect, test } from "vitest";
import { start, until } from "../harness.ts";
import { importAs } from "./actions.ts";
import { openBrowser, openSignedIn, withoutStream } from "./browser.ts";

const app = await start({ pages: true });
const user = await app.signUp();
await app.pool.query("update users set is_administrator = true where id = $1", [user.userId]);
const id = await importAs(app, user, "# Web shop\n\n- Payment\n  - [x] Card: 4-16-34\n");

/** What the bell asks for by itself. */
const BELL = ["/api/live", "/api/notifications"];

/** The path below `/api` that a request reads. */
function readOf(request: Request): string | null {
  const { pathname } = new URL(request.url());
  const isRead = pathname.startsWith("/api/") && request.method() === "GET" && !BELL.includes(pathname);
  return isRead ? pathname.slice("/api".length) : null;
}

/** The paths below `/api` that `page` reads from now on. */
function readsOf(page: Page): string[] {
  const reads: string[] = [];
  page.on("request", (request) => {
    reads.push(...[readOf(request) ?? []].flat());
  });
  return reads;
}

const ESTIMATION = `/estimations/${id}`;

/** For each link, beside the estimation, which the editor reads again by itself: the page that has it, its name, what is read once it is pointed at, and what then shows at once. */
const LINKS = [
  ["/estimations", "Web shop", [`${ESTIMATION}/tree`], "Payment"],
  [ESTIMATION, "Versions", [`${ESTIMATION}/versions`, `${ESTIMATION}/threads`], "Save version"],
  [ESTIMATION, "Tasks", [`${ESTIMATION}/tasks`], "No tasks yet"],
  ["/estimations", "API", ["/openapi.json"], "Choose a request"],
  ["/estimations", "Templates", ["/templates"], "No templates yet"],
  ["/admin/users", "Audit log", ["/admin/audit-log"], "IP address"],
  ["/admin/users", "Status", ["/admin/status"], "Running since"],
  ["/admin/audit-log", "Users", ["/admin/users"], "1 user"],
] as const;

test.each(LINKS)(
  "on %s, pointing at %s loads its data, and a click shows them without loading again",
  async (path, name, wanted, shows) => {
    const page = await openSignedIn(await withoutStream(await openBrowser(app)), user, path);
    const link = page.getByRole("link", { name, exact: true }).first();
    await link.waitFor();
    await page.waitForLoadState("networkidle");
    const reads = readsOf(page);
    // What is loaded ahead is fresh for some seconds, which a busy machine may take for the click.
    await page.clock.setFixedTime(Date.now());
    await link.hover();
    await until(() => wanted.every((read) => reads.includes(read)));
    // No request gets through any more: what the click shows was there before.
    await page.route("**/api/**", (route) => route.abort());
    const before = reads.length;
    await link.click();
    await page.locator("main").getByText(shows).first().waitFor();
    for (const read of wanted) expect([read, reads.filter((one) => one === read).length]).toEqual([read, 1]);
    expect(reads.slice(before).filter((read) => wanted.some((one) => one === read))).toEqual([]);
  },
);

test("while much loads, links load nothing ahead", async () => {
  const page = await openSignedIn(await withoutStream(await openBrowser(app)), user);
  await page.getByRole("link", { name: "Web shop" }).waitFor();
  await page.waitForLoadState("networkidle");
  const reads = readsOf(page);
  const held = Promise.withResolvers<void>();
  let ended = 0;
  page.on("requestfinished", (request) => {
    if (readOf(request) !== null) ended += 1;
  });
  await page.route("**/api/**", async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.getByRole("link", { name: "Web shop" }).hover();
  await until(() => reads.length === 2);
  await page.getByRole("link", { name: "Reviews" }).hover();
  await until(() => reads.length === 8);
  await page.getByRole("link", { name: "Templates" }).focus();
  // The page decides a moment after the focus: it still has to be busy then.
  await page.waitForTimeout(1000);
  expect(reads).not.toContain("/templates");
  held.resolve();
  await until(() => ended === reads.length);
  // Once the page has taken in what has arrived, which may be a moment later.
  await until(async () => {
    await page.getByRole("link", { name: "Templates" }).blur();
    await page.getByRole("link", { name: "Templates" }).focus();
    return reads.includes("/templates");
  });
});
