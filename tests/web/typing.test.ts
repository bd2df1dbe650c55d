import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { start, type TestUser, until } from "../harness.ts";
import { addLine, importAs, keys, loadedLater, press, saved, storedOutline } from "./actions.ts";
import { expectAccessible, openBrowser, openSignedIn } from "./browser.ts";

const app = await start({ pages: true });

const cell = (page: Page, row: string, column: number) =>
  page.getByRole("row", { name: row }).getByRole("gridcell").nth(column);

/** Types texts, with a key after each. */
async function type(page: Page, ...texts: readonly (readonly [text: string, key: string])[]): Promise<void> {
  for (const [text, key] of texts) {
    await page.keyboard.type(text);
    await keys(page, key);
  }
}

async function open(outline: string) {
  const user = await app.signUp();
  const id = await importAs(app, user, outline);
  const page = await openSignedIn(await openBrowser(app), user, `/estimations/${id}`);
  await page.getByRole("treegrid").waitFor();
  return { user, id, page };
}

/** Returns what the server has, once it begins with this. */
const stores = (user: TestUser, id: string, outline: string) =>
  expect.poll(() => storedOutline(app, user, id)).toBe(outline);

test("Low, Tab, Likely: what is typed pushes the other points until they were typed themselves", async () => {
  const { user, id, page } = await open("# Points\n\n- Scope\n  - Card\n  - Cart: 10\n");
  await cell(page, "Card", 1).focus();
  await type(page, ["4", "Tab"]);
  await expect.poll(() => page.getByRole("row", { name: "Card" }).innerText()).toMatch(/4\s+4\s+4\s+4 h exactly\?/);
  await type(page, ["16", "Tab"]);
  await stores(user, id, "- Scope\n  - Card: 4-16-16\n  - Cart: 10\n");
  await type(page, ["34", "Tab"]);
  await stores(user, id, "- Scope\n  - Card: 4-16-34\n  - Cart: 10\n");
  expect(await page.getByRole("row", { name: "Card" }).innerText()).not.toContain("exactly");
  // All three were typed: none gives way to another.
  await keys(page, "ArrowLeft", "ArrowLeft");
  await type(page, ["20", "Enter"]);
  await page.getByRole("alert").getByText("Likely can’t be lower than Low").waitFor();
  await keys(page, "Escape");
  // Undoing also takes back that a point was typed.
  await keys(page, "Control+z");
  await type(page, ["20", "Enter"]);
  await page.getByRole("alert").waitFor();
  await keys(page, "Escape", "Control+z");
  await type(page, ["20", "Enter"]);
  await stores(user, id, "- Scope\n  - Card: 20\n  - Cart: 10\n");
  // The question is pressed to answer it.
  await page.getByText("10 h exactly?").click();
  await type(page, ["8-12-30", "Enter"]);
  await stores(user, id, "- Scope\n  - Card: 20\n  - Cart: 8-12-30\n");
});

