import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { start, type TestUser, until } from "../harness.ts";
import { importAs, keys, loadedLater, press } from "./actions.ts";
import { expectAccessible, openBrowser, openSignedIn, showIn, withoutStream } from "./browser.ts";

const app = await start({ pages: true });

const OUTLINE = "# Shop\n\n- Payment (choose one)\n  - [x] Card: 4-16-34\n  - [ ] Invoice: 6\n";

const as = ({ token }: TestUser, method: string, path: string, body?: object) =>
  app.request(method, `/api/${path}`, { token, ...(body === undefined ? {} : { body }) });

/** Makes estimations of these titles; the last is the first in the list. */
async function make(user: TestUser, ...titles: string[]): Promise<void> {
  for (const title of titles) {
    await as(user, "POST", "estimations", { title });
    app.clock.advance(1_000);
  }
}

/** Waits until the service has these preferences of a user. */
const prefers = (user: TestUser, expected: object) =>
  expect.poll(async () => (await as(user, "GET", "auth/me/preferences")).data.preferences).toMatchObject(expected);

const focused = (page: Page) => page.evaluate<string>("document.activeElement.innerText");

/** Judges what shows in both themes, wide and narrow. */
async function judge(page: Page): Promise<void> {
  for (const scheme of ["light", "dark"] as const) {
    await showIn(page, scheme);
    for (const width of [1280, 375]) {
      await page.setViewportSize({ width, height: 720 });
      await expectAccessible(page);
    }
  }
  await page.setViewportSize({ width: 1280, height: 720 });
}

/** Pastes a text where the focus is, as a browser does. */
const paste = (page: Page, text: string) =>
  page.evaluate(`(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", ${JSON.stringify(text)});
    document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  })()`);

test("an outline that is pasted anywhere on the empty list is previewed, and becomes an estimation", async () => {
  const page = await openSignedIn(await openBrowser(app), await app.signUp());
  await page.getByText("You can also paste an outline anywhere on this page.").waitFor();
  await judge(page);
  await paste(page, OUTLINE);
  const understood = page.getByRole("region", { name: "Preview of the import" });
  await understood.getByText("1 question, 2 options").waitFor();
  await judge(page);
  // Hours without a colon are no hours: that is said, and not found out later.
  const outline = page.getByLabel("Outline or exported file");
  await outline.fill(OUTLINE.replace("Invoice: 6", "Invoice 2-6-8"));
  await understood.getByText("Looks like hours, and has none: write “Invoice: 2-6-8” for these").waitFor();
  await expectAccessible(page);
  await outline.fill(OUTLINE);
  await until(async () => (await understood.getByText("Looks like hours").count()) === 0);
  await press(page, "Import");
  await page.getByRole("heading", { name: "Shop", level: 1 }).waitFor();
  // It is not there any more for the next estimation.
  await page.goto("/estimations/new?way=import");
  expect(await page.getByLabel("Outline or exported file").inputValue()).toBe("");
});

test("plain indented lines are understood where they are pasted, and what they cannot be says what is wanted", async () => {
  const user = await app.signUp();
  const page = await openSignedIn(await openBrowser(app), user);
  await page.getByText("You can also paste an outline anywhere on this page.").waitFor();
  await paste(page, "Web shop\n\tPayment\n\t\tCard: 4-8-12\n\t\tInvoice: 6\n\tScreens\n\t\tCart: 3\n");
  const understood = page.getByRole("region", { name: "Preview of the import" });
  await understood.getByRole("heading", { name: "Web shop" }).waitFor();
  await understood.getByText("2 questions, 3 options").waitFor();
  const outline = page.getByLabel("Outline or exported file");
  await outline.fill("- Payment\n  - Card: 4\nScreens\n");
  await page.getByText("Line 3", { exact: true }).waitFor();
  await page.getByText("Must begin with - for an item or > for a description").waitFor();
  await outline.fill("Payment\n  Card: 4\nScreens\n  Cart: 3\n");
  await understood.getByRole("heading", { name: "Untitled" }).waitFor();
  await press(page, "Import");
  await page.getByRole("heading", { name: "Untitled", level: 1 }).waitFor();
  await page.getByRole("gridcell", { name: "Cart" }).first().waitFor();
});

