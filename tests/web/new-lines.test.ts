import type { BrowserContextOptions, Page } from "playwright-core";
import { expect, test } from "vitest";
import { start, type TestUser, until } from "../harness.ts";
import { addLine, hold, importAs, keys, loadedLater, newLine, press, saved, storedOutline } from "./actions.ts";
import { expectAccessible, openBrowser, openSignedIn } from "./browser.ts";

const app = await start({ pages: true });

const title = (page: Page, row: string) => page.getByRole("row", { name: row }).getByRole("gridcell").first();

async function open(
  outline: string,
  options: BrowserContextOptions = {},
  waitsFor: "treegrid" | "button" = "treegrid",
) {
  const user = await app.signUp();
  const id = await importAs(app, user, outline);
  const page = await openSignedIn(await openBrowser(app, options), user, `/estimations/${id}`);
  await page.getByRole(waitsFor).first().waitFor();
  return { user, id, page };
}

/** Returns what the server has, once it begins with this. */
const stores = (user: TestUser, id: string, outline: string) =>
  expect.poll(() => storedOutline(app, user, id)).toBe(outline);

const typed = (page: Page) => page.evaluate<string>("document.activeElement.value");
const focused = (page: Page) => page.evaluate<string>("document.activeElement.textContent");

const pasteInto = (page: Page, text: string) =>
  page.evaluate(`{
    const clipboardData = new DataTransfer();
    clipboardData.setData("text", ${JSON.stringify(text)});
    document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }`);

/** A tree of three levels, as its lines are typed: `>` stands for Tab, `<` for Shift+Tab before the title. */
const LINES = [
  ["", "Checkout"],
  [">", "Card: 4-16-34"],
  ["", "Invoice: 8"],
  [">", "Letter"],
  ["", "Mail: 1-2-3"],
  ["<", "Cash"],
  ["", "Voucher: 2d"],
  ["<", "Search"],
  [">", "Index: 4-6-9"],
  ["", "Ranking"],
  [">", "By sales: 2-3-4"],
  ["", "By date"],
  ["", "By price: 1"],
  ["<", "Filters: 5-8-13"],
  ["<", "Accounts"],
  [">", "Sign in: 3-5-8"],
  ["", "Sign up"],
  [">", "Confirmation: 1-2-4"],
  ["", "Welcome"],
  ["<", "Profile: 2-4-8"],
] as const;

const TYPED = `- Base
  - Start
- Checkout
  - Card: 4-16-34
  - Invoice: 8
    - Invoice
      - Letter
      - Mail: 1-2-3
  - Cash
  - Voucher: 16
- Search
  - Index: 4-6-9
  - Ranking
    - Ranking
      - By sales: 2-3-4
      - By date
      - By price: 1
  - Filters: 5-8-13
- Accounts
  - Sign in: 3-5-8
  - Sign up
    - Sign up
      - Confirmation: 1-2-4
      - Welcome
  - Profile: 2-4-8
`;

async function typeLines(page: Page, lines: readonly (readonly [indent: string, title: string])[], delay?: number) {
  for (const [indent, text] of lines) {
    for (const step of indent) await keys(page, step === ">" ? "Tab" : "Shift+Tab");
    await page.keyboard.type(text, { delay });
    await keys(page, "Enter");
  }
}

test("twenty lines on three levels are fewer keys than fit into 40 seconds at 120 ms each", () => {
  const presses = LINES.flatMap(([indent, title]) => [...indent, ...title, "Enter"]);
  expect(LINES).toHaveLength(20);
  expect(presses.length * 120).toBeLessThan(40_000);
});

