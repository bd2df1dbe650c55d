import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { start, type TestUser, until } from "../harness.ts";
import { atFirst } from "../support/later-files.ts";
import { addLine, importAs, keys, loadedLater, saved, storedOutline } from "./actions.ts";
import { expectAccessible, openBrowser, openSignedIn, signIn, withoutStream } from "./browser.ts";

const app = await start({ pages: true });
const checkout = readFileSync(new URL("../../examples/checkout.json", import.meta.url), "utf8");

const SHOP = `# Shop

- Payment (choose one)
  - [x] Card: 4-16-34
  - [ ] Invoice: 6
- Screens
  - Cart: 8
`;

/** Returns what the server has: the lines of the outline, and the hours. */
async function stored(user: TestUser, id: string): Promise<{ readonly outline: string; readonly p80: number }> {
  const { data } = await app.request("GET", `/api/estimations/${id}`, { token: user.token });
  return { outline: await storedOutline(app, user, id), p80: Number(data.estimation?.hours?.p80) };
}

const total = async (page: Page) =>
  Number(/[\d.,]+/.exec(await page.getByRole("complementary").innerText())?.[0].replace(",", ""));
const cell = (page: Page, row: string, column: number) =>
  page.getByRole("row", { name: row }).getByRole("gridcell").nth(column);
const choose = (page: Page, option: string) => page.locator(`[data-choose="${option}"]`).click();

test("the total follows a click at once, is the server's afterwards, and comes back with undo", async () => {
  const user = await app.signUp();
  const id = await importAs(app, user, SHOP);
  const page = await openSignedIn(await openBrowser(app), user, `/estimations/${id}`);
  const before = await stored(user, id);
  await page.getByRole("treegrid").waitFor();
  expect(await total(page)).toBeCloseTo(before.p80, 1);
  // The lines are there first, and what each choice would change a moment later.
  await page.getByRole("row", { name: "Invoice" }).getByText("▼ −").waitFor();
  // Nothing is sent while the total already shows.
  await page.route("**/tree", (route) => (route.request().method() === "PUT" ? undefined : route.continue()));
  await choose(page, "Invoice");
  expect(await total(page)).toBe(14);
  await page.unroute("**/tree");
  await page.reload();
  await saved(page);
  expect((await stored(user, id)).p80).toBe(14);
  expect(await total(page)).toBe(14);
  await choose(page, "Card");
  await page.getByRole("button", { name: "Undo" }).click();
  expect(await total(page)).toBe(14);
  await page.getByRole("button", { name: "Redo" }).click();
  await saved(page);
  await until(async () => (await stored(user, id)).p80 === before.p80);
  // Refused as too many, it is sent again by itself; refused by a proxy, it says why.
  const refusals = [
    { status: 429, headers: { "retry-after": "1" }, json: { success: false, message: "rate_limited" } },
    { status: 413, contentType: "text/html", body: "<h1>413 Request Entity Too Large</h1>" },
  ];
  const refuse = () =>
    page.route("**/tree", (route) => {
      const refusal = route.request().method() === "PUT" ? refusals.shift() : undefined;
      return refusal ? route.fulfill(refusal) : route.continue();
    });
  await refuse();
  // Time stands still while it is looked at what shows until the edit is sent again.
  await page.clock.install();
  await page.clock.pauseAt((await page.evaluate<number>("Date.now()")) + 1_000);
  await choose(page, "Invoice");
  await page.clock.fastForward(1_000);
  await page.getByText("Not saved yet: too many requests.").waitFor();
  await page.clock.resume();
  await page.getByText("A proxy in front of the service refused this as too large.").waitFor();
  await page.getByText("Not saved. Your edits").waitFor();
  await page.getByRole("button", { name: "Try again" }).click();
  await saved(page);
  expect((await stored(user, id)).p80).toBe(14);
});

