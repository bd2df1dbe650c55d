import { basename } from "node:path";
import type { Page, Route } from "playwright-core";
import { expect, test } from "vitest";
import { start } from "../harness.ts";
import { isLater } from "../support/later-files.ts";
import { addLine, importAs, keys, loadedLater, saved, storedOutline } from "./actions.ts";
import { openBrowser, openSignedIn, signIn, withoutStream } from "./browser.ts";

const app = await start({ pages: true });
const SHOP = "# Shop\n\n- Basket\n  - [x] Cart: 4-8-16\n  - List: 2-4-8\n";

/** Handles writes of the tree in another way; returns a function that ends it. */
async function interceptWrites(page: Page, handler: (route: Route) => Promise<void>): Promise<() => Promise<void>> {
  const handle = (route: Route) => (route.request().method() === "PUT" ? handler(route) : route.continue());
  await page.route("**/tree", handle);
  return () => page.unroute("**/tree", handle);
}

const addBelow = async (page: Page, below: string, name: string) => {
  await page.getByRole("row", { name: below }).getByRole("gridcell").first().focus();
  await addLine(page);
  await page.keyboard.type(name);
  await keys(page, "Enter");
};

test("an estimation that is left and opened again while a save waits is saved once", async () => {
  const user = await app.signUp();
  const id = await importAs(app, user, SHOP);
  const page = await openSignedIn(await openBrowser(app), user, `/estimations/${id}`);
  await page.getByRole("treegrid").waitFor();
  let refusals = 0;
  const body = JSON.stringify({ success: false, message: "rate_limited", requestId: "r" });
  const end = await interceptWrites(page, async (route) => {
    refusals += 1;
    await route.fulfill({ status: 429, headers: { "retry-after": "1" }, contentType: "application/json", body });
  });
  await addBelow(page, "Cart", "Added once");
  await expect.poll(() => refusals).toBeGreaterThan(0);
  await page.getByRole("link", { name: "Tasks" }).click();
  await page.getByRole("heading", { name: "Tasks" }).waitFor();
  await expect.poll(() => refusals).toBeGreaterThan(1);
  await page.getByRole("link", { name: "Tree" }).click();
  await page.getByRole("row", { name: "Added once" }).waitFor();
  await end();
  await saved(page);
  await addBelow(page, "List", "Added later");
  await saved(page);
  expect((await storedOutline(app, user, id)).match(/Added \w+/g)).toEqual(["Added once", "Added later"]);
});

const titles = async (id: string, user: { readonly token: string }) => {
  const { data } = await app.request("GET", `/api/estimations/${id}/tree`, { token: user.token });
  return (data.tree?.nodes?.[0]?.options as unknown as { id: string; title: string }[]) ?? [];
};
const drafts = (page: Page) =>
  page.evaluate<string[]>("Object.keys(localStorage).filter((key) => key.startsWith('tree-draft'))");

test("edits that wait are marked in the list, and signing out asks before it removes them", async () => {
  const user = await app.signUp();
  const id = await importAs(app, user, SHOP);
  const page = await openSignedIn(await openBrowser(app), user, `/estimations/${id}`);
  await page.getByRole("treegrid").waitFor();
  const end = await interceptWrites(page, (route) => route.abort());
  await addBelow(page, "Cart", "Not yet");
  await page.getByText("no connection").first().waitFor();
  await page.getByRole("link", { name: "Estimations", exact: true }).first().click();
  await page.getByRole("row", { name: "Shop" }).getByText("Not saved yet").waitFor();
  const leave = async () => {
    await page.getByRole("button", { name: /^Account of/ }).click();
    await page.getByRole("menuitem", { name: /^Sign out/ }).click();
  };
  await leave();
  const asked = page.getByRole("dialog", { name: "Sign out with unsaved edits?" });
  await asked.getByRole("button", { name: "Cancel" }).click();
  expect(await drafts(page)).toHaveLength(1);
  await leave();
  await asked.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await end();
  await page.evaluate("dispatchEvent(new Event('online'))");
  expect(await drafts(page)).toEqual([]);
  await signIn(page, user);
  await page.getByRole("link", { name: "Shop" }).click();
  await page.getByRole("row", { name: "Cart" }).waitFor();
  expect(await page.getByRole("row", { name: "Not yet" }).count()).toBe(0);
});

test("what is typed and not yet entered is kept when the tab is closed", async () => {
  const user = await app.signUp();
  const id = await importAs(app, user, SHOP);
  const browser = await openBrowser(app);
  const page = await openSignedIn(browser, user, `/estimations/${id}`);
  await page.getByRole("row", { name: "List" }).getByRole("gridcell").first().dblclick();
  await keys(page, "Control+a");
  await page.keyboard.type("Wish list");
  await page.goto("/docs");
  const again = await browser.newPage();
  await again.goto(`/estimations/${id}`);
  await again.getByRole("row", { name: "Wish list" }).waitFor();
  await saved(again);
  await expect.poll(async () => (await titles(id, user)).map(({ title }) => title)).toEqual(["Cart", "Wish list"]);
});

