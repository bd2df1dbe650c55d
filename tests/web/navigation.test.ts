import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { start } from "../harness.ts";
import { hold, importAs } from "./actions.ts";
import { openBrowser, openSignedIn } from "./browser.ts";
import { tabTo } from "./keyboard.ts";

const app = await start({ pages: true });
const user = await app.signUp();
const id = await importAs(app, user, "# Web shop\n\n- Payment\n  - [x] Card: 4-16-34\n");

/** Waits for what a screen reader is told, the title of the page, and the heading that has the focus once the page is loaded. */
const expectArrived = async (page: Page, title: string, heading: RegExp) => {
  await page.getByRole("status").getByText(title, { exact: true }).waitFor({ state: "attached" });
  expect(await page.title()).toBe(title);
  const focused = () =>
    page.evaluate<string>("document.activeElement.localName + ' ' + document.activeElement.innerText");
  await expect.poll(focused).toMatch(heading);
};

test("a link to another page names it, puts the focus on its heading, and says so", async () => {
  const page = await openSignedIn(await openBrowser(app), user);
  await page.getByRole("link", { name: "Web shop" }).waitFor();
  // The browser itself announces the first page.
  expect(await page.evaluate("document.activeElement.localName")).toBe("body");
  await tabTo(page, "Web shop");
  await page.keyboard.press("Enter");
  await expectArrived(page, "Web shop · Estimation service", /^h1 Web shop$/);
  await page.getByRole("button", { name: "Settings" }).waitFor();
  // From there the keyboard goes on to what follows the heading.
  await page.keyboard.press("Tab");
  expect(await page.evaluate("document.activeElement.ariaLabel")).toBe("Settings");
  await page.getByRole("link", { name: "Tasks" }).click();
  await expectArrived(page, "Tasks of Web shop · Estimation service", /^h1 Web shop$/);
  await page.getByRole("link", { name: "Teams" }).click();
  await expectArrived(page, "Teams · Estimation service", /^h1 No teams yet$/);
  await page.goBack();
  await expectArrived(page, "Tasks of Web shop · Estimation service", /^h1 Web shop$/);
});

test("a page that is slow gets the focus once its heading is there, unless the reader has gone on", async () => {
  const page = await openSignedIn(await openBrowser(app), user, "/glossary");
  const held = Promise.withResolvers<void>();
  await page.route("**/api/teams*", async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.getByRole("link", { name: "Teams" }).click();
  await page.getByText("Loading", { exact: true }).waitFor();
  held.resolve();
  await expectArrived(page, "Teams · Estimation service", /^h1/);
  await page.getByRole("link", { name: "Estimations", exact: true }).click();
  await page.getByRole("heading", { name: "Estimations" }).waitFor();
  await page.getByRole("searchbox").focus();
  await page.keyboard.type("shop");
  await page.waitForURL(/q=shop/);
  expect(await page.evaluate("document.activeElement.type")).toBe("search");
});

test("a page that is slow leaves open what the reader has opened meanwhile", async () => {
  const page = await openSignedIn(await openBrowser(app), user, "/glossary");
  const code = await hold(page, /\/assets\/teams-page-/, "GET");
  const bell = page.getByRole("button", { name: "Notifications", exact: true });
  await bell.waitFor();
  await page.getByRole("link", { name: "Teams" }).click();
  await page.waitForURL("**/teams");
  await bell.click();
  const list = page.getByRole("dialog", { name: "Notifications" });
  await list.waitFor();
  code.release();
  await page.getByRole("heading", { name: "No teams yet" }).waitFor();
  await page.getByRole("status").getByText("Teams · Estimation service").waitFor({ state: "attached" });
  expect(await list.isVisible()).toBe(true);
});

test("a page that puts the focus into a field keeps it there, and is announced all the same", async () => {
  const page = await openSignedIn(await openBrowser(app), user);
  await page.getByRole("link", { name: "New estimation" }).click();
  await expectArrived(page, "New estimation · Estimation service", /^input/);
  await page.goto(`/estimations/${id}/nowhere`);
  await page.getByRole("heading", { name: "Page not found" }).waitFor();
  await expect.poll(() => page.title()).toBe("Page not found · Estimation service");
});

test("on a phone the tab of the page that shows is in sight, and so are all links of the header", async () => {
  const context = await openBrowser(app, { viewport: { width: 375, height: 800 } });
  const page = await openSignedIn(context, user, `/estimations/${id}/shares`);
  const tab = page.getByRole("link", { name: "Shares", exact: true });
  await tab.waitFor();
  await expect
    .poll(async () => {
      const { x = -1, width = 0 } = (await tab.boundingBox()) ?? {};
      return [x >= 0, x + width <= 375];
    })
    .toEqual([true, true]);
  expect(await page.evaluate("scrollY")).toBe(0);
  const links = page.getByRole("navigation", { name: "Main" });
  expect(await links.evaluate((nav) => nav.scrollWidth - nav.clientWidth)).toBe(0);
});