test("what somebody else changes while one types is merged or asked about, never replaced", async () => {
  const user = await app.signUp();
  const id = await importAs(app, user, SHOP);
  const { token } = user;
  const path = `/api/estimations/${id}`;
  const read = async () => (await app.request("GET", path, { token })).data.estimation;
  const change = (body: object, at = path) => app.request("PATCH", at, { token, body });
  const page = await openSignedIn(await openBrowser(app), user, `/estimations/${id}/tasks`);
  await page.getByRole("heading", { name: "No tasks yet" }).waitFor();
  // What another page knew of the estimation is older than the tree.
  await change({ clientName: "Client Ltd", tags: ["theirs"] });
  const held = Promise.withResolvers<void>();
  await page.route(`**${path}`, async (route) => {
    if (route.request().method() === "GET") await held.promise;
    await route.continue();
  });
  await page.getByRole("link", { name: "Tree", exact: true }).click();
  await page.getByRole("treegrid").waitFor();
  held.resolve();
  await page.getByText("Client Ltd").waitFor();
  await page.getByRole("button", { name: "Settings" }).click();
  const dialog = page.getByRole("dialog", { name: "Settings" });
  await dialog.getByLabel("Tags").fill("theirs, mine");
  await change({ clientName: "Client GmbH", tags: ["other"] });
  const seen = () => page.evaluate("dispatchEvent(new Event('focus'))");
  await seen();
  await page.getByText("Client GmbH").waitFor();
  await dialog.getByRole("button", { name: "Save" }).click();
  await saved(page);
  await expect.poll(read).toMatchObject({ tags: ["other", "mine"], clientName: "Client GmbH" });
  // A field of the details, and a cell, which both change.
  const { data } = await app.request("GET", `${path}/tree`, { token });
  const cart = `${path}/tree/options/${data.tree?.nodes?.[1]?.options?.[0]?.id}`;
  const shows = (likely: string) => until(async () => (await cell(page, "Cart", 2).innerText()).trim() === likely);
  await cell(page, "Cart", 0).focus();
  await page.keyboard.press("Alt+Enter");
  await page.getByLabel("Description", { exact: true }).focus();
  await page.keyboard.type("My text");
  await change({ description: "Their long text", hours: 9 }, cart);
  await seen();
  await shows("9");
  await page.keyboard.press("Control+Enter");
  const question = page.getByRole("dialog");
  await question.getByText("Theirs: Their long text").waitFor();
  await question.getByText("Mine: My text").click();
  await question.getByRole("button", { name: "Apply" }).click();
  await saved(page);
  await expect.poll(async () => (await stored(user, id)).outline).toContain("Cart: 9");
  await cell(page, "Cart", 1).dblclick();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("7-7-7");
  await change({ hours: 5 }, cart);
  await seen();
  await shows("5");
  await page.keyboard.press("Enter");
  await question.getByText("Theirs: 5–5–5").click();
  await question.getByRole("button", { name: "Apply" }).click();
  await saved(page);
  const cartNow = async () => (await app.request("GET", `${path}/tree`, { token })).data.tree?.nodes?.[1]?.options?.[0];
  expect(await cartNow()).toMatchObject({ description: "My text", hours: { likely: 5 } });
});