test.each([
  ["en-GB", undefined],
  ["de-DE", 5],
] as const)(
  "twenty lines on three levels are typed without the mouse, and none is lost (%s)",
  async (locale, delay) => {
    const { user, id, page } = await open("# Typed\n\n- Base\n  - Start\n", { locale });
    await title(page, "Base").focus();
    await keys(page, "Enter", "Enter");
    await newLine(page);
    await typeLines(page, LINES, delay);
    // The last Enter opened a line that nothing was typed into.
    await keys(page, "Enter");
    await until(async () => (await focused(page)).includes("Profile"));
    await saved(page);
    await stores(user, id, TYPED);
    expect(await page.getByRole("row").count()).toBe(1 + TYPED.trim().split("\n").length);
    await expectAccessible(page);
  },
);

test("a letter after Enter goes into the new line, never in the place of a title", async () => {
  const { user, id, page } = await open("# Letters\n\n- Scope\n  - One\n  - Four: 4\n");
  await title(page, "One").focus();
  // Opened and left unchanged, Enter opens a line as well.
  await keys(page, "F2", "Enter");
  await page.keyboard.type("Two");
  await keys(page, "Enter");
  await page.keyboard.type("Three");
  await keys(page, "Enter", "Enter");
  await until(async () => (await focused(page)).includes("Three"));
  await stores(user, id, "- Scope\n  - One\n  - Two\n  - Three\n  - Four: 4\n");
  // On a title that has the focus, letters go on with it.
  await page.keyboard.type("!");
  await keys(page, "Escape");
  await keys(page, "F2");
  expect(await typed(page)).toBe("Three");
  await page.keyboard.type("rd");
  await keys(page, "Enter", "Escape");
  await stores(user, id, "- Scope\n  - One\n  - Two\n  - Threerd\n  - Four: 4\n");
  // Hours are as in a spreadsheet: typing replaces them, Enter goes down.
  await keys(page, "ArrowDown", "ArrowRight");
  await page.keyboard.type("5");
  await keys(page, "Enter");
  await stores(user, id, "- Scope\n  - One\n  - Two\n  - Threerd\n  - Four: 5\n");
  expect(await page.getByRole("row").count()).toBe(6);
});

test("a new line that is left empty leaves nothing behind, and each that is typed is one step to undo", async () => {
  const { user, id, page } = await open("# Steps\n\n- Scope\n  - One\n- Other\n");
  const puts: string[] = [];
  page.on("request", (request) => void (request.method() === "PUT" && puts.push(request.url())));
  const left = async () => until(async () => (await page.getByRole("row").count()) === 4);
  await title(page, "One").focus();
  await addLine(page);
  await keys(page, "Escape");
  await left();
  expect(await focused(page)).toContain("One");
  await addLine(page, "Control+Shift+Enter");
  await title(page, "Other").click();
  await left();
  expect(await focused(page)).toContain("Other");
  await press(page, "Option");
  await newLine(page);
  await page.keyboard.type("   ");
  await page.getByRole("searchbox").focus();
  await left();
  expect(await page.evaluate("document.activeElement.type")).toBe("search");
  // What was typed and is given up is gone as well.
  await title(page, "One").focus();
  await addLine(page);
  await page.keyboard.type("Given up");
  await keys(page, "Escape");
  await left();
  expect(puts).toEqual([]);
  // Left by a click, it is stored.
  await addLine(page);
  await page.keyboard.type("Two: 1-2-3");
  await title(page, "Other").click();
  await stores(user, id, "- Scope\n  - One\n  - Two: 1-2-3\n- Other\n");
  await title(page, "Two").focus();
  await keys(page, "Enter", "Enter");
  await page.keyboard.type("Below");
  await keys(page, "Tab", "Enter", "Escape");
  await stores(user, id, "- Scope\n  - One\n  - Two: 1-2-3\n    - Two\n      - Below\n- Other\n");
  await keys(page, "Control+z");
  await stores(user, id, "- Scope\n  - One\n  - Two: 1-2-3\n- Other\n");
  await keys(page, "Control+z");
  await stores(user, id, "- Scope\n  - One\n- Other\n");
  await keys(page, "Control+Shift+z", "Control+Shift+z");
  await stores(user, id, "- Scope\n  - One\n  - Two: 1-2-3\n    - Two\n      - Below\n- Other\n");
});

