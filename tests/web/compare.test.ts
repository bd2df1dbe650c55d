import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { limits } from "../../contract/limits.ts";
import { start, until } from "../harness.ts";
import { importAs, press } from "./actions.ts";
import { expectAccessible, expectAccessibleState, openBrowser, openSignedIn } from "./browser.ts";

const app = await start({ pages: true, at: "2026-12-01T09:30:00Z" });

const OUTLINE =
  "# Shop\n\n- Payment (choose one)\n  - [x] Card: 400\n  - [ ] Invoice: 6\n- Screens\n  - Cart: 8-12-30\n";

interface NodeJson {
  readonly options: readonly { readonly id: string }[];
}

/** An estimation of which a version is kept, and whose tree has a change since. */
async function setScene() {
  const owner = await app.signUp();
  const id = await importAs(app, owner, OUTLINE);
  const send = async (method: string, below: string, body?: object) => {
    const { status, data, text } = await app.request(method, `/api/estimations/${id}${below}`, {
      token: owner.token,
      ...(body && { body }),
    });
    if (status >= 300) throw new Error(`${method} ${below} returned ${status}: ${text}`);
    return data;
  };
  const from = String((await send("POST", "/versions")).version?.id);
  const [payment, screens] = ((await send("GET", "/tree")).tree?.nodes ?? []) as unknown as [NodeJson, NodeJson];
  /** Changes the hours of "Cart". */
  const setCart = (hours: number) =>
    send("PUT", "/tree", { nodes: [payment, { ...screens, options: [{ ...screens.options[0], hours }] }] });
  await setCart(20);
  return { owner, id, from, send, setCart, cart: String(screens.options[0]?.id) };
}

const row = (page: Page, name: RegExp) => page.getByRole("treegrid").getByRole("row", { name });

test("a comparison is linked to in every state: the line, changes only, and which hours", async () => {
  const { owner, id, from, cart } = await setScene();
  const browser = await openBrowser(app);
  const page = await openSignedIn(browser, owner, `/estimations/${id}/compare?from=${from}`);
  await row(page, /Cart/).getByText("changed").waitFor();
  await page.getByText("The bars of the totals are cut: the scale begins at 4").waitFor();
  await page.getByText("Expected", { exact: true }).click();
  await page.getByText("Changes only").click();
  await until(async () => (await row(page, /Card/).count()) === 0);
  await row(page, /Cart/).click();
  await until(() => new URL(page.url()).hash === `#${cart}`);
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ from, only: "changes", hours: "expected" });
  const other = await browser.newPage();
  await other.goto(page.url());
  await until(async () => (await other.evaluate<string>("document.activeElement?.innerText ?? ''")).includes("Cart"));
  expect(await row(other, /Card/).count()).toBe(0);
  expect(await other.getByRole("radio", { name: "Expected" }).isChecked()).toBe(true);
  await other.getByRole("region", { name: "Selected line" }).getByRole("heading", { name: "Screens: Cart" }).waitFor();
  await expectAccessibleState(other);
});

test("what is compared with the current content is of one revision, also where somebody edits meanwhile", async () => {
  const { owner, id, from, send, setCart } = await setScene();
  const page = await openSignedIn(await openBrowser(app), owner, `/estimations/${id}`);
  let reads = 0;
  await page.route(/\/diff\?/, async (route) => {
    reads += 1;
    // The tree has been read, what differs has not.
    if (reads === 1) await setCart(100);
    await route.continue();
  });
  await page.goto(`/estimations/${id}/compare?from=${from}`);
  await until(() => reads === 2);
  const { hours } = (await send("GET", "")).estimation as unknown as { hours: { p80: number } };
  const estimate = page.getByRole("complementary", { name: "80% likely to take no longer" });
  await estimate
    .getByText(String(Math.round(hours.p80)), { exact: true })
    .first()
    .waitFor();
  await row(page, /Cart/).getByText("100").first().waitFor();
});

test("columns are added and removed on a phone, and one that fails leaves the others alone", async () => {
  const { owner, id, from } = await setScene();
  const other = await importAs(app, owner, "# Portal\n\n- Scope: 5\n");
  const browser = await openBrowser(app, { viewport: { width: 375, height: 800 }, hasTouch: true });
  const page = await openSignedIn(browser, owner, `/estimations/${id}/compare?from=${from}`);
  const part = page.getByRole("region", { name: "Side by side" });
  const portal = part.locator("td[data-label=Portal]", { hasText: /^5$/ }).first();
  await part.getByLabel("Add a column").selectOption(other);
  await portal.waitFor();
  await page.goto(`/estimations/${id}/compare?from=${from}&with=est_01k0000000e0000000e0000000&with=${other}`);
  const added = part.getByRole("list", { name: "Added columns" });
  await added.getByRole("listitem").filter({ hasText: "Other estimation" }).getByText("not found").waitFor();
  await portal.waitFor();
  await expectAccessible(page, undefined, []);
  await press(page, "Remove Other estimation");
  await until(() => !page.url().includes("est_01k0000000e0000000e0000000"));
  await portal.waitFor();
  await press(page, "Remove Portal");
  await until(async () => (await added.count()) === 0);
  expect(page.url().endsWith(`?from=${from}`)).toBe(true);
});