test("a title that is missing is refused in its cell, and everything else is saved", async () => {
  const { user, id, page } = await open("# Titles\n\n- Scope\n  - Option 3: 4\n  - Cart: 10\n");
  await cell(page, "Option 3", 0).focus();
  await keys(page, "F2", "Control+a", "Delete", "Enter");
  await page.getByRole("alert").getByText("“Option 3” needs a title").waitFor();
  // What was typed stays where it is left, with what is wrong with it.
  await cell(page, "Cart", 0).click();
  await page.getByText("“Option 3” needs a title").waitFor();
  await cell(page, "Cart", 1).focus();
  await type(page, ["5-6-70", "Tab"]);
  await cell(page, "Cart", 1).focus();
  await type(page, ["9-2-1", "Enter"]);
  await page.getByRole("alert").getByText("Likely can’t be lower than Low").waitFor();
  await page.getByRole("searchbox").click();
  await page.keyboard.type("a");
  expect(await page.getByRole("searchbox").inputValue()).toBe("a");
  await page.keyboard.press("Backspace");
  expect(await cell(page, "Cart", 1).innerText()).toContain("9-2-1");
  await saved(page);
  await stores(user, id, "- Scope\n  - Option 3: 4\n  - Cart: 5-6-70\n");
  await cell(page, "Cart", 1).dblclick();
  expect(await page.evaluate("document.activeElement.value")).toBe("9-2-1");
  await page.keyboard.press("Escape");
  await until(async () => (await cell(page, "Cart", 1).innerText()).trim() === "5");
  await cell(page, "Option 3", 0).dblclick();
  await keys(page, "Control+a");
  await type(page, ["Fourth", "Enter"]);
  await stores(user, id, "- Scope\n  - Fourth: 4\n  - Cart: 5-6-70\n");
  // In the details too.
  await keys(page, "Escape", "ArrowDown", "Alt+Enter");
  await page.getByLabel("Title", { exact: true }).fill(" ");
  await keys(page, "Enter");
  await page.getByRole("alert").getByText("“Cart” needs a title").waitFor();
  await keys(page, "Escape");
  // A second Escape leads back to the line.
  await keys(page, "Escape");
  await until(async () => /^Cart/.test(await page.evaluate("document.activeElement.textContent")));
  // A save that is refused all the same names the line, and leads to it.
  let isRefused = false;
  await page.route("**/tree", async (route) => {
    if (route.request().method() !== "PUT" || isRefused) return route.continue();
    isRefused = true;
    const fault = { path: "/nodes/0/options/1/unit", message: "is too long", code: "too_long", expected: 30 };
    await route.fulfill({ status: 400, json: { success: false, message: "validation_failed", errors: [fault] } });
  });
  await cell(page, "Fourth", 2).focus();
  await type(page, ["7", "Enter"]);
  await page.getByText("“Cart”: Unit can have at most 30 characters").waitFor();
  await cell(page, "Scope", 0).focus();
  await press(page, "Show line");
  await until(async () => /Cart/.test(await page.evaluate("document.activeElement.textContent")));
  await press(page, "Try again");
  await saved(page);
  await stores(user, id, "- Scope\n  - Fourth: 4-7-7\n  - Cart: 5-6-70\n");
});

test("new lines land where they are typed", async () => {
  const { user, id, page } = await open("# Lines\n\n- Scope\n  - One\n  - Five\n");
  await cell(page, "One", 0).focus();
  // Once untouched: Escape takes it away again, and leads back.
  await addLine(page);
  await keys(page, "Escape");
  await until(async () => (await page.getByRole("row").count()) === 4);
  expect(await page.evaluate("document.activeElement.textContent")).toContain("One");
  await addLine(page);
  // Each Enter opens the next one, and the last, which stays empty, leads back.
  await type(page, ["Two: 1-2-3", "Enter"], ["Three: 1-2-3", "Enter"], ["Four", "Enter"], ["", "Enter"]);
  await keys(page, "ArrowRight");
  await type(page, ["1-2-3", "Enter"]);
  const lines = ["One", "Two: 1-2-3", "Three: 1-2-3", "Four: 1-2-3", "Five"].map((line) => `  - ${line}\n`);
  await stores(user, id, `- Scope\n${lines.join("")}`);
  // Options go into a nested question, and everything about one is typed at once.
  await cell(page, "One", 0).focus();
  await addLine(page, "Control+Shift+Enter");
  await type(page, ["How?", "Enter"]);
  await keys(page, "Tab");
  await type(page, ["Card: 4-16-34 x3 @backend", "Enter"], ["Invoice: 2d x1,5", "Enter"]);
  await keys(page, "Escape");
  await stores(
    user,
    id,
    `- Scope\n  - One\n    - How? (choose one)\n      - [x] Card: 4-16-34 x3 @backend\n      - [ ] Invoice: 16 x1.5\n${lines.slice(1).join("")}`,
  );
  // What the editor chose by itself is undone with the option, which is one step with its title and hours.
  await keys(page, "Control+z");
  await stores(
    user,
    id,
    `- Scope\n  - One\n    - How? (choose one)\n      - [x] Card: 4-16-34 x3 @backend\n${lines.slice(1).join("")}`,
  );
  await keys(page, "Control+z");
  await stores(user, id, `- Scope\n  - One\n    - How? (choose one)\n${lines.slice(1).join("")}`);
});