test("Tab and Shift+Tab move the line that is typed, with what is in its input", async () => {
  const { user, id, page } = await open(
    "# Levels\n\n- Scope\n  - One\n    - How? (choose one)\n      - Fast\n  - Two\n  - Three\n- Last\n",
  );
  // An option goes into the last question of the one above it, and back.
  await title(page, "Two").focus();
  await keys(page, "F2", "x", "Tab");
  // Right after the page was opened, the keys may be kept for a moment.
  await expect.poll(() => typed(page)).toBe("Twox");
  await stores(
    user,
    id,
    "- Scope\n  - One\n    - How? (choose one)\n      - [ ] Fast\n      - [ ] Two\n  - Three\n- Last\n",
  );
  await keys(page, "Shift+Tab", "y");
  expect(await typed(page)).toBe("Twoxy");
  await keys(page, "Enter", "Escape");
  await stores(user, id, "- Scope\n  - One\n    - How? (choose one)\n      - [ ] Fast\n  - Twoxy\n  - Three\n- Last\n");
  // Where the option above has no question, it gets one with its title, which goes again with its last option.
  await title(page, "Three").focus();
  await keys(page, "F2", "Tab");
  const below =
    "- Scope\n  - One\n    - How? (choose one)\n      - [ ] Fast\n  - Twoxy\n    - Twoxy\n      - Three\n- Last\n";
  await stores(user, id, below);
  await keys(page, "Shift+Tab");
  await stores(user, id, "- Scope\n  - One\n    - How? (choose one)\n      - [ ] Fast\n  - Twoxy\n  - Three\n- Last\n");
  expect(await typed(page)).toBe("Three");
  // A new line is an option or a question by its level; where there is no level further in or out, it stays.
  await keys(page, "Enter");
  await page.keyboard.type("New");
  await keys(page, "Shift+Tab");
  await page.getByRole("textbox", { name: /New question/ }).waitFor();
  await keys(page, "Shift+Tab");
  expect(await typed(page)).toBe("New");
  await keys(page, "Tab", "Tab", "Tab");
  await page.getByRole("textbox", { name: /New option/ }).waitFor();
  await page.keyboard.type("er");
  await keys(page, "Enter", "Escape");
  await stores(
    user,
    id,
    "- Scope\n  - One\n    - How? (choose one)\n      - [ ] Fast\n  - Twoxy\n  - Three\n    - Three\n      - Newer\n- Last\n",
  );
  await keys(page, "Control+z");
  // The first line of all has nothing above.
  await title(page, "Scope").focus();
  await keys(page, "F2", "Tab", "Shift+Tab");
  expect(await typed(page)).toBe("Scope");
});

test("Backspace in an empty line removes it, and goes to the end of the line above", async () => {
  const { user, id, page } = await open("# Back\n\n- Scope\n  - One\n  - Two: 4\n  - Three\n");
  await title(page, "One").focus();
  await addLine(page);
  await keys(page, "a", "Backspace", "Backspace");
  await until(async () => (await page.getByRole("row").count()) === 5);
  expect(await typed(page)).toBe("One");
  await page.keyboard.type("s");
  expect(await typed(page)).toBe("Ones");
  await keys(page, "Escape");
  // A line that holds nothing else goes as well, at once undone; one with hours stays.
  await title(page, "Three").focus();
  await keys(page, "F2", "Control+a", "Delete", "Backspace");
  await until(async () => (await typed(page)) === "Two");
  await stores(user, id, "- Scope\n  - One\n  - Two: 4\n");
  await keys(page, "Control+a", "Delete", "Backspace");
  expect(await typed(page)).toBe("");
  await keys(page, "Escape", "Control+z");
  await stores(user, id, "- Scope\n  - One\n  - Two: 4\n  - Three\n");
});