/** Returns the drafts in IndexedDB, as JSON. */
const storedDrafts = (page: Page) =>
  page.evaluate<string>(`new Promise((resolve) => {
    indexedDB.open("unsaved-drafts").onsuccess = ({ target: { result } }) => {
      const all = result.transaction("drafts").objectStore("drafts").getAll();
      all.onsuccess = () => resolve(JSON.stringify(all.result));
    };
  })`);

test("typing writes no tree into localStorage, and a tab that crashes loses no edit", async () => {
  const user = await app.signUp();
  const id = await importAs(app, user, SHOP);
  const browser = await openBrowser(app);
  const page = await openSignedIn(browser, user, `/estimations/${id}`);
  await page.getByRole("treegrid").waitFor();
  await interceptWrites(page, (route) => route.abort());
  await addBelow(page, "Cart", "Kept apart");
  await page.getByText("no connection").first().waitFor();
  // Writing it takes a moment, which does not hold up typing.
  await expect.poll(() => storedDrafts(page)).toContain("Kept apart");
  const size = (where: Page) =>
    where.evaluate<number>(
      "JSON.stringify(Object.entries(localStorage).filter(([key]) => key.startsWith('tree-draft'))).length",
    );
  expect(await size(page)).toBeLessThan(200);
  // A crash tells the page nothing.
  await page.evaluate("addEventListener('pagehide', (event) => event.stopImmediatePropagation(), true)");
  await page.close();
  const again = await browser.newPage();
  await again.goto(`/estimations/${id}`);
  await again.getByRole("row", { name: "Kept apart" }).waitFor();
  await saved(again);
  expect(await storedOutline(app, user, id)).toContain("Kept apart");
  await expect.poll(() => drafts(again)).toEqual([]);
  await expect.poll(() => storedDrafts(again)).toBe("[]");
});

test("what a cell refused is there again after the tab was closed, with what is wrong with it", async () => {
  const user = await app.signUp();
  const id = await importAs(app, user, SHOP);
  const browser = await openBrowser(app);
  const page = await openSignedIn(browser, user, `/estimations/${id}`);
  const low = (where: Page) => where.getByRole("row", { name: "Cart" }).getByRole("gridcell").nth(1);
  await low(page).dblclick();
  await keys(page, "Control+a");
  await page.keyboard.type("4-16-3");
  await page.getByRole("row", { name: "List" }).getByRole("gridcell").first().click();
  await addBelow(page, "List", "Wish list");
  await saved(page);
  // Saved by another device meanwhile: nothing of it is an edit of this browser.
  const { data, headers } = await app.request("GET", `/api/estimations/${id}`, { token: user.token });
  expect(data.estimation?.title).toBe("Shop");
  const body = { title: "Store" };
  const match = { "if-match": headers.get("etag") ?? "" };
  await app.request("PATCH", `/api/estimations/${id}`, { token: user.token, body, headers: match });
  await page.goto("/docs");
  const again = await browser.newPage();
  await again.goto(`/estimations/${id}`);
  await again.getByRole("heading", { name: "Store" }).waitFor();
  await again.locator('[data-hint="High can’t be lower than Likely"]').getByText("4-16-3").waitFor();
  expect(await again.getByText("Both edits were kept").count()).toBe(0);
  await low(again).dblclick();
  await expect.poll(() => again.evaluate("document.activeElement.value")).toBe("4-16-3");
  await keys(again, "Control+a");
  await again.keyboard.type("4-16-30");
  await keys(again, "Enter");
  await saved(again);
  await expect.poll(() => storedOutline(app, user, id)).toContain("Cart: 4-16-30");
  await expect.poll(() => drafts(again)).toEqual([]);
});

test("what was seen shows without a connection, and what takes too long says so", async () => {
  const user = await app.signUp();
  const id = await importAs(app, user, SHOP);
  const other = await importAs(app, user, SHOP.replace("Shop", "Other"));
  const page = await openSignedIn(await openBrowser(app), user, `/estimations/${id}`);
  await page.getByRole("row", { name: "Cart" }).waitFor();
  await loadedLater(page, "live-people", "live-tree");
  await page.getByRole("link", { name: "Tasks" }).click();
  await page.getByRole("heading", { name: /tasks/i }).first().waitFor();
  await page.getByRole("link", { name: "Estimations", exact: true }).first().click();
  await page.getByRole("link", { name: "Other" }).waitFor();
  await page.context().setOffline(true);
  await page.getByRole("link", { name: "Shop" }).click();
  await page.getByRole("row", { name: "Cart" }).waitFor();
  // So long after it was read that the page tries to read it again.
  await page.clock.setFixedTime(Date.now() + 60_000);
  await page.getByRole("link", { name: "Tasks" }).click();
  await page.getByRole("alert").getByText("Can’t reach the service").waitFor();
  expect(await page.getByRole("heading", { name: "No tasks yet" }).isVisible()).toBe(true);
  await page.getByRole("link", { name: "Estimations", exact: true }).first().click();
  // What was never opened shows what the list says of it, until it can be loaded.
  await page.getByRole("link", { name: "Other" }).click();
  await page.getByRole("heading", { name: "Other" }).waitFor();
  await page.getByText(/P50 \d.* h · P80 \d/).waitFor();
  await page.getByText("Can’t reach the service").waitFor();
  await page.context().setOffline(false);
  await page.getByRole("row", { name: "Cart" }).waitFor();
  const late = await page.context().newPage();
  await late.clock.install();
  let isHeld = true;
  await late.route(`**/api/estimations/${other}/tree`, (route) => (isHeld ? undefined : route.continue()));
  const asked = late.waitForRequest(`**/api/estimations/${other}/tree`);
  await late.goto(`/estimations/${other}`);
  await late.getByRole("navigation", { name: "Main" }).waitFor();
  await asked;
  await late.clock.fastForward("00:25");
  isHeld = false;
  await late.getByRole("button", { name: "Try again" }).click();
  await late.getByRole("row", { name: "Cart" }).waitFor();
});

