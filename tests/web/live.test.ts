import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { limits } from "../../contract/limits.ts";
import { start, type TestUser, until } from "../harness.ts";
import { importAs, keys, press, saved, storedOutline } from "./actions.ts";
import { expectAccessible, openBrowser, openSignedIn } from "./browser.ts";

const app = await start({ pages: true });

const OUTLINE = `# Shop

- Pages
  - Cart: 4-8-12
  - Search: 5
- Payment (choose one)
  - [x] Card: 8
  - Invoice: 6
`;

const named = async (name: string): Promise<TestUser> => {
  const user = await app.signUp();
  await app.request("PATCH", "/api/auth/me", { token: user.token, body: { name } });
  return user;
};

/** An estimation of Anna's that Ben may edit, or only view, each in a browser of their own. */
async function together(permission = "edit") {
  const [anna, ben] = [await named("Anna Arndt"), await named("Ben Brown")];
  const id = await importAs(app, anna, OUTLINE);
  const invited = await app.request("POST", `/api/estimations/${id}/shares`, {
    token: anna.token,
    body: { email: ben.email, permission },
  });
  const share = `/api/shares/${invited.data.share?.id}`;
  await app.request("POST", `${share}/accept`, { token: ben.token });
  const open = async (user: TestUser) => {
    const page = await openSignedIn(await openBrowser(app), user, `/estimations/${id}`);
    await page.getByRole("row", { name: "Cart" }).waitFor();
    return page;
  };
  return { anna, ben, id, share, pages: [await open(anna), await open(ben)] as const, open };
}

const rowOf = (page: Page, title: string) => page.getByRole("row", { name: title });
/** Waits until this page shows that others have the estimation open. */
const seesOthers = (page: Page, label: string) => page.getByRole("img", { name: label, exact: true }).waitFor();

async function rename(page: Page, from: string, to: string) {
  await rowOf(page, from).getByText(from, { exact: true }).click();
  await keys(page, "F2");
  await page.keyboard.press("Control+a");
  await page.keyboard.type(to);
  await keys(page, "Enter");
}

/** Keeps what a page marks as changed by others: the marks are there for some seconds only. */
const WATCH_MARKS = `{
  window.marks = [];
  new MutationObserver(() => {
    for (const row of document.querySelectorAll("[data-row][data-edited]"))
      marks.push(row.dataset.edited + ": " + row.textContent);
  }).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
}`;

/** Waits until a page has marked a line with this text as changed by somebody. */
const hasMarked = (page: Page, by: string, text: string) =>
  until(async () => {
    const marks = await page.evaluate<string[]>("marks");
    return marks.some((mark) => mark.startsWith(`${by}: `) && mark.includes(text));
  });

test("edits and places of others show, with who they are, also while something is typed", async () => {
  const { pages } = await together();
  const [annas, bens] = pages;
  await Promise.all([seesOthers(annas, "Also here: Ben Brown"), seesOthers(bens, "Also here: Anna Arndt")]);
  // Where somebody is.
  await rowOf(bens, "Invoice").getByText("Invoice", { exact: true }).click();
  await annas.locator('[data-row][data-here="Ben Brown"]', { hasText: "Invoice" }).waitFor();
  await expectAccessible(annas);
  await Promise.all(pages.map((page) => page.evaluate(WATCH_MARKS)));
  // What somebody does, without a reload, while something is typed that is not stored.
  await rowOf(annas, "Search").getByText("Search", { exact: true }).click();
  await keys(annas, "F2", "End");
  await annas.keyboard.type(" results");
  await rename(bens, "Cart", "Basket");
  await hasMarked(annas, "Ben Brown", "Basket");
  await expectAccessible(annas);
  await annas.locator("[data-edited]").waitFor({ state: "detached" });
  await annas.keyboard.type(" page");
  await keys(annas, "Enter");
  await hasMarked(bens, "Anna Arndt", "Search results page");
  await Promise.all(pages.map(saved));
  // Marks instead of words.
  for (const page of pages) expect(await page.getByText("Someone else").count()).toBe(0);
});

/** Deletes a line, and waits until another page, where it may be typed into, has it no more. */
async function remove(page: Page, title: string, other: Page) {
  const id = await rowOf(page, title).getAttribute("data-row");
  await rowOf(page, title).getByText(title, { exact: true }).click();
  await keys(page, "Delete");
  await other.locator(`[data-row="${id}"]`).waitFor({ state: "detached" });
}

