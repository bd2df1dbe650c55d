import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { start, until } from "../harness.ts";
import { importAs, keys, press, saved, storedOutline } from "./actions.ts";
import { expectAccessibleState, openBrowser, openSignedIn } from "./browser.ts";

const app = await start({ pages: true });

const SHOP =
  "# Shop\n\nHourly rate: 1250.5\nCurrency: EUR\n\n- Scope\n  - Cart: 1250-2000.5-3000\n  - Search: 4-16-34\n";

const cell = (page: Page, row: string, column: number) =>
  page.getByRole("row", { name: row }).getByRole("gridcell").nth(column);

/** Opens an estimation with tasks, in a browser of a locale. */
async function open(locale: string) {
  const user = await app.signUp();
  const id = await importAs(app, user, SHOP);
  const context = await openBrowser(app, { locale });
  const page = await openSignedIn(context, user, `/estimations/${id}`);
  await page.getByRole("treegrid").waitFor();
  const move = async (...moves: readonly string[]) => {
    for (const each of moves) await app.request("POST", `/api/estimations/${id}/${each}`, { token: user.token });
  };
  const actualHours = async (title: string) => {
    const { data } = await app.request("GET", `/api/estimations/${id}/tasks`, { token: user.token });
    const tasks = data.tasks as unknown as { readonly title: string; readonly actualHours: number | null }[];
    return tasks.find((task) => task.title === title)?.actualHours;
  };
  return { user, id, context, page, move, actualHours };
}

/** Puts a text into the clipboard by copying it from a field. */
async function copy(page: Page, text: string): Promise<void> {
  await page.getByRole("searchbox").fill(text);
  await page.getByRole("searchbox").focus();
  await keys(page, "Control+a", "Control+c");
  await page.getByRole("searchbox").fill("");
}

test.each([
  ["en-GB", "1,250", "2,000.5", 1250, "7.5"],
  ["de-DE", "1.250", "2.000,5", 1.25, "7,5"],
  ["fr-FR", "1\u202f250", "2\u202f000,5", 1.25, "7,5"],
])("in %s, what is shown can be typed back, and what is typed is read as it is written", async (...row) => {
  const [locale, low, likely, ofComma, half] = row;
  const { user, id, page, move, actualHours } = await open(locale);
  const before = await storedOutline(app, user, id);
  expect(await cell(page, "Cart", 1).innerText()).toBe(low);
  expect(await cell(page, "Cart", 2).innerText()).toBe(likely);
  const type = async (column: number, text: string) => {
    await cell(page, "Cart", column).dblclick();
    await keys(page, "Control+a");
    await page.keyboard.insertText(text);
    await keys(page, "Enter");
    await page.locator("input[aria-label$='Cart']").waitFor({ state: "detached" });
  };
  await type(1, "1");
  await type(1, low);
  await type(2, likely);
  await saved(page);
  expect(await storedOutline(app, user, id)).toBe(before);
  await press(page, "Settings");
  const rate = page.getByRole("dialog").getByLabel("Hourly rate");
  expect(await rate.inputValue()).toBe(likely.endsWith(",5") ? "1250,5" : "1250.5");
  await rate.fill(low);
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await saved(page);
  const read = async () => (await app.request("GET", `/api/estimations/${id}`, { token: user.token })).data.estimation;
  await expect.poll(read).toMatchObject({ hourlyRate: 1250, hours: {} });

  await move("submit", "tasks/generate");
  await page.goto(`/estimations/${id}/tasks`);
  const actual = page.getByLabel("Actual hours of Cart");
  for (const [text, hours] of [
    ["1,250", ofComma],
    [low, 1250],
    [half, 7.5],
    ["2d", 16],
  ] as const) {
    await actual.fill(text);
    await keys(page, "Enter");
    await until(async () => (await actualHours("Cart")) === hours);
  }
});