test("on a narrow screen that is touched, Enter of the keyboard opens a new line as well", async () => {
  const { user, id, page } = await open("# Phone\n\n- Scope\n  - One\n", {
    viewport: { width: 375, height: 640 },
    hasTouch: true,
    isMobile: true,
  });
  await title(page, "One").tap();
  await title(page, "One").tap();
  await page.keyboard.type("x");
  await expect.poll(() => page.evaluate("document.activeElement.enterKeyHint")).toBe("enter");
  for (let line = 2; line <= 20; line += 1) {
    await keys(page, "Enter");
    expect(await typed(page)).toBe("");
    // It is in sight before anything is typed.
    expect(await page.evaluate("document.activeElement.getBoundingClientRect().bottom <= innerHeight")).toBe(true);
    await page.keyboard.type(`Line ${line}`);
  }
  await keys(page, "Enter", "Enter");
  const lines = ["Onex", ...Array.from({ length: 19 }, (_, at) => `Line ${at + 2}`)];
  await stores(user, id, `- Scope\n${lines.map((line) => `  - ${line}\n`).join("")}`);
});

test("lines are typed without a connection, and beside what others change", async () => {
  const { user, id, page } = await open("# Beside\n\n- Scope\n  - One\n  - Two\n");
  const other = await page.context().newPage();
  await other.goto(`/estimations/${id}`);
  await other.getByRole("treegrid").waitFor();
  await title(page, "One").focus();
  await addLine(page);
  await page.keyboard.type("Betw");
  await title(other, "One").focus();
  await other.keyboard.type("x");
  await keys(other, "Enter");
  await other.keyboard.type("Theirs");
  await keys(other, "Enter", "Escape");
  await stores(user, id, "- Scope\n  - Onex\n  - Theirs\n  - Two\n");
  await page.evaluate("dispatchEvent(new Event('focus'))");
  await page.getByRole("row", { name: "Theirs" }).waitFor();
  await page.keyboard.type("een");
  for (const each of [page, other]) await loadedLater(each, "live-people", "live-tree");
  await page.context().setOffline(true);
  await keys(page, "Enter");
  for (const text of ["More", "Still more"]) {
    await page.keyboard.type(text);
    await keys(page, "Enter");
  }
  await keys(page, "Enter");
  await page.context().setOffline(false);
  await stores(user, id, "- Scope\n  - Onex\n  - Between\n  - More\n  - Still more\n  - Theirs\n  - Two\n");
  // What would hold the line is deleted meanwhile: the text is said.
  await until(async () => (await focused(page)).includes("Still more"));
  await addLine(page);
  await page.keyboard.type("Not lost");
  // Who has not seen a line would be asked about it.
  await other.evaluate("dispatchEvent(new Event('focus'))");
  await other.getByRole("row", { name: "Still more" }).waitFor();
  await title(other, "Scope").focus();
  await keys(other, "Delete");
  await until(async () => !(await storedOutline(app, user, id)).includes("Scope"));
  await page.evaluate("dispatchEvent(new Event('focus'))");
  await page.getByText("Not saved: Not lost").waitFor();
});