test("an estimation is made with the keyboard alone", async () => {
  const user = await app.signUp();
  const id = await importAs(app, user, "# Keys\n\n- Scope\n");
  const page = await openSignedIn(await openBrowser(app), user, `/estimations/${id}`);
  await page.getByRole("treegrid").waitFor();
  await cell(page, "Scope", 0).focus();
  await addLine(page);
  await page.keyboard.type("Sign-in: 4-16-34");
  await keys(page, "Enter", "Escape");
  expect(await page.getByRole("row", { name: "Sign-in" }).innerText()).toMatch(/4\s+16\s+34/);
  await addLine(page, "Control+Shift+Enter");
  await page.keyboard.type("Which ways?");
  await keys(page, "Enter", "Tab");
  await page.keyboard.type("Password: 1d");
  await keys(page, "Enter");
  await page.keyboard.type("Passkey");
  await keys(page, "Enter", "Escape", "ArrowRight");
  await page.keyboard.type("9-3");
  await keys(page, "Enter");
  await page.getByRole("alert").getByText("Likely can’t be lower than Low").waitFor();
  await keys(page, "Control+a");
  await page.keyboard.type("2h-1w");
  await keys(page, "Enter", "Home", "Alt+ArrowUp");
  await saved(page);
  const expected = (outline: string) =>
    expect(outline).toBe(
      "- Scope\n  - Sign-in: 4-16-34\n    - Which ways? (choose one)\n      - [ ] Passkey: 2-21-40\n      - [x] Password: 8\n",
    );
  expected((await stored(user, id)).outline);
  await keys(page, "Delete");
  await saved(page);
  await until(async () => !(await stored(user, id)).outline.includes("Passkey"));
  await keys(page, "Control+z");
  await saved(page);
  await until(async () => (await stored(user, id)).outline.includes("Passkey"));
  expected((await stored(user, id)).outline);
  await keys(page, "?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await expectAccessible(page);
  await keys(page, "Escape");
  await until(async () => (await page.getByRole("dialog").count()) === 0);
});

test("in an empty tree the first question is added wherever the focus is, but not from a text field", async () => {
  const user = await app.signUp();
  const id = await importAs(app, user, "# Nothing yet\n");
  const page = await openSignedIn(await openBrowser(app), user, `/estimations/${id}`);
  const filter = page.getByRole("searchbox");
  await filter.press("Control+Shift+Enter");
  expect(await page.getByRole("row").count()).toBe(0);
  await page.getByRole("link", { name: "Tasks" }).focus();
  await addLine(page, "Control+Shift+Enter");
  await page.getByRole("treegrid").waitFor();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("Payment");
  await page.keyboard.press("Enter");
  await until(async () => (await stored(user, id)).outline.includes("Payment"));
});

test("two people in one estimation lose nothing: changes are merged, and conflicts are asked about", async () => {
  const [owner, other] = [await app.signUp(), await app.signUp()];
  const id = await importAs(app, owner, SHOP);
  const body = { email: other.email, permission: "edit" };
  const { data } = await app.request("POST", `/api/estimations/${id}/shares`, { token: owner.token, body });
  await app.request("POST", `/api/shares/${data.share?.id}/accept`, { token: other.token });
  const first = await openSignedIn(await withoutStream(await openBrowser(app)), owner, `/estimations/${id}`);
  const second = await openSignedIn(await withoutStream(await openBrowser(app)), other, `/estimations/${id}`);
  const type = async (page: Page, row: string, column: number, text: string) => {
    await cell(page, row, column).dblclick();
    await page.keyboard.press("Control+a");
    await page.keyboard.type(text);
    await page.keyboard.press("Enter");
  };
  for (const page of [first, second]) await page.getByRole("treegrid").waitFor();
  // The second does not look for changes by itself: it learns of them when it saves.
  await second.route(`**/api/estimations/${id}`, (route) =>
    route.request().headers()["if-none-match"] === undefined ? route.continue() : route.abort(),
  );
  await type(first, "Cart", 1, "10-10-10");
  await saved(first);
  await type(second, "Card", 1, "5-20-40");
  await second.getByText("Someone else edited this too. Both edits were kept.").waitFor();
  await saved(second);
  expect((await stored(owner, id)).outline).toMatch(/Card: 5-20-40[\s\S]*Cart: 10/);
  // Seen here without anybody doing anything.
  await until(async () => /5\s+20\s+40/.test(await first.getByRole("row", { name: "Card" }).innerText()));
  await type(first, "Cart", 1, "11-11-11");
  await saved(first);
  await type(second, "Cart", 1, "12-12-12");
  const dialog = second.getByRole("dialog");
  await dialog.getByText("Theirs: 11–11–11").waitFor();
  await expectAccessible(second);
  // Browsers close a dialog with the second Escape; this one asks again.
  for (const key of ["Escape", "Escape", "Escape"]) await second.keyboard.press(key);
  await dialog.getByText("Mine: 12–12–12").click();
  await dialog.getByRole("button", { name: "Apply" }).click();
  await saved(second);
  expect((await stored(owner, id)).outline).toContain("Cart: 12");
  // Undoing takes back what one did, not what somebody else has made of it since.
  await first.evaluate("dispatchEvent(new Event('focus'))");
  await until(async () => /12\s+12\s+12/.test(await first.getByRole("row", { name: "Cart" }).innerText()));
  await first.getByRole("button", { name: "Undo" }).click();
  await first.getByText("Their edit was kept").waitFor();
  await saved(first);
  expect((await stored(owner, id)).outline).toContain("Cart: 12");
});

test("edits that were not saved when somebody submitted are kept, and saved once it is reopened, or discarded", async () => {
  const user = await app.signUp();
  const id = await importAs(app, user, SHOP);
  const page = await openSignedIn(await openBrowser(app), user, `/estimations/${id}`);
  await page.getByRole("treegrid").waitFor();
  const before = await stored(user, id);
  const editWhileSubmitted = async () => {
    await page.route("**/tree", (route) => (route.request().method() === "PUT" ? route.abort() : route.continue()));
    await choose(page, "Invoice");
    await page.getByText("no connection").first().waitFor();
    await app.request("POST", `/api/estimations/${id}/submit`, { token: user.token });
    await page.unroute("**/tree");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("Not saved. Your edits").waitFor();
    await page.getByText(/^Submitted and read-only/).waitFor();
  };
  await editWhileSubmitted();
  // What shows is what was submitted.
  expect(await total(page)).toBeCloseTo(before.p80, 1);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Discard my edits" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Discard", exact: true }).click();
  await until(async () => (await page.getByText("Not saved").count()) === 0);
  await page.getByRole("button", { name: "Reopen" }).click();
  await saved(page);
  expect(await stored(user, id)).toEqual(before);
  await editWhileSubmitted();
  await page.reload();
  await page.getByText("Not saved. Your edits").waitFor();
  await page.getByRole("button", { name: "Reopen" }).click();
  await saved(page);
  await until(async () => (await stored(user, id)).p80 === 14);
  expect(await total(page)).toBe(14);
});

