import type { Page, Route } from "playwright-core";
import { expect, test } from "vitest";
import { start } from "../harness.ts";
import { importAs, keys, saved, storedOutline } from "./actions.ts";
import { openBrowser, openSignedIn } from "./browser.ts";

const app = await start({ pages: true });
const SHOP = "# Shop\n\n- Basket\n  - [x] Cart: 4-8-16\n  - List: 2-4-8\n";

/** Answers writes of the tree in another way; returns a function that ends it. */
async function answerWrites(page: Page, answer: (route: Route) => Promise<void>): Promise<() => Promise<void>> {
  const handle = (route: Route) => (route.request().method() === "PUT" ? answer(route) : route.continue());
  await page.route("**/tree", handle);
  return () => page.unroute("**/tree", handle);
}

const addBelow = async (page: Page, below: string, name: string) => {
  await page.getByRole("row", { name: below }).getByRole("gridcell").first().focus();
  await keys(page, "Control+Enter");
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
  const end = await answerWrites(page, async (route) => {
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