test("several lines are selected, changed, copied and pasted as in a spreadsheet, each as one step", async () => {
  const { user, id, page } = await open(
    "# Many\n\n- Scope\n  - Alpha: 1-2-3\n  - Beta\n  - Gamma\n  - Delta: 4\n- Other (choose one)\n",
  );
  const scope = (...lines: readonly string[]) =>
    `- Scope\n${lines.map((line) => `  - ${line}\n`).join("")}- Other (choose one)\n`;
  const before = scope("Alpha: 1-2-3", "Beta", "Gamma", "Delta: 4");
  await cell(page, "Alpha", 0).focus();
  await keys(page, "Shift+ArrowDown", "Shift+ArrowDown");
  await page.getByText("3 lines selected").waitFor();
  await expectAccessible(page);
  await keys(page, "Alt+ArrowDown");
  await stores(user, id, scope("Delta: 4", "Alpha: 1-2-3", "Beta", "Gamma"));
  await keys(page, "Control+z");
  await stores(user, id, before);
  await keys(page, "Alt+Enter");
  await page.getByRole("combobox", { name: "Role" }).fill("backend");
  await keys(page, "Enter");
  await page.getByLabel("Quantity").fill("2");
  await keys(page, "Enter");
  await stores(user, id, scope("Alpha: 1-2-3 x2 @backend", "Beta: x2 @backend", "Gamma: x2 @backend", "Delta: 4"));
  await cell(page, "Beta", 0).click();
  await cell(page, "Delta", 0).click({ modifiers: ["Shift"] });
  await page.getByText("3 lines selected").waitFor();
  await keys(page, "Delete");
  await stores(user, id, scope("Alpha: 1-2-3 x2 @backend"));
  await keys(page, "Control+z");
  // Copied lines are pasted elsewhere: the first answers a question that had no options.
  await cell(page, "Alpha", 0).click();
  await keys(page, "Shift+ArrowDown", "Control+c");
  await cell(page, "Other", 0).click();
  await keys(page, "Control+v");
  const dialog = page.getByRole("dialog", { name: "Paste 2 lines" });
  await dialog.getByRole("row", { name: "Alpha × 2 backend 1 2 3" }).waitFor();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Add 2 lines" }).click();
  const added = "  - [x] Alpha: 1-2-3 x2 @backend\n  - [ ] Beta: x2 @backend\n";
  const both = scope("Alpha: 1-2-3 x2 @backend", "Beta: x2 @backend", "Gamma: x2 @backend", "Delta: 4");
  await stores(user, id, both + added);
  await keys(page, "Control+z");
  await stores(user, id, both);
  // From a spreadsheet whose numbers have two readings: asked once, with what cannot be taken.
  await cell(page, "Delta", 0).focus();
  const text = "Task\tLow\tLikely\tHigh\nCart\t1,250\t2,500\t3,750\nList\t9\t1\t2";
  await page.evaluate(`{
    const clipboardData = new DataTransfer();
    clipboardData.setData("text", ${JSON.stringify(text)});
    document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
  }`);
  await page.getByText("Low, Likely and High aren’t in order").waitFor();
  expect(await page.getByRole("button", { name: "Add 1 line" }).isDisabled()).toBe(true);
  await page.getByRole("radio", { name: "1250" }).click();
  await press(page, "Add 1 line");
  await stores(
    user,
    id,
    scope("Alpha: 1-2-3 x2 @backend", "Beta: x2 @backend", "Gamma: x2 @backend", "Delta: 4", "Cart: 1250-2500-3750"),
  );
});

test("quantities count wherever hours are drawn, and an estimate that is not final says so", async () => {
  const { page } = await open(
    "# Drawn\n\n- Scope\n  - Screens: 4-5-9 x20\n  - Cart: 10-20-40\n- Payment (choose one)\n  - [ ] Card: 4\n",
  );
  const bar = async (row: string) =>
    (await page.getByRole("row", { name: row }).locator("td span").last().boundingBox())?.width;
  const [screens, cart] = [await bar("Screens"), await bar("Cart")];
  expect(screens).toBeDefined();
  expect(Number(screens)).toBeGreaterThan(Number(cart));
  const shown = async (row: string) => (await cell(page, row, 0).locator("xpath=..").innerText()).split(/\s+/);
  expect(await shown("Screens")).toContain("110");
  expect(await page.getByRole("complementary").innerText()).toMatch(/\d+ h · 1 question open/);
  await press(page, "Show the first");
  expect(await page.evaluate("document.activeElement.textContent")).toContain("Payment");
  await page.getByText("Map", { exact: true }).click();
  const card = (name: string) => page.locator(".react-flow__node", { hasText: name });
  await card("Screens").getByText("110", { exact: true }).waitFor();
  await card("Scope").getByText("132", { exact: true }).waitFor();
  await page.getByText("Outline", { exact: true }).click();
  await page.locator('[data-choose="Card"]').click();
  await page.getByText("80% likely to take no longer").waitFor();
  await page.locator("svg", { hasText: "P80" }).first().hover();
  await page.locator("svg text", { hasText: /^\d+(\.\d)? h: \d+\s?%$/ }).waitFor();
  expect(await page.getByRole("complementary").innerText()).not.toContain("open");

  // On a phone the estimate stays in sight, and what a choice would change is there.
  await page.setViewportSize({ width: 375, height: 500 });
  await page.locator('[data-choose="Card"]').click();
  await page.getByRole("row", { name: "Card" }).getByText("▲ +4").waitFor();
  await page.evaluate("scrollTo(0, document.body.scrollHeight)");
  const total = await page.locator("section[aria-label='Questions and options'] strong").first().boundingBox();
  expect(total && total.y >= 0 && total.y < 500).toBe(true);
  await expectAccessible(page);
});