test("with the network cut in the middle of edits nothing is lost, even if the browser is closed meanwhile", async () => {
  const user = await app.signUp();
  const id = await importAs(app, user, SHOP);
  const browser = await openBrowser(app);
  const page = await openSignedIn(browser, user, `/estimations/${id}`);
  await page.getByRole("treegrid").waitFor();
  // The ids of new lines are there: what is added without a connection has them.
  await cell(page, "Cart", 0).focus();
  await addLine(page);
  await page.keyboard.press("Escape");
  await saved(page);
  await loadedLater(page, "live-people", "live-tree");
  await browser.setOffline(true);
  await choose(page, "Invoice");
  await page.getByText("no connection").first().waitFor();
  await cell(page, "Cart", 0).focus();
  await addLine(page);
  await page.keyboard.type("Made offline");
  await page.keyboard.press("Enter");
  expect(await total(page)).toBe(14);
  await page.close({ runBeforeUnload: false });
  await browser.setOffline(false);
  const again = await browser.newPage();
  await again.clock.install();
  // The first request arrives, but its response does not; before the next, somebody else changes what it brought.
  let isLost = false;
  await again.route("**/tree", async (route) => {
    if (route.request().method() !== "PUT" || isLost) return route.continue();
    isLost = true;
    await route.fetch();
    const path = `/api/estimations/${id}/tree`;
    const { data } = await app.request("GET", path, { token: user.token });
    const made = data.tree?.nodes?.[1]?.options?.[1];
    expect(made?.title).toBe("Made offline");
    await app.request("PATCH", `${path}/options/${made?.id}`, { token: user.token, body: { hours: 3 } });
    arrived.resolve();
  });
  const arrived = Promise.withResolvers<void>();
  await again.goto(`/estimations/${id}`);
  await again.getByRole("row", { name: "Made offline" }).waitFor();
  await arrived.promise;
  // Time stands still until it was seen that the response has not come: then it is sent again.
  await again.clock.pauseAt((await again.evaluate<number>("Date.now()")) + 120_000);
  await again.getByText("no connection").first().waitFor();
  await again.clock.resume();
  await saved(again);
  expect(isLost).toBe(true);
  expect((await stored(user, id)).outline.match(/\[x\] Invoice|Made offline.*/g)).toEqual([
    "[x] Invoice",
    "Made offline: 3",
  ]);
});