const OTHER_LINES = `  - Search: 5
- Payment (choose one)
  - [x] Card: 8
  - [ ] Invoice: 6
`;

test("what is typed into a line that others delete is asked about, and no key reaches another line", async () => {
  const { anna, id, pages } = await together();
  const [annas, bens] = pages;
  const question = annas.getByRole("dialog", { name: "You both changed" });
  await seesOthers(annas, "Also here: Ben Brown");
  await rowOf(annas, "Cart").getByText("Cart", { exact: true }).dblclick();
  await keys(annas, "Control+a");
  await annas.keyboard.type("Basket");
  await app.clock.advance(1_000);
  await remove(bens, "Cart", annas);
  await keys(annas, "!", "Enter");
  await question.getByText("One of you deleted it, the other changed it").waitFor();
  await question.getByText(/^Ben Brown:/).waitFor();
  await keys(annas, "!", "Enter");
  await question.getByRole("button", { name: "Apply" }).click();
  await rowOf(bens, "Basket").waitFor();
  await saved(annas);
  expect(await storedOutline(app, anna, id)).toBe(`- Pages\n  - Basket: 4-8-12\n${OTHER_LINES}`);

  // In the panel.
  await rowOf(annas, "Basket").getByText("Basket", { exact: true }).click();
  await keys(annas, "Alt+Enter");
  await annas.getByLabel("Description").click();
  await annas.keyboard.type("All that is bought");
  await remove(bens, "Basket", annas);
  await keys(annas, "!", "Enter");
  await question.getByRole("button", { name: "Apply" }).click();
  await rowOf(bens, "Basket").waitFor();
  await saved(annas);
  const { text } = await app.request("GET", `/api/estimations/${id}/tree`, { token: anna.token });
  expect(text).toContain('"All that is bought"');
  expect(text).not.toContain("!");
});

test("what is no edit yet of a line that others delete is said, so that it can be copied", async () => {
  const { anna, id, pages } = await together();
  const [annas, bens] = pages;
  await seesOthers(annas, "Also here: Ben Brown");
  await rowOf(annas, "Cart").getByRole("gridcell").nth(1).dblclick();
  await keys(annas, "Control+a");
  await annas.keyboard.type("about 3 days");
  await remove(bens, "Cart", annas);
  const notice = annas.getByText("Someone else deleted “Cart” while you typed in it. Not saved: about 3 days");
  await notice.waitFor();
  await keys(annas, "!", "Enter");
  // It stays with the next edit.
  await rename(annas, "Invoice", "Bill");
  await rowOf(bens, "Bill").waitFor();
  await saved(annas);
  expect(await notice.count()).toBe(1);
  expect(await storedOutline(app, anna, id)).toBe(`- Pages\n${OTHER_LINES.replace("Invoice", "Bill")}`);

  // Nothing typed yet: nothing to say, but no other line takes the keys.
  await press(annas, "Close");
  await rowOf(annas, "Search").getByText("Search", { exact: true }).dblclick();
  await remove(bens, "Search", annas);
  await keys(annas, "!", "Enter");
  await rename(annas, "Bill", "Invoice");
  await rowOf(bens, "Invoice").waitFor();
  await saved(annas);
  expect(await storedOutline(app, anna, id)).not.toContain("!");
});

test("who may only view sees how many others there are, and they see who it is", async () => {
  const { pages } = await together("view");
  const [annas, bens] = pages;
  await Promise.all([seesOthers(annas, "Also here: Ben Brown"), seesOthers(bens, "Also here: 1 other")]);
  await bens.close();
  await annas.getByRole("img", { name: /^Also here/ }).waitFor({ state: "detached" });
});

test("all tabs of a browser share one stream, also once the first one is closed", async () => {
  const { id, anna, pages } = await together();
  const [annas, bens] = pages;
  await seesOthers(annas, "Also here: Ben Brown");
  const tabs = [];
  for (let count = 0; count < limits.streamsPerUser; count += 1) {
    const tab = await annas.context().newPage();
    await tab.goto(`/estimations/${id}`);
    await seesOthers(tab, "Also here: Ben Brown");
    tabs.push(tab);
  }
  const streams = async () =>
    (await app.pool.query("select id from live_streams where user_id = $1", [anna.userId])).rows.map((row) => row.id);
  const [first, ...none] = await streams();
  expect(none).toEqual([]);
  await annas.close();
  await until(async () => {
    const now = await streams();
    return now.length === 1 && now[0] !== first;
  });
  await rename(bens, "Cart", "Basket");
  for (const tab of tabs) await rowOf(tab, "Basket").waitFor();
});