test("two estimations are compared as one tree, whose lines are matched, by keyboard; a third adds its lines and its hours", async () => {
  const { owner, id } = await setScene();
  const other = await importAs(
    app,
    owner,
    "# Portal\n\n- Screens\n  - cart: 10\n  - Search: 6\n- Payment (choose one)\n  - [ ] Card: 400\n  - [x] Invoice: 6\n",
  );
  const third = await importAs(app, owner, "# Kiosk\n\n- Screens\n  - Cart: 7\n  - Search: 2\n  - Printer: 3\n");
  const page = await openSignedIn(await openBrowser(app), owner, `/estimations/${id}/compare`);
  const to = page.getByRole("combobox", { name: "to", exact: true });
  await to.getByRole("option", { name: "Portal" }).waitFor({ state: "attached" });
  await to.focus();
  // One letter: browsers begin anew where the next one comes late.
  await page.keyboard.press("p");
  await until(() => page.url().includes(`to=${other}`));
  await row(page, /Invoice/)
    .getByText("now chosen")
    .waitFor();
  await row(page, /cart/i).getByText("changed").waitFor();
  await row(page, /Search/)
    .getByText("added")
    .waitFor();
  // "Card" is the same in both but for the choice; the questions stand in another order.
  expect(await row(page, /Card/).innerText()).toContain("no longer chosen");
  const moved = page.getByRole("treegrid").getByRole("row").filter({ hasText: "→ moved" });
  expect((await moved.allInnerTexts()).map((text) => /Screens|Payment|Card|Invoice/.exec(text)?.[0])).toEqual([
    "Screens",
  ]);
  const names = await page.getByRole("treegrid").getByRole("columnheader").allInnerTexts();
  expect(names.map((name) => name.trim())).toEqual(expect.arrayContaining(["Portal", "Change"]));
  await page.getByRole("button", { name: "Next change (n)" }).focus();
  await page.keyboard.press("ArrowLeft");
  expect(await page.evaluate("document.activeElement.ariaLabel")).toMatch(/^Previous change/);
  await page.keyboard.press("n");
  await page.getByText(/^1 of \d$/).waitFor();
  const table = page.getByRole("region", { name: "Side by side" });
  await table.getByRole("columnheader", { name: "Portal" }).waitFor();
  await expectAccessibleState(page);
  // A third one: what only it has is a line of the tree, too.
  await table.getByLabel("Add a column").selectOption(third);
  await row(page, /Printer/).waitFor();
  expect((await row(page, /Printer/).innerText()).replace(/\s+/g, " ")).toMatch(/^Printer .*3$/);
  expect((await row(page, /cart/i).innerText()).replace(/\s+/g, " ")).toMatch(/20 10 .*−10 7$/);
  // What two of them have is one line, also where the first one has it not.
  expect(await row(page, /Search/).count()).toBe(1);
  await expectAccessibleState(page);
  // Also from what is there now, and where there is no version.
  const fresh = await importAs(app, owner, "# Fresh\n\n- Screens\n  - Cart: 9\n");
  await page.goto(`/estimations/${fresh}/compare`);
  await page.getByLabel("Or compare it with").selectOption(third);
  await row(page, /Printer/)
    .getByText("added")
    .waitFor();
  expect((await row(page, /Cart/).innerText()).replace(/\s+/g, " ")).toMatch(/ 9 7 .*−2/);
});

test("an estimation that was not edited lately is found by its title, by keyboard", async () => {
  const { owner, id } = await setScene();
  const kiosk = await importAs(app, owner, "# Kiosk\n\n- Screens\n  - Cart: 7\n");
  await Promise.all(Array.from({ length: 20 }, (_, at) => importAs(app, owner, `# Later ${at}\n\n- Scope: 5\n`)));
  const page = await openSignedIn(await openBrowser(app), owner, `/estimations/${id}/compare`);
  const to = page.getByRole("combobox", { name: "to", exact: true });
  await to.getByRole("option", { name: "Later 19" }).waitFor({ state: "attached" });
  expect(await to.getByRole("option", { name: "Kiosk" }).count()).toBe(0);
  await to.focus();
  await page.keyboard.press("s");
  const dialog = page.getByRole("dialog", { name: "Compare with" });
  const found = dialog.getByRole("list").getByRole("button");
  await found.first().waitFor();
  await expectAccessibleState(page);
  await page.keyboard.type("nothing like it");
  await dialog.getByText("No estimation found.").waitFor();
  await dialog.getByRole("searchbox").fill("Kiosk");
  await until(async () => (await found.allInnerTexts()).join() === "Kiosk");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await until(() => page.url().includes(`to=${kiosk}`));
  await row(page, /Cart/).getByText("changed").waitFor();
  expect(await dialog.count()).toBe(0);
  // The shown one cannot be compared with itself.
  await to.selectOption("search");
  await dialog.getByRole("searchbox").fill("Shop");
  await dialog.getByText("No estimation found.").waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await until(async () => (await dialog.count()) === 0);
  expect(await to.inputValue()).toBe(kiosk);
});