test("nothing moves because something is said, it can be closed, and the reader's other tab is nobody else", async () => {
  const { page, id } = await open("# Said\n\n- Scope\n  - Card: 4\n  - Cart: 8\n");
  const top = async () => (await page.getByRole("treegrid").boundingBox())?.y;
  const before = await top();
  await loadedLater(page, "live-people", "live-tree");
  await page.context().setOffline(true);
  await page.getByText("You’re offline").waitFor();
  expect(await top()).toBe(before);
  await press(page, "Close");
  await until(async () => (await page.getByText("You’re offline").count()) === 0);
  await page.context().setOffline(false);
  const other = await page.context().newPage();
  await other.goto(`/estimations/${id}`);
  await other.getByRole("treegrid").waitFor();
  await cell(other, "Card", 1).focus();
  await type(other, ["7-8-9", "Enter"]);
  await saved(other);
  await page.evaluate("dispatchEvent(new Event('focus'))");
  await until(async () => /7\s+8\s+9/.test(await page.getByRole("row", { name: "Card" }).innerText()));
  expect(await page.getByText("Someone else").count()).toBe(0);
});

test("undo goes on after another tab of the estimation and after a reload, and a pasted outline is kept", async () => {
  const { user, id, page } = await open("# Undo\n\n- Scope\n  - Card: 4\n  - Cart: 8\n");
  await cell(page, "Card", 1).focus();
  await type(page, ["1-2-3", "Enter"]);
  await addLine(page);
  await type(page, ["List", "Enter"]);
  await saved(page);
  await page.getByRole("link", { name: "Tasks", exact: true }).click();
  await page.getByRole("heading", { name: "No tasks yet" }).waitFor();
  await page.getByRole("link", { name: "Tree", exact: true }).click();
  await page.getByRole("treegrid").waitFor();
  await press(page, "Undo");
  await stores(user, id, "- Scope\n  - Card: 1-2-3\n  - Cart: 8\n");
  await saved(page);
  await page.waitForFunction(`new Promise((resolve) => {
    const request = indexedDB.open("unsaved-steps");
    request.onsuccess = () => {
      const kept = request.result.transaction("steps").objectStore("steps").getAll();
      kept.onsuccess = () => resolve(kept.result.some(({ past }) => past.length === 1));
    };
  })`);
  await page.reload();
  await page.getByRole("treegrid").waitFor();
  await press(page, "Undo");
  await stores(user, id, "- Scope\n  - Card: 4\n  - Cart: 8\n");
  await press(page, "Redo");
  await stores(user, id, "- Scope\n  - Card: 1-2-3\n  - Cart: 8\n");

  await page.goto("/estimations/new");
  await page.getByText("From a file or outline").click();
  await page.getByRole("textbox").fill("# Kept\n\n- Scope\n  - Cart: 8\n");
  await page.getByText("From a template", { exact: true }).click();
  await page.getByText("From a file or outline").click();
  expect(await page.getByRole("textbox").inputValue()).toContain("# Kept");

  // Signing out leaves nothing of it.
  await page.getByRole("button", { name: /^Account of/ }).click();
  await page.getByRole("menuitem", { name: /^Sign out/ }).click();
  await page.getByLabel("E-mail address").waitFor();
  await page.waitForFunction(`new Promise((resolve) => {
    const request = indexedDB.open("unsaved-steps");
    request.onsuccess = () => {
      const kept = request.result.transaction("steps").objectStore("steps").count();
      kept.onsuccess = () => resolve(kept.result === 0);
    };
  })`);
});