test("an empty estimation has the focus when it opens: its first line is typed or pasted at once", async () => {
  const { user, id, page } = await open("# Empty\n", {}, "button");
  const start = page.getByRole("button", { name: /^Type, or paste a list/ });
  await start.waitFor();
  await until(async () => (await focused(page)).startsWith("Type, or paste a list"));
  await expectAccessible(page);
  await page.keyboard.type("Checkout");
  await keys(page, "Enter", "Tab");
  await page.keyboard.type("Card: 4-16-34");
  await keys(page, "Enter", "Enter");
  await stores(user, id, "- Checkout (choose one)\n  - [x] Card: 4-16-34\n");
  await keys(page, "Control+z", "Control+z");
  await until(async () => (await focused(page)).startsWith("Type, or paste a list"));
  // Pressed, and left again, nothing stays.
  await start.click();
  await newLine(page);
  await keys(page, "Escape");
  await until(async () => (await focused(page)).startsWith("Type, or paste a list"));
  await pasteInto(page, "Cart\t4\nList\t8");
  await press(page, "Cancel");
  await start.waitFor();
  await start.focus();
  await pasteInto(page, "Cart\t4\nList\t8");
  await press(page, "Add 2 lines");
  await stores(user, id, "- New question\n  - Cart: 4\n  - List: 8\n");
  // While a title is typed, several lines that are pasted are no title either.
  await title(page, "List").focus();
  await keys(page, "F2");
  await pasteInto(page, "Cart\t4\nList\t8");
  await press(page, "Add 2 lines");
  await stores(user, id, "- New question\n  - Cart: 4\n  - List: 8\n  - Cart: 4\n  - List: 8\n");
});

/** The file with what typing needs. */
const CODE = /\/assets\/typing-/;

test("what is typed and pasted before the page can take it is taken in its order", async () => {
  const user = await app.signUp();
  const browser = await openBrowser(app);
  const id = await importAs(app, user, "# Early\n\n- Scope\n  - One\n  - Two: 4\n");
  const page = await openSignedIn(browser, user);
  let held = await hold(page, CODE, "GET");
  await page.goto(`/estimations/${id}`);
  await title(page, "One").focus();
  await keys(page, "F2", "s", "!", "Backspace");
  await pasteInto(page, " more");
  await keys(page, "Enter");
  await page.keyboard.type("Between: 1-2-3");
  await keys(page, "Enter", "Enter");
  expect(await page.getByRole("textbox", { name: /^Question or option/ }).count()).toBe(0);
  held.release();
  await stores(user, id, "- Scope\n  - Ones more\n  - Between: 1-2-3\n  - Two: 4\n");
  await until(async () => (await focused(page)).includes("Between"));
  // What replaces all of a title, and hours.
  await page.unrouteAll();
  held = await hold(page, CODE, "GET");
  await page.reload();
  await title(page, "Ones").focus();
  await keys(
    page,
    "F2",
    "Control+a",
    "Delete",
    "U",
    "n",
    "o",
    "Enter",
    "Escape",
    "ArrowDown",
    "ArrowDown",
    "ArrowRight",
  );
  await page.keyboard.type("5");
  await keys(page, "Tab");
  await page.keyboard.type("6");
  await keys(page, "Enter");
  held.release();
  await stores(user, id, "- Scope\n  - Uno\n  - Between: 1-2-3\n  - Two: 5-6-6\n");
  // Into an empty tree.
  const empty = await importAs(app, user, "# Empty\n");
  await page.unrouteAll();
  held = await hold(page, CODE, "GET");
  await page.goto(`/estimations/${empty}`);
  await until(async () => (await focused(page)).startsWith("Type, or paste a list"));
  await page.keyboard.type("Checkout");
  await keys(page, "Enter", "Tab");
  await page.keyboard.type("Card: 4");
  await keys(page, "Enter", "Enter");
  held.release();
  await stores(user, empty, "- Checkout (choose one)\n  - [x] Card: 4\n");
});

test("what is typed where the code for it cannot be loaded stays in the cell", async () => {
  const user = await app.signUp();
  const id = await importAs(app, user, "# Lost\n\n- Scope\n  - One\n  - Two: 4\n");
  const page = await openSignedIn(await openBrowser(app), user);
  await page.route(CODE, (route) => route.abort());
  await page.goto(`/estimations/${id}`);
  await page.getByRole("row", { name: "Two" }).getByRole("gridcell").nth(1).focus();
  await page.keyboard.type("5");
  await page.getByText("A part of this page couldn’t be loaded.").first().waitFor();
  await page.getByRole("row", { name: "Two" }).getByText("5", { exact: true }).waitFor();
});