test("an example is tried with a tour, by keyboard alone, which does not come back once it was left", async () => {
  const user = await app.signUp();
  const page = await openSignedIn(await openBrowser(app), user);
  await page.getByRole("button", { name: "Try an example" }).focus();
  await keys(page, "Enter");
  const tour = page.getByRole("region", { name: "Tour" }).filter({ hasText: "1 of 5" });
  await tour.waitFor();
  await until(async () => (await focused(page)) === "Next");
  await judge(page);
  await keys(page, "Enter");
  await page.getByRole("heading", { name: "Three points instead of one" }).waitFor();
  expect(await page.locator("[data-toured]").count()).toBe(1);
  // It is not left by a reload.
  await page.reload();
  await tour.waitFor();
  await until(async () => (await focused(page)) === "Next");
  await keys(page, "Escape");
  await tour.waitFor({ state: "hidden" });
  await prefers(user, { tourLeft: true });
  const address = page.url();
  expect(new URL(address).hash).toBe("");
  // Another machine.
  const other = await openSignedIn(
    await withoutStream(await openBrowser(app)),
    user,
    `${new URL(address).pathname}#tour`,
  );
  await other.waitForLoadState("networkidle");
  expect(await other.getByText("Tour: 1 of 5").count()).toBe(0);
  // Unless it is asked for.
  await keys(other, "Control+k");
  await other.getByRole("combobox", { name: /Search|Go to/ }).fill("take the tour");
  await other.getByRole("option", { name: /^Take the tour/ }).waitFor();
  await keys(other, "Enter");
  await other.getByText("Tour: 1 of 5").waitFor();
  for (const step of [2, 3, 4, 5]) {
    await press(other, "Next");
    await other.getByText(`Tour: ${step} of 5`).waitFor();
    expect(await other.locator("[data-toured]").count()).toBe(1);
  }
  await press(other, "Done");
  await other.getByText("Tour: 5 of 5").waitFor({ state: "hidden" });
});