test("what is loaded after the page waits for a connection, and nothing is said about it", async () => {
  const user = await app.signUp();
  const page = await (await openBrowser(app)).newPage();
  await page.clock.install();
  // On a busy machine it may be asked for before the connection is lost: then it comes after it is there again.
  const back = Promise.withResolvers<void>();
  let isLost = false;
  await page.route("**/assets/*", async (route) => {
    if (!isLost && isLater(basename(route.request().url()))) await back.promise;
    await route.continue();
  });
  await page.goto("/sign-in");
  await signIn(page, user);
  await page.getByRole("button", { name: "Try an example" }).waitFor();
  await page.context().setOffline(true);
  isLost = true;
  await page.clock.runFor(5_000);
  await page.getByText(/no connection|offline/i).waitFor();
  expect(await page.getByText("A part of this page couldn’t be loaded.").count()).toBe(0);
  await page.context().setOffline(false);
  back.resolve();
  await page.getByRole("button", { name: "Notifications", exact: true }).waitFor();
});

test("the reader's other device is nobody else, and after delete against rename it says which won", async () => {
  const user = await app.signUp();
  const friend = await app.signUp();
  const id = await importAs(app, user, SHOP);
  const path = `/api/estimations/${id}`;
  const body = { email: friend.email, permission: "edit" };
  const { data } = await app.request("POST", `${path}/shares`, { token: user.token, body });
  await app.request("POST", `/api/shares/${data.share?.id}/accept`, { token: friend.token });
  const rename = async (by: { readonly token: string }, at: number, title: string) => {
    await app.clock.advance(1_000);
    const option = (await titles(id, user))[at]?.id;
    const { status } = await app.request("PATCH", `${path}/tree/options/${option}`, {
      token: by.token,
      body: { title },
    });
    expect(status).toBe(200);
  };
  const page = await openSignedIn(await withoutStream(await openBrowser(app)), user, `/estimations/${id}`);
  await page.getByRole("treegrid").waitFor();
  await rename(user, 0, "Basket");
  const told = page.waitForResponse(/activity/);
  await page.evaluate("dispatchEvent(new Event('focus'))");
  await page.getByRole("row", { name: "Basket" }).last().waitFor();
  await (await told).finished();
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))");
  expect(await page.getByText("Someone else").count()).toBe(0);
  await rename(friend, 0, "Trolley");
  await page.evaluate("dispatchEvent(new Event('focus'))");
  await page.getByRole("row", { name: "Trolley" }).waitFor();
  await page.getByText("Someone else edited this. You see the current version.").waitFor();
  for (const [side, says] of [
    ["Theirs", "Their version was kept"],
    ["Mine", "Your version was kept"],
  ] as const) {
    const shown = (await titles(id, user))[1]?.title ?? "";
    await rename(friend, 1, `Renamed against ${side}`);
    await page.getByRole("row", { name: shown }).getByRole("gridcell").first().focus();
    await keys(page, "Delete");
    const question = page.getByRole("dialog");
    // The name of who changed it stands there once it is known.
    await question
      .getByRole("radio")
      .nth(side === "Mine" ? 0 : 1)
      .check();
    await question.getByRole("button", { name: "Apply" }).click();
    await page.getByText(says).waitFor();
    await saved(page);
  }
  expect((await titles(id, user)).map(({ title }) => title)).toEqual(["Trolley"]);
});

test("on a phone the column heads stay below the toolbar", async () => {
  const user = await app.signUp();
  const lines = Array.from({ length: 60 }, (_, index) => `  - Option ${index}: 1-2-3\n`).join("");
  const id = await importAs(app, user, `# Long\n\n- Question\n${lines}`);
  const page = await openSignedIn(
    await openBrowser(app, { viewport: { width: 375, height: 667 } }),
    user,
    `/estimations/${id}`,
  );
  const heads = page.locator("thead tr");
  await page.getByRole("treegrid").waitFor();
  await page.evaluate("scrollTo(0, 1500)");
  const box = async () => (await heads.boundingBox()) ?? { y: 0, height: 0 };
  await expect.poll(async () => (await box()).y).toBeGreaterThan(48);
  expect((await box()).y).toBeLessThan(300);
});