test("two tabs of one person neither lose nor duplicate unsaved edits of the other", async () => {
  const user = await app.signUp();
  const id = await importAs(app, user, SHOP);
  const browser = await openBrowser(app);
  const one = await openSignedIn(browser, user, `/estimations/${id}`);
  const isPut = (request: { method: () => string }) => request.method() === "PUT";
  const cut = (page: Page) =>
    page.route("**/tree", (route) => (isPut(route.request()) ? route.abort() : route.continue()));
  const add = async (page: Page, name: string) => {
    await cell(page, "Cart", 0).focus();
    await addLine(page);
    await page.keyboard.type(name);
    await page.keyboard.press("Enter");
  };
  const waits = (page: Page) => page.getByText("no connection").first().waitFor();
  const drafts = (page: Page) =>
    page.evaluate<string[]>("Object.keys(localStorage).filter((key) => key.startsWith('tree-draft'))");
  await one.getByRole("treegrid").waitFor();
  await cut(one);
  await add(one, "Made once");
  await waits(one);
  // As if it had been closed before it sent anything; the other tab finds that, and sends it later than this one.
  const left = await one.evaluate<{ readonly key: string; readonly text: string }>(`(() => {
    dispatchEvent(new Event("pagehide"));
    const [key, text] = Object.entries(localStorage).find(([each]) => each.startsWith("tree-draft"));
    const kept = { ...JSON.parse(text), unconfirmed: [] };
    const closed = key.replace(/[^ ]+$/, "closed-");
    localStorage.setItem(closed + 0, JSON.stringify(kept));
    localStorage.setItem(closed + 1, JSON.stringify({ ...kept, format: 0 }));
    return { key: closed + 2, text: JSON.stringify(kept) };
  })()`);
  const held = Promise.withResolvers<void>();
  const other = await browser.newPage();
  await other.route("**/tree", async (route) => {
    if (isPut(route.request())) await held.promise;
    await route.continue();
  });
  await other.goto(`/estimations/${id}`);
  await other.getByRole("row", { name: "Made once" }).waitFor();
  await one.unroute("**/tree");
  await saved(one);
  held.resolve();
  await saved(other);
  expect((await stored(user, id)).outline.match(/Made once/g)).toHaveLength(1);
  await until(async () => (await drafts(one)).length === 0);
  // What a page leaves that closes later is taken over by one that is open.
  const body = { kind: "option", count: 1 };
  const { data } = await app.request("POST", `/api/estimations/${id}/ids`, { token: user.token, body });
  const [before] = /opt_\w+(?=","title":"Made once")/.exec(left.text) ?? [];
  const text = left.text.replaceAll("Made once", "Made too").replaceAll(String(before), String(data.ids?.[0]));
  await other.evaluate(`localStorage.setItem(...${JSON.stringify([left.key, text])})`);
  await other.evaluate("dispatchEvent(new Event('focus'))");
  await other.getByRole("row", { name: "Made too" }).waitFor();
  await until(async () => (await drafts(other)).length === 0);
  expect((await stored(user, id)).outline.match(/Made (once|too)/g)?.sort()).toEqual(["Made once", "Made too"]);
  // One saves while the other cannot, which then closes.
  await cut(one);
  await add(one, "Kept");
  await waits(one);
  await other.unroute("**/tree");
  await choose(other, "Invoice");
  await saved(other);
  await until(async () => (await stored(user, id)).outline.includes("[x] Invoice"));
  await one.close({ runBeforeUnload: false });
  await other.reload();
  await other.getByRole("row", { name: "Kept" }).waitFor();
  await saved(other);
  expect((await stored(user, id)).outline).toMatch(/\[x\] Invoice[\s\S]*Kept/);
  // Signed out in another tab, what waits stays that user's.
  await cut(other);
  await add(other, "Signed out");
  await waits(other);
  const third = await browser.newPage();
  await third.goto("/icon.svg");
  await third.evaluate("localStorage.removeItem('estimation-session')");
  await other.getByLabel("E-mail address").waitFor();
  expect(await drafts(other)).toEqual([expect.stringMatching(/^tree-draft usr_/)]);
  // If the estimation may not be seen any more, the page offers to delete them.
  await app.request("DELETE", `/api/estimations/${id}`, { token: user.token });
  await signIn(other, user);
  await other.getByText("still has your unsaved edits").waitFor();
  await other.getByRole("button", { name: "Delete these edits" }).click();
  await other.getByRole("link", { name: "Back to estimations" }).waitFor();
  expect(await drafts(other)).toEqual([]);
});

test("somebody who may only read, or who opens a submitted estimation, sees it without controls to change it", async () => {
  const user = await app.signUp();
  const id = await importAs(app, user, checkout, "json");
  await app.request("POST", `/api/estimations/${id}/submit`, { token: user.token });
  const page = await openSignedIn(await openBrowser(app), user, `/estimations/${id}`);
  await page.getByText(/^Submitted and read-only/).waitFor();
  expect(await page.getByRole("toolbar").count()).toBe(0);
  await cell(page, "Cart page", 1).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Delete");
  expect(await page.getByRole("textbox").count()).toBe(0);
  await page.getByRole("row", { name: "Cart page" }).waitFor();
});

test("opening an estimation requests it once, and no file that the page has not named", async () => {
  const user = await app.signUp();
  const id = await importAs(app, user, checkout, "json");
  const page = await openSignedIn(await openBrowser(app), user, "/docs");
  const asked: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    // A look for what others changed, which a focused window takes, is another request, and so is what the bell and the stream
    // ask for later.
    const isLook = request.headers()["if-none-match"] !== undefined || /^\/api\/(live|notifications)\b/.test(pathname);
    if (/^\/(api|assets)\//.test(pathname) && !isLook) asked.push(pathname);
  });
  // What was just read is not read again: however long the page takes, no time passes.
  await page.clock.setFixedTime(Date.now());
  const response = await page.goto(`/estimations/${id}`);
  const named = [...((await response?.text()) ?? "").matchAll(/"(\/assets\/[^"]+)"/g)].map(([, path = ""]) => path);
  await page.getByRole("row", { name: "Cart page" }).waitFor();
  const reads = [`/api/estimations/${id}`, `/api/estimations/${id}/tree`];
  const ids = `/api/estimations/${id}/ids`;
  // The head of every page shows what waits, and what was said about the lines comes after they show.
  const besides = ["/api/reviews/waiting", `/api/estimations/${id}/messages`];
  await until(() => besides.every((path) => asked.includes(path)));
  const isBeside = (path: string) => besides.includes(path);
  expect(asked.filter(isBeside).toSorted()).toEqual(besides.toSorted());
  expect(asked.filter((path) => path.startsWith("/api/") && !isBeside(path))).toEqual([...reads, ids, ids]);
  const files = asked.flatMap((path) => /^\/assets\/(.*)/.exec(path)?.[1] ?? []);
  expect(atFirst(files).filter((name) => !named.includes(`/assets/${name}`))).toEqual([]);
});

test("of a large tree only what is near the window is in the document, and keys reach all of it", async () => {
  const user = await app.signUp();
  const lines = Array.from({ length: 1_000 }, (_, index) => `- Question ${index}\n  - Option ${index}: 1-2-3\n`);
  const id = await importAs(app, user, `# Large\n\n${lines.join("")}`);
  const page = await openSignedIn(await openBrowser(app), user, `/estimations/${id}`);
  const grid = page.getByRole("treegrid");
  await grid.waitFor();
  expect(await grid.getAttribute("aria-rowcount")).toBe("2001");
  expect(await page.getByRole("row").count()).toBeLessThan(120);
  await cell(page, "Question 0", 0).focus();
  await page.keyboard.press("Control+End");
  await page.getByRole("row", { name: "Option 999" }).waitFor();
  await until(async () => (await page.evaluate<string>("document.activeElement.textContent")).includes("Option 999"));
  expect(await page.getByRole("row").count()).toBeLessThan(120);
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("ArrowLeft");
  await until(async () => (await grid.getAttribute("aria-rowcount")) === "2000");
});