test("each line shows once, with the hours of each column, where the comparison begins with another estimation", async () => {
  const { owner, id, from } = await setScene();
  const other = await importAs(app, owner, "# Portal\n\n- Screens\n  - Cart: 10\n");
  const address = `/estimations/${id}/compare?from=${other}&to=current&with=${from}`;
  const page = await openSignedIn(await openBrowser(app), owner, address);
  await page.getByRole("treegrid").getByRole("columnheader", { name: "Version 1" }).waitFor();
  expect(await row(page, /Cart/).count()).toBe(1);
  const [was, now, , version] =
    (await row(page, /Cart/).innerText())
      .match(/[\d.]+/g)
      ?.slice(-4)
      .map(Number) ?? [];
  expect([was, now]).toEqual([10, 20]);
  // 8–12–30 of the version.
  expect(version).toBeCloseTo(14.3, 0);
  expect(await row(page, /Invoice/).count()).toBe(1);
});

test("an address has each column once, and not more of them than are compared", async () => {
  const { owner, id, from } = await setScene();
  const others = await Promise.all(
    Array.from({ length: limits.comparedVersions - 1 }, (_, at) =>
      importAs(app, owner, `# Shop ${at}\n\n- Scope: 5\n`),
    ),
  );
  const added = [from, others[0], ...others].map((other) => `&with=${other}`).join("");
  const page = await openSignedIn(await openBrowser(app), owner, `/estimations/${id}/compare?from=${from}${added}`);
  const heads = page.getByRole("region", { name: "Side by side" }).getByRole("columnheader");
  // Each column gets its name once its content is there.
  await expect.poll(() => heads.allInnerTexts()).toEqual(["Version 1", "Now", "Shop 0", "Shop 1", "Shop 2"]);
});

test("on a phone the values of a change stand below the line that is tapped", async () => {
  const { owner, id, from } = await setScene();
  const browser = await openBrowser(app, { viewport: { width: 375, height: 700 }, hasTouch: true });
  const page = await openSignedIn(browser, owner, `/estimations/${id}/compare?from=${from}`);
  await row(page, /Cart/).getByText("changed").first().tap();
  const values = page.getByRole("treegrid").getByRole("region", { name: "Selected line" });
  await values.getByText("8–12–30").waitFor();
  const [line, below] = [await row(page, /Cart/).first().boundingBox(), await values.boundingBox()];
  expect((below?.y ?? 0) - (line?.y ?? 0)).toBeLessThan(60);
  expect((below?.y ?? 0) + (below?.height ?? 0)).toBeLessThan(700);
  await expectAccessible(page, undefined, []);
  await page.setViewportSize({ width: 1280, height: 700 });
  await page.getByRole("complementary").getByRole("region", { name: "Selected line" }).waitFor();
  expect(await values.count()).toBe(0);
});

test("a change of the timeline is said, without its fields", async () => {
  const { owner, id, from, send } = await setScene();
  await send("PUT", "/timeline", { startDate: "2027-01-04" });
  await send("POST", "/milestones", { title: "Beta", dueDate: "2027-02-01" });
  const page = await openSignedIn(await openBrowser(app), owner, `/estimations/${id}/compare?from=${from}`);
  const beside = page.getByRole("list", { name: "Changed beside the tree" });
  await beside.waitFor();
  expect(await beside.getByRole("listitem").allInnerTexts()).toEqual(["Timeline changed", "Milestones changed"]);
});

test("what is printed lists the changes in the order of the tree", async () => {
  const { owner, id, from, send } = await setScene();
  const [payment, screens] = ((await send("GET", "/tree")).tree?.nodes ?? []) as unknown as [NodeJson, NodeJson];
  const [, ...others] = payment.options;
  // Removed before what is changed: operations name it last.
  await send("PUT", "/tree", { nodes: [{ ...payment, title: "Paying", options: others }, screens] });
  const page = await openSignedIn(await openBrowser(app), owner, `/estimations/${id}/compare?from=${from}`);
  await row(page, /Cart/).waitFor();
  await page.emulateMedia({ media: "print" });
  const printed = page.getByRole("table", { name: "All changes" });
  const lines = await printed.locator("tbody tr").allInnerTexts();
  expect(lines.map((line) => line.split("\t").slice(0, 2).join(" "))).toEqual([
    "Paying changed",
    "Paying: Card removed",
    "Screens: Cart changed",
  ]);
});