test("by keyboard alone the list is walked through, and what is selected is tagged, moved to the trash and brought back", async () => {
  const user = await app.signUp();
  await make(user, "Third", "Second", "First");
  const page = await openSignedIn(await openBrowser(app), user);
  await page.getByRole("link", { name: "First" }).waitFor();
  await keys(page, "j");
  expect(await focused(page)).toBe("First");
  await keys(page, "j", "j", "j");
  expect(await focused(page)).toBe("Third");
  await keys(page, "x", "k", "x");
  expect(await focused(page)).toBe("Second");
  const bar = page.getByRole("region", { name: "Selection" });
  await bar.getByText("2 estimations selected").waitFor();
  await judge(page);
  await bar.getByLabel("Add a tag").focus();
  await page.keyboard.type("later");
  await keys(page, "Enter");
  await bar.getByText("#later added to 2 estimations.").waitFor();
  await page.getByRole("row", { name: /Second.*#later/ }).waitFor();
  expect(await page.getByRole("row", { name: /First.*#later/ }).count()).toBe(0);
  await bar.getByRole("button", { name: "Move to trash" }).focus();
  await keys(page, "Enter");
  await bar.getByText("2 estimations moved to trash.").waitFor();
  await page.getByRole("link", { name: "Second" }).waitFor({ state: "hidden" });
  await bar.getByRole("button", { name: "Undo" }).focus();
  await keys(page, "Enter");
  // Both are back, and the list was read again.
  await bar.getByText("2 estimations moved to trash.").waitFor({ state: "hidden" });
  await page.getByRole("link", { name: "Second" }).waitFor();
  // What was changed last comes first, once both are back and the list was read after that.
  const titles = page.locator("[data-entry] a[class*=link]");
  await until(async () => {
    const { data } = await as(user, "GET", "estimations");
    const stored = (data.estimations as unknown as { readonly title: string }[]).map(({ title }) => title);
    return stored.length === 3 && stored.join() === (await titles.allInnerTexts()).join();
  });
  await titles.first().focus();
  // Also once the row shows its hint.
  await page.getByRole("tooltip").waitFor();
  await keys(page, "ArrowDown");
  expect(await focused(page)).toBe(await titles.nth(1).innerText());
  await keys(page, "ArrowUp", "Escape");
  await bar.waitFor({ state: "hidden" });
  const opened = await titles.first().innerText();
  await keys(page, "Enter");
  await page.getByRole("heading", { name: opened, level: 1 }).waitFor();
});

test("the pointer selects, single keys that are switched off do not, and of others' estimations only what is allowed is offered", async () => {
  const [reader, owner] = [await app.signUp(), await app.signUp()];
  await make(reader, "Mine");
  const id = await importAs(app, owner, OUTLINE);
  const { data } = await as(owner, "POST", `estimations/${id}/shares`, { email: reader.email, permission: "view" });
  await as(reader, "POST", `shares/${data.share?.id}/accept`);
  const page = await openSignedIn(await openBrowser(app), reader);
  await page.getByRole("checkbox", { name: "Select Shop" }).check();
  const bar = page.getByRole("region", { name: "Selection" });
  await bar.getByText("1 estimation selected").waitFor();
  await bar.getByLabel("Add a tag").fill("web");
  expect(await bar.getByRole("button", { name: "Add", exact: true }).isDisabled()).toBe(true);
  expect(await bar.getByRole("button", { name: "Move to trash" }).isDisabled()).toBe(true);
  await press(page, "Clear selection");
  await bar.waitFor({ state: "hidden" });
  await page.evaluate("localStorage.setItem('single-keys', 'off')");
  await page.getByRole("link", { name: "Mine" }).focus();
  await keys(page, "x", "j");
  expect([await focused(page), await bar.count()]).toEqual(["Mine", 0]);
});

test("what is selected is added up, says why that is less than the sum of each, and whether it is done in time", async () => {
  const user = await app.signUp();
  for (const title of ["Shop", "Portal"]) await importAs(app, user, `# ${title}\n\n- Scope\n  - Work: 4-16-34\n`);
  const exact = await importAs(app, user, "# Exact\n\n- Scope\n  - Work: 10\n");
  await as(user, "PATCH", `estimations/${exact}`, { hourlyRate: 100, currency: "EUR" });
  const page = await openSignedIn(await openBrowser(app), user);
  const bar = page.getByRole("region", { name: "Selection" });
  const figure = (name: string) =>
    bar.locator("dt").getByText(name, { exact: true }).locator("xpath=../dd").innerText();
  await page.getByRole("checkbox", { name: "Select Shop" }).check();
  await bar.getByText("1 estimation selected").waitFor();
  expect(await bar.locator("dl").count()).toBe(0);
  await page.getByRole("checkbox", { name: "Select Portal" }).check();
  await page.getByRole("checkbox", { name: "Select Exact" }).check();
  await expect.poll(() => figure("Expected")).toBe("44 h");
  expect(await figure("P80 cost of 1 with a rate")).toBe("€1,000");
  const { data } = await as(user, "GET", "estimations?q=Shop");
  const each = Number(data.estimations?.[0]?.hours?.p80);
  const shown = Number((await figure("P80")).replace(" h", ""));
  expect(shown).toBeGreaterThan(44);
  expect(shown).toBeLessThan(2 * each + 10);
  await bar.getByText("Why, and done by when?").focus();
  await keys(page, "Enter");
  await bar.getByText(`The P80 of each adds up to ${(2 * each + 10).toFixed(1)} h.`).waitFor();
  await bar.getByText(/Most uncertain: (Shop|Portal) 50% · (Shop|Portal) 50%$/).waitFor();
  await bar.getByLabel("People").fill("0,5");
  await bar.getByLabel("Hours a week, each").fill("200");
  await bar.getByText("A number from 1 to 168").waitFor();
  await bar.getByLabel("Hours a week, each").fill("40");
  await bar.getByLabel("From").fill("2027-01-04");
  await bar.getByLabel("Done by").fill("2027-01-03");
  await bar.getByText("Not before the first day").waitFor();
  await bar.getByLabel("Done by").fill("2027-01-22");
  await bar.getByText(/^\d+% likely: they work 60 h until then\./).waitFor();
  // Typed key by key, a year has one digit at first.
  await bar.getByLabel("From").focus();
  await page.keyboard.type("01052027");
  await bar.getByText(/^\d+% likely: they work 56 h until then\./).waitFor();
  expect(await bar.getByRole("alert").count()).toBe(0);
  // Nobody loses what was typed where the connection is lost.
  await loadedLater(page);
  await page.context().setOffline(true);
  await bar.getByLabel("Done by").fill("2027-01-21");
  await bar
    .getByText(/connection/i)
    .first()
    .waitFor();
  expect(await bar.getByLabel("People").inputValue()).toBe("0,5");
  await page.context().setOffline(false);
  await bar.getByLabel("Done by").fill("2028-01-22");
  await bar.getByText(/^More than 99% likely/).waitFor();
  await judge(page);
});

test("a view keeps filters, order and columns under a name, by keyboard, over a reload and in every browser of the user", async () => {
  const user = await app.signUp();
  await make(user, "Shop old", "Shop new", "Portal");
  const { data } = await as(user, "GET", "estimations?q=Shop%20old");
  await as(user, "PATCH", `estimations/${data.estimations?.[0]?.id}`, { clientName: "Acme" });
  const page = await openSignedIn(await openBrowser(app), user);
  const titles = (of: Page) => of.locator("[data-entry] a[class*=link]").allInnerTexts();
  const view = page.getByRole("dialog", { name: "View" });
  const updated = page.getByRole("columnheader", { name: "Updated" });
  await expect.poll(() => titles(page)).toEqual(["Shop old", "Portal", "Shop new"]);
  expect(await updated.getAttribute("aria-sort")).toBe("descending");
  await page.getByLabel("Search by title or client").fill("Shop");
  await page.getByRole("combobox", { name: "Sort" }).selectOption("createdAt");
  await expect.poll(() => titles(page)).toEqual(["Shop new", "Shop old"]);
  expect(await updated.getAttribute("aria-sort")).toBe(null);
  await page.getByRole("button", { name: "View" }).focus();
  await keys(page, "Enter");
  // Hidden before it is saved: this is what the reader prefers elsewhere, too.
  await view.getByLabel("Review").click();
  await page.getByRole("columnheader", { name: "Review" }).waitFor({ state: "hidden" });
  await view.getByLabel("Name of the view").fill("Only shops");
  await keys(page, "Enter");
  await view.getByRole("button", { name: "Only shops", exact: true }).waitFor();
  // From now on columns are those of the view.
  await view.getByRole("group", { name: "Columns of this view" }).getByLabel("Owner").click();
  await page.getByRole("columnheader", { name: "Owner" }).waitFor({ state: "hidden" });
  await press(page, "Replace Only shops with what shows");
  await view.getByText("Only shops replaced.").waitFor();
  await judge(page);
  const shops = { q: "Shop", sort: "createdAt", hiddenColumns: ["review", "owner"] };
  await prefers(user, { savedFilters: [{ name: "Only shops", ...shops }], hiddenColumns: ["review"] });
  await page.reload();
  await expect.poll(() => titles(page)).toEqual(["Shop new", "Shop old"]);
  expect(await page.getByRole("columnheader", { name: "Owner" }).isVisible()).toBe(false);

  const other = await openSignedIn(await openBrowser(app), user);
  await expect.poll(() => titles(other)).toEqual(["Shop old", "Portal", "Shop new"]);
  const owner = other.getByRole("columnheader", { name: "Owner" });
  const review = other.getByRole("columnheader", { name: "Review" });
  expect([await owner.isVisible(), await review.isVisible()]).toEqual([true, false]);
  await keys(other, "Control+k");
  await other.getByRole("combobox", { name: /Search|Go to/ }).fill("only shops");
  await other.getByRole("option", { name: /^View: Only shops/ }).waitFor();
  await keys(other, "Enter");
  await expect.poll(() => titles(other)).toEqual(["Shop new", "Shop old"]);
  expect([await owner.isVisible(), await review.isVisible()]).toEqual([false, false]);
  // Every column shows in this view, and elsewhere what was preferred.
  await press(other, "View");
  const theirs = other.getByRole("dialog", { name: "View" });
  expect(await theirs.getByRole("button", { name: "Only shops", exact: true }).getAttribute("aria-current")).toBe(
    "true",
  );
  for (const column of ["Owner", "Review"]) await theirs.getByLabel(column).click();
  await theirs.getByLabel("Name of the view").fill("Every column");
  await keys(other, "Enter");
  await theirs.getByRole("button", { name: "Every column", exact: true }).waitFor();
  await press(other, "All estimations");
  await expect.poll(() => titles(other)).toEqual(["Shop old", "Portal", "Shop new"]);
  expect([await owner.isVisible(), await review.isVisible()]).toEqual([true, false]);
  await press(other, "View");
  await theirs.getByRole("button", { name: "Every column", exact: true }).click();
  await review.waitFor();
  await expect.poll(() => titles(other)).toEqual(["Shop new", "Shop old"]);

  // Renamed by keyboard; Escape ends only that, and a name that another view has is refused.
  await press(other, "View");
  await theirs.getByRole("button", { name: "Rename Only shops" }).focus();
  await keys(other, "Enter", "x", "Escape");
  await theirs.getByRole("button", { name: "Only shops", exact: true }).waitFor();
  await theirs.getByRole("button", { name: "Rename Only shops" }).focus();
  await keys(other, "Enter");
  await theirs.getByLabel("New name").fill("Every column");
  await theirs.getByText("You have a view of this name.").waitFor();
  await theirs.getByLabel("New name").fill("Shops");
  await keys(other, "Enter");
  await theirs.getByRole("button", { name: "Shops", exact: true }).waitFor();
  await judge(other);
  await prefers(user, {
    savedFilters: [
      { name: "Shops", ...shops },
      { name: "Every column", ...shops, hiddenColumns: [] },
    ],
  });
  await press(other, "Delete the view Shops");
  await theirs.getByText("Shops deleted.").waitFor();
  await prefers(user, { savedFilters: [{ name: "Every column" }] });
  await theirs.getByRole("button", { name: "Undo" }).click();
  await theirs.getByRole("button", { name: "Shops", exact: true }).waitFor();
  await prefers(user, { savedFilters: [{ name: "Shops", ...shops }, { name: "Every column" }] });
});

test("a view that was saved without columns shows with those that the reader prefers", async () => {
  const user = await app.signUp();
  await make(user, "Shop", "Portal");
  await as(user, "PATCH", "auth/me/preferences", {
    savedFilters: [{ name: "Older", q: "Shop" }],
    hiddenColumns: ["status"],
  });
  const page = await openSignedIn(await openBrowser(app), user);
  await page.getByRole("link", { name: "Portal" }).waitFor();
  await press(page, "View");
  await page.getByRole("button", { name: "Older", exact: true }).click();
  await page.getByRole("link", { name: "Portal" }).waitFor({ state: "hidden" });
  expect(new URL(page.url()).search).toBe("?q=Shop");
  expect(await page.getByRole("columnheader", { name: "Status" }).isVisible()).toBe(false);
  await press(page, "View");
  await page.getByRole("group", { name: "Columns", exact: true }).getByLabel("Owner").click();
  await prefers(user, { savedFilters: [{ name: "Older", q: "Shop" }], hiddenColumns: ["status", "owner"] });
});