test("whose access ends sees that at once", async () => {
  const { share, anna, pages } = await together();
  const [annas, bens] = pages;
  await seesOthers(bens, "Also here: Anna Arndt");
  await app.request("DELETE", share, { token: anna.token });
  await bens
    .getByText(/not found|doesn’t exist|can’t see/i)
    .first()
    .waitFor();
  await annas.getByRole("img", { name: /^Also here/ }).waitFor({ state: "detached" });
});

test("whose share is lowered, or ends, cannot edit any more at once, and can again once it is back", async () => {
  const { id, share, anna, ben, pages } = await together();
  const [annas, bens] = pages;
  await seesOthers(bens, "Also here: Anna Arndt");
  const tools = bens.getByRole("toolbar", { name: "Editing" });
  await tools.waitFor();
  const setLevel = (permission: string) =>
    app.request("POST", `/api/estimations/${id}/shares`, { token: anna.token, body: { email: ben.email, permission } });
  expect((await setLevel("view")).status).toBe(200);
  await tools.waitFor({ state: "detached" });
  await bens.getByText("You can view this estimation, but not edit it.").waitFor();
  expect((await setLevel("edit")).status).toBe(200);
  await tools.waitFor();
  await app.request("DELETE", share, { token: anna.token });
  await tools.waitFor({ state: "detached" });
  await bens.getByText("You can’t see this estimation any more.").waitFor();
  await bens.getByRole("row", { name: "Cart" }).getByRole("gridcell").first().focus();
  await keys(bens, "F2");
  expect(await bens.locator("[role=treegrid] input").count()).toBe(0);
  await rename(annas, "Cart", "Basket");
  const { data } = await setLevel("edit");
  await app.request("POST", `/api/shares/${data.share?.id}/accept`, { token: ben.token });
  await bens.evaluate("dispatchEvent(new Event('focus'))");
  await tools.waitFor();
  await rowOf(bens, "Basket").waitFor();
});

test("the bell counts what is new as it comes, and its list leads there and marks it as read", async () => {
  const { anna, ben, id } = await together();
  const page = await openSignedIn(await openBrowser(app), ben, "/glossary");
  const bell = (unread: number) =>
    page.getByRole("button", { name: unread === 0 ? "Notifications" : `Notifications, ${unread} unread`, exact: true });
  await bell(1).click();
  const list = page.getByRole("dialog", { name: "Notifications" });
  await list.getByText("Anna Arndt shares “Shop” with you").waitFor();
  await page.keyboard.press("Escape");
  await list.waitFor({ state: "hidden" });
  const asked = { token: anna.token, body: { reviewerId: ben.userId } };
  const { data } = await app.request("POST", `/api/estimations/${id}/reviews`, asked);
  await bell(2).click();
  await expectAccessible(page);
  await list.getByRole("link", { name: /Anna Arndt asks you to review “Shop”/ }).click();
  await page.waitForURL(`**/estimations/${id}/reviews/${data.review?.id}`);
  const threads = `/api/estimations/${id}/threads`;
  const threadId = (await app.request("GET", threads, { token: anna.token })).data.threads?.[0]?.id;
  for (const [by, body] of [
    [ben, "What about gifts?"],
    [anna, "Not in this one."],
  ] as const)
    await app.request("POST", `${threads}/${threadId}/messages`, { token: by.token, body: { body } });
  await bell(2).click();
  await list.getByRole("link", { name: /Anna Arndt wrote in a thread of “Shop”/ }).click();
  await page.waitForURL(`**/estimations/${id}/versions?thread=${threadId}`);
  await page.getByText("Not in this one.").waitFor();
  await bell(1).click();
  await list.getByRole("button", { name: "Mark all as read" }).click();
  await bell(0).waitFor();
  await page.keyboard.press("Escape");
  // What may not be seen any more is not named.
  await app.request("DELETE", `/api/estimations/${id}`, { token: anna.token });
  await page.goto("/glossary");
  await bell(0).click();
  await list.getByText("Someone asks you to review an estimation you can’t see any more").waitFor();
  expect(await list.getByText("Shop").count()).toBe(0);
});