test("what has two readings, or is pasted, is asked about at the field and never guessed", async () => {
  const { user, id, page, move, actualHours } = await open("en-GB");
  // A space can separate thousands, or low and high hours.
  await cell(page, "Search", 3).focus();
  await page.keyboard.type("1 250");
  await keys(page, "Enter");
  await page.getByRole("alert").getByText("What does “1 250” mean?").waitFor();
  await expectAccessibleState(page);
  await keys(page, "Tab");
  expect(await page.evaluate("document.activeElement.textContent")).toBe("1-250");
  // Escape leads back to the field, and arrows to the other reading.
  await keys(page, "Escape");
  expect(await page.evaluate("document.activeElement.value")).toBe("1 250");
  await keys(page, "Tab", "ArrowRight", "Enter");
  await saved(page);
  await expect.poll(() => storedOutline(app, user, id)).toContain("Search: 4-16-1250");
  await keys(page, "Control+z");
  for (const text of ["5 17 35", "6/18/36"]) {
    await cell(page, "Search", 1).focus();
    await page.keyboard.type(text);
    await keys(page, "Enter");
    await expect.poll(() => storedOutline(app, user, id)).toContain(`Search: ${text.replace(/[ /]/g, "-")}`);
  }
  // A text that is left without a response stays in its cell, and changes nothing.
  await cell(page, "Search", 1).focus();
  await page.keyboard.type("1 250");
  await cell(page, "Cart", 0).click();
  await page.locator('[data-hint="It can be read in two ways"]').getByText("1 250").waitFor();

  await copy(page, "1,250");
  await cell(page, "Search", 3).dblclick();
  await keys(page, "Control+a", "Control+v", "Enter");
  await page.getByRole("button", { name: "1250", exact: true }).click();
  await expect.poll(() => storedOutline(app, user, id)).toContain("Search: 6-18-1250");
  // Cells of a column stay apart.
  await cell(page, "Cart", 0).focus();
  await keys(page, "Alt+Enter");
  const description = page.getByLabel("Description", { exact: true });
  await description.fill("7\n19\n38");
  await keys(page, "Control+a", "Control+c", "Escape");
  await cell(page, "Search", 1).dblclick();
  await keys(page, "Control+a", "Control+v", "Enter");
  await expect.poll(() => storedOutline(app, user, id)).toContain("Search: 7-19-38");

  await move("submit", "tasks/generate");
  await copy(page, "1,250");
  await page.getByRole("link", { name: "Tasks" }).click();
  const actual = page.getByLabel("Actual hours of Cart");
  await actual.focus();
  await keys(page, "Control+v", "Enter");
  await page.getByRole("alert").getByText("What does “1,250” mean?").waitFor();
  expect(await actualHours("Cart")).toBe(null);
  await page.getByRole("button", { name: "1.25", exact: true }).click();
  await until(async () => (await actualHours("Cart")) === 1.25);
  await until(async () => (await actual.inputValue()) === "1.25");
});

test("numbers and dates have one locale, which can be chosen apart from the browser's", async () => {
  const { user, id, page } = await open("en-GB");
  expect(await cell(page, "Cart", 2).innerText()).toBe("2,000.5");
  await page.goto("/glossary");
  await page.getByText("This page writes 1.5 and 12,500").waitFor();
  await page.getByRole("link", { name: "Change how numbers are written" }).click();
  const choice = page.getByLabel("Written as in");
  await choice.selectOption({ label: "German (Germany)" });
  await page.getByText("12.500 · 7,5 · 31.03.2026").waitFor();
  await page.goto(`/estimations/${id}`);
  await until(async () => (await cell(page, "Cart", 2).innerText()) === "2.000,5");
  expect(await page.evaluate("document.documentElement.lang")).toBe("en");
  await cell(page, "Search", 1).focus();
  await page.keyboard.type("1,5-2-3");
  await keys(page, "Enter");
  await expect.poll(() => storedOutline(app, user, id)).toContain("Search: 1.5-2-3");
  await page.goto("/profile/security");
  await choice.selectOption({ label: "Same as the browser: English (United Kingdom)" });
  await page.getByText("12,500 · 7.5 · 31 Mar 2026").waitFor();
});
