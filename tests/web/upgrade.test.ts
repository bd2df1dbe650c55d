import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { start, until } from "../harness.ts";
import { importAs, press, saved, storedOutline } from "./actions.ts";
import { expectAccessibleState, openBrowser, openSignedIn } from "./browser.ts";

const app = await start({ pages: true });

const LOST = "A part of this page couldn’t be loaded.";
const ADDRESS = "Share with";
const MAP = "**/assets/map-view-*.js";

/** What is written to the console about a part that could not be loaded. */
const EXPECTED = /Unable to preload|dynamically imported|there is no connection|the page is gone/;

/** Opens the editor of a new estimation as it was before the service was upgraded: the files of the map are gone until it is loaded again. */
async function openBeforeUpgrade() {
  const user = await app.signUp();
  const id = await importAs(app, user, "# Shop\n\n- Screens\n  - Cart: 8\n");
  const page = await openSignedIn(await openBrowser(app, {}, EXPECTED), user, `/estimations/${id}`);
  await page.getByRole("row", { name: "Cart" }).waitFor();
  // What is loaded later is there before anything goes: the bell, and what others do.
  const follows = `performance.getEntriesByType("resource").some(({ name }) => name.includes("/api/live/str_"))`;
  await until(() => page.evaluate<boolean>(follows));
  await page.getByRole("button", { name: /^Notifications/ }).waitFor();
  let loads = 0;
  // From its beginning: the page asks for some of its files before it is complete.
  page.on("request", (request) => {
    if (request.isNavigationRequest()) loads += 1;
  });
  await page.route(MAP, (route) => (loads === 0 ? route.fulfill({ status: 404 }) : route.continue()));
  return { user, id, page, loads: () => loads };
}

const showMap = (page: Page) => page.getByText("Map", { exact: true }).click();
const mapOf = (page: Page) => page.getByRole("application");

test("after an upgrade the page is loaded again for a part that is gone, and then has it", async () => {
  const { page, loads } = await openBeforeUpgrade();
  await showMap(page);
  await expect.poll(loads).toBe(1);
  await page.getByRole("heading", { name: "Shop" }).waitFor();
  await showMap(page);
  await mapOf(page).waitFor();
  expect(await page.getByText(LOST).count()).toBe(0);
});

test("a part that is gone takes nothing with it that is not saved yet: the editor, its edits and undo stay", async () => {
  const { user, id, page, loads } = await openBeforeUpgrade();
  await page.route(`**/api/estimations/${id}/tree`, (route) => route.abort());
  await page.getByRole("row", { name: "Cart" }).getByRole("gridcell").nth(1).click();
  await page.keyboard.type("30");
  await page.keyboard.press("Enter");
  await page
    .getByText(/not saved|no connection/i)
    .first()
    .waitFor();
  await showMap(page);
  await page.getByText(LOST).waitFor();
  await expectAccessibleState(page);
  expect(loads()).toBe(0);
  await page.unroute(`**/api/estimations/${id}/tree`);
  await page.getByText("Outline", { exact: true }).click();
  await saved(page);
  expect(await storedOutline(app, user, id)).toContain("30");
  await page.keyboard.press("Control+z");
  await expect.poll(() => storedOutline(app, user, id)).not.toContain("30");
  await saved(page);
  // Now there is nothing to lose.
  await showMap(page);
  await expect.poll(loads).toBe(1);
});

/** Opens the shares of an estimation with an address in the form, and takes away the files of a menu. */
async function openWithAddress() {
  const { id, page, loads } = await openBeforeUpgrade();
  await page.route("**/assets/estimation-menu-*.js", (route) => route.fulfill({ status: 404 }));
  await page.getByRole("link", { name: "Shares" }).click();
  const address = page.getByLabel(ADDRESS, { exact: true });
  await address.fill("reviewer@example.com");
  return { page, loads, address, path: `**/api/estimations/${id}/shares` };
}

test("a part that is gone takes no address with it that is typed and not sent", async () => {
  const { page, loads, address } = await openWithAddress();
  await press(page, "Other actions");
  await page.getByText(LOST).waitFor();
  expect([loads(), await address.inputValue()]).toEqual([0, "reviewer@example.com"]);
});

test("nor one that was sent and refused", async () => {
  const { page, loads, address, path } = await openWithAddress();
  await page.route(path, (route) => route.abort());
  await address.press("Enter");
  await page.locator("form").getByRole("alert").waitFor();
  await press(page, "Other actions");
  await page.getByText(LOST).waitFor();
  expect([loads(), await address.inputValue()]).toEqual([0, "reviewer@example.com"]);
});

test("once the address is sent, the page is loaded again", async () => {
  const { page, loads, address } = await openWithAddress();
  await address.press("Enter");
  await page.getByRole("row", { name: "reviewer@example.com" }).waitFor();
  await press(page, "Other actions");
  await expect.poll(loads).toBe(1);
});

test("a search is no loss, and the page is loaded again", async () => {
  const { page, loads } = await openBeforeUpgrade();
  await page.getByRole("searchbox").fill("Cart");
  await showMap(page);
  await expect.poll(loads).toBe(1);
});

const TEAMS = /\/assets\/team.*\.(js|css)$/;

test("after an upgrade a page whose files are gone is loaded again, but not while something is not saved", async () => {
  const { user, id, page, loads } = await openBeforeUpgrade();
  await page.route(TEAMS, (route) => (loads() === 0 ? route.fulfill({ status: 404 }) : route.continue()));
  await page.route(`**/api/estimations/${id}/tree`, (route) => route.abort());
  await page.getByRole("row", { name: "Cart" }).getByRole("gridcell").nth(1).click();
  await page.keyboard.type("30");
  await page.keyboard.press("Enter");
  await page
    .getByText(/not saved|no connection/i)
    .first()
    .waitFor();
  await page.getByRole("link", { name: "Teams" }).click();
  await page.getByText("Saved changes are safe.").waitFor();
  await expectAccessibleState(page);
  expect(loads()).toBe(0);
  // The frame is still there, and leads back to what is not saved.
  await page.goBack();
  await page.getByRole("row", { name: "Cart" }).getByText("30").first().waitFor();
  await page.unroute(`**/api/estimations/${id}/tree`);
  await expect.poll(() => storedOutline(app, user, id)).toContain("30");
  await saved(page);
  await page.getByRole("link", { name: "Teams" }).click();
  await page.getByRole("heading", { name: "Teams" }).waitFor();
  expect(loads()).toBe(1);
});

test("without a connection nothing is loaded again, and a page that was never opened says why", async () => {
  const { page, loads } = await openBeforeUpgrade();
  await page.context().setOffline(true);
  await showMap(page);
  await page.getByText(LOST).waitFor();
  await page.getByRole("link", { name: "Teams" }).click();
  await page.getByText("You’re offline. Try again when you have a connection.").waitFor();
  await expectAccessibleState(page);
  expect(loads()).toBe(0);
  await page.context().setOffline(false);
  await press(page, "Try again");
  await page.getByRole("heading", { name: "Teams" }).waitFor();
});
