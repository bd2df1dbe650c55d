import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { preparePages } from "../../server/pages/index.ts";
import { start, until } from "../harness.ts";
import { addLine, hold, importAs, keys, saved, storedOutline } from "./actions.ts";
import { expectAccessible, openBrowser, openSignedIn } from "./browser.ts";

const app = await start({ pages: true });

const SHOP = `# Shop

- Payment (choose one)
  - [x] Card: 4-16-34
  - [ ] Invoice: 6
- Screens
  - Cart: 8-10-30
  - List: 2
`;

const title = (page: Page, row: string) => page.getByRole("row", { name: row }).getByRole("gridcell").first();
const total = async (page: Page) => /[\d.,]+/.exec(await page.getByRole("complementary").innerText())?.[0];
const focused = (page: Page) => page.evaluate("document.activeElement.textContent");

test("everything that a line and the estimation hold is edited, found and undone, by the keyboard alone", async () => {
  const user = await app.signUp();
  const id = await importAs(app, user, SHOP);
  const page = await openSignedIn(await openBrowser(app), user, `/estimations/${id}`);
  const field = (name: string) => page.getByLabel(name, { exact: true });
  const fill = async (name: string, text: string) => {
    await field(name).fill(text);
    await page.keyboard.press("Enter");
  };
  await title(page, "Card").focus();
  await keys(page, "Alt+Enter");
  await until(async () => (await page.evaluate("document.activeElement.value")) === "Card");
  // The focus stays in another field that is reached before the next frame.
  await title(page, "Card").focus();
  const stays = `(async () => {
    const press = { key: "Enter", altKey: true, bubbles: true, cancelable: true };
    document.activeElement.dispatchEvent(new KeyboardEvent("keydown", press));
    const field = document.querySelector("#side-panel textarea");
    field.focus();
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    return document.activeElement === field;
  })()`;
  expect(await page.evaluate(stays)).toBe(true);
  await fill("Title", "Cards");
  await fill("Role", "backend");
  await fill("Quantity", "many");
  await page.getByRole("alert").getByText("Enter a number").waitFor();
  await fill("Quantity", "2");
  await fill("Unit", "provider");
  await fill("Low", "40");
  await page.getByRole("alert").getByText("Likely can’t be lower than Low").waitFor();
  await fill("Low", "5-17-35");
  await field("Description").fill("Two providers,\nfor safety");
  await page.getByRole("button", { name: "Add: Requires" }).click();
  await page.getByRole("combobox", { name: "Which option?" }).fill("cart");
  await keys(page, "Enter");
  await page.getByRole("button", { name: "Screens: Cart", exact: true }).waitFor();
  await page.getByLabel("Override hours").click();
  await fill("High", "50");
  await page.getByText("Instead of 5–17–35").waitFor();
  await expectAccessible(page);
  await saved(page);
  const { data } = await app.request("GET", `/api/estimations/${id}/tree`, { token: user.token });
  expect(data.tree?.nodes?.[0]?.options?.[0]).toMatchObject({
    title: "Cards",
    description: "Two providers,\nfor safety",
    role: "backend",
    quantity: 2,
    unit: "provider",
    hours: { optimistic: 5, likely: 17, pessimistic: 35 },
    override: { optimistic: 5, likely: 17, pessimistic: 50 },
    requires: [data.tree?.nodes?.[1]?.options?.[0]?.id],
  });
  await page.getByRole("button", { name: "Remove Screens: Cart" }).click();
  await until(async () => (await page.getByRole("button", { name: "Remove Screens: Cart" }).count()) === 0);
  await title(page, "Payment").focus();
  await page.getByRole("complementary").getByLabel("choose any").click();
  await fill("Choose at least", "1");
  await fill("Choose at most", "0");
  await page.getByRole("alert").getByText("“Choose at most” can’t be lower than “Choose at least”").waitFor();
  await fill("Choose at most", "2");

  const before = await total(page);
  await page.getByRole("button", { name: "Settings" }).click();
  const dialog = page.getByRole("dialog", { name: "Settings" });
  await dialog.getByLabel("Title", { exact: true }).fill("Web shop");
  await dialog.getByLabel("Hourly rate").fill("90");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText("Choose a currency for the rate").waitFor();
  // What somebody else changes while it is open is not changed back.
  const { token } = user;
  await app.request("PATCH", `/api/estimations/${id}`, { token, body: { clientName: "Client Ltd" } });
  await page.evaluate("dispatchEvent(new Event('focus'))");
  await page.getByText("Client Ltd").waitFor();
  await dialog.getByLabel("Currency").selectOption("EUR");
  await dialog.getByText("Mostly.").click();
  expect(await dialog.getByLabel(/As a number/).inputValue()).toBe("0.5");
  await dialog.getByText(/^P80 would be/).waitFor();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name: "Web shop" }).waitFor();
  expect(await total(page)).not.toBe(before);
  await saved(page);
  const read = async () => (await app.request("GET", `/api/estimations/${id}`, { token: user.token })).data.estimation;
  expect(await read()).toMatchObject({
    title: "Web shop",
    hourlyRate: 90,
    currency: "EUR",
    correlation: 0.5,
    clientName: "Client Ltd",
  });
  await title(page, "Cart").focus();
  await keys(page, "Control+z");
  await page.getByRole("heading", { name: "Shop", exact: true }).waitFor();
  expect(await total(page)).toBe(before);
  await saved(page);
  await until(async () => Number((await read())?.correlation) === 0.2);
  expect(await read()).toMatchObject({ title: "Shop", hourlyRate: null, currency: null });

  await page.getByText("Figures", { exact: true }).click();
  await page.getByRole("button", { name: "How is this calculated?" }).click();
  await page.getByText(/Added up, the P80 of the 2 questions would be/).waitFor();
  await expectAccessible(page);
  await keys(page, "Escape", "Control+k");
  await page.getByRole("combobox", { name: /Go to/ }).fill("lis");
  await expectAccessible(page);
  await keys(page, "Enter");
  await until(async () => String(await focused(page)).startsWith("List"));
  await keys(page, "/");
  await page.keyboard.type("card");
  await until(async () => (await page.getByRole("row").count()) === 3);
  await expectAccessible(page);
  await keys(page, "Escape");
  await until(async () => (await page.getByRole("row").count()) === 7);

  await title(page, "List").focus();
  await keys(page, "?");
  await page.getByLabel(/Single-key shortcuts/).click();
  await expectAccessible(page);
  await keys(page, "Escape");
  await page.reload();
  await title(page, "List").focus();
  await keys(page, "?", "x");
  expect(await page.getByRole("textbox").count()).toBe(0);
  await keys(page, "Control+k");
  await page.getByRole("combobox", { name: /Go to/ }).fill("shortcuts");
  await keys(page, "Enter");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
});

test("assumptions are written in the settings and undone; who may not edit, or not any more, reads them", async () => {
  const [user, reader] = [await app.signUp(), await app.signUp()];
  const id = await importAs(app, user, SHOP);
  const path = `/api/estimations/${id}`;
  const send = (method: string, at: string, { token }: typeof user, body?: object) =>
    app.request(method, at, { token, ...(body && { body }) });
  const { data } = await send("POST", `${path}/shares`, user, { email: reader.email, permission: "view" });
  await send("POST", `/api/shares/${data.share?.id}/accept`, reader);
  const stored = async () => String((await send("GET", path, user)).data.estimation?.assumptions);
  const page = await openSignedIn(await openBrowser(app), user, `/estimations/${id}`);
  const dialog = page.getByRole("dialog", { name: "Settings" });
  const write = async (text: string) => {
    await page.getByRole("button", { name: "Settings" }).click();
    await dialog.getByText("Shown to clients.").waitFor();
    await dialog.getByLabel("Assumptions").fill(text);
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect.poll(stored).toBe(text);
    await saved(page);
  };
  await write("Texts come from you.\nTwo rounds.");
  await write("Three rounds.");
  await title(page, "Cart").focus();
  await keys(page, "Control+z");
  await expect.poll(stored).toBe("Texts come from you.\nTwo rounds.");
  await saved(page);
  expect(await page.getByRole("button", { name: "Assumptions" }).count()).toBe(0);

  const other = await openSignedIn(await openBrowser(app), reader, `/estimations/${id}`);
  await other.getByRole("button", { name: "Assumptions" }).click();
  const shown = other.getByRole("dialog", { name: "Assumptions" });
  expect(await shown.locator("p").innerText()).toBe("Texts come from you.\nTwo rounds.");
  expect(await shown.getByRole("textbox").count()).toBe(0);
  await expectAccessible(other);
  expect((await send("POST", `${path}/submit`, user)).status).toBe(200);
  await page.evaluate("dispatchEvent(new Event('focus'))");
  await page.getByRole("button", { name: "Assumptions" }).waitFor();
  expect(await page.getByRole("button", { name: "Settings" }).count()).toBe(0);
});

test("the details get the focus however late they are loaded, unless the reader does something else meanwhile", async () => {
  const user = await app.signUp();
  const id = await importAs(app, user, SHOP);
  const page = await openSignedIn(await openBrowser(app), user, `/estimations/${id}`);
  for (const goesOn of [false, true]) {
    const code = await hold(page, /\/assets\/details-[^/]*\.js$/, "GET");
    await title(page, "Card").focus();
    await keys(page, "Alt+Enter");
    await until(() => code.requests.count > 0);
    // Longer than a file takes that is at hand.
    await page.evaluate(`new Promise((done) => {
      let frames = 0;
      const step = () => (++frames < 120 ? requestAnimationFrame(step) : done());
      step();
    })`);
    if (goesOn) await keys(page, "ArrowDown");
    code.release();
    if (goesOn) await page.getByLabel("Title", { exact: true }).waitFor();
    else await until(async () => (await page.evaluate("document.activeElement.value")) === "Card");
    if (goesOn) expect(await focused(page)).toContain("Invoice");
    await page.unrouteAll();
    await page.reload();
  }
});

test("lines are moved by the pointer and by keys, on the outline and on the map, and hours are proposed, never taken", async () => {
  const user = await app.signUp();
  const id = await importAs(app, user, SHOP);
  const page = await openSignedIn(await openBrowser(app), user, `/estimations/${id}`);
  await title(page, "Invoice").focus();
  await keys(page, "Alt+m");
  await page
    .getByRole("status")
    .getByText(/Moving Invoice/)
    .waitFor();
  await keys(page, "End", "Escape");
  await until(
    async () =>
      (await page
        .getByRole("status")
        .getByText(/Moving/)
        .count()) === 0,
  );
  await keys(page, "Alt+m");
  await page
    .getByRole("status")
    .getByText(/Moving Invoice/)
    .waitFor();
  await keys(page, "End");
  await page.getByRole("status").getByText("After List in Screens").waitFor();
  await expectAccessible(page);
  await keys(page, "Enter");
  await saved(page);
  const moved =
    "- Payment (choose one)\n  - [x] Card: 4-16-34\n- Screens\n  - Cart: 8-10-30\n  - List: 2\n  - Invoice: 6\n";
  await expect.poll(() => storedOutline(app, user, id)).toBe(moved);
  expect(await focused(page)).toContain("Invoice");
  await keys(page, "Control+z");
  await expect.poll(() => storedOutline(app, user, id)).toMatch(/Card.*\n {2}- \[ \] Invoice/);

  const drag = async (from: string, to: string) => {
    const [start, end] = [await title(page, from).boundingBox(), await title(page, to).boundingBox()];
    if (!start || !end) throw new Error("no box");
    await page.mouse.move(start.x + 120, start.y + 16);
    await page.mouse.down();
    await page.mouse.move(start.x + 130, start.y + 24, { steps: 3 });
    await page
      .getByRole("status")
      .getByText(/Moving/)
      .waitFor();
    await page.mouse.move(end.x + 60, end.y + 30, { steps: 4 });
  };
  await drag("Card", "Cart");
  await page.getByRole("status").getByText("After Cart in Screens").waitFor();
  await keys(page, "Escape");
  await page.mouse.up();
  expect(await page.getByRole("button", { name: "Redo" }).isEnabled()).toBe(true);
  await drag("Card", "Cart");
  await page.getByRole("status").getByText("After Cart in Screens").waitFor();
  await page.mouse.up();
  await saved(page);
  await expect.poll(() => storedOutline(app, user, id)).toMatch(/Cart: 8-10-30\n {2}- \[x\] Card/);
  await keys(page, "Control+z");
  await expect.poll(() => storedOutline(app, user, id)).toMatch(/Payment.*\n {2}- \[x\] Card/);

  await title(page, "Payment").focus();
  await page.getByText("Map", { exact: true }).click();
  const card = (name: string) => page.getByRole("application").getByRole("button", { name });
  await card("Card").waitFor();
  expect(await card("Payment").getAttribute("aria-current")).toBe("true");
  await card("Payment").focus();
  await keys(page, "ArrowRight", "ArrowDown");
  await until(async () => String(await focused(page)).startsWith("Invoice"));
  await keys(page, "Space");
  await until(async () => /Invoicecounts/.test(String(await focused(page))));
  await saved(page);
  await expect.poll(() => storedOutline(app, user, id)).toContain("[x] Invoice");
  await expectAccessible(page);
  // The buttons beside the cards have keys of their own.
  const scale = () => page.locator(".react-flow__viewport").getAttribute("style");
  const scaleBefore = await scale();
  await page.getByRole("button", { name: "Zoom in" }).focus();
  await keys(page, "Space", "Delete");
  await until(async () => (await scale()) !== scaleBefore);
  await card("Invoice").focus();
  expect(String(await focused(page))).toBe("Invoicecounts");
  await keys(page, "Control+z");
  await page.getByText("Outline", { exact: true }).click();
  await page.locator('[data-focused="true"]').getByText("Invoice").waitFor();
  await saved(page);

  const before = await storedOutline(app, user, id);
  const verdicts = async () =>
    (await app.pool.query("select verdict, hours from suggestion_feedback where estimation_id = $1", [id])).rows;
  await page.getByText("Suggestion", { exact: true }).click();
  await page.getByText("Fewer than ten finished tasks").waitFor();
  // What finished work says, over the curve of the estimate, and in words.
  const evidence = page.getByRole("figure");
  expect(await evidence.innerText()).toMatch(/the bar what finished work says\. Finished work says [\d.]+ to [\d.]+ h/);
  const widthOf = (part: string) => evidence.locator(part).evaluate((drawn) => drawn.getBoundingClientRect().width);
  expect(await widthOf("rect")).toBeGreaterThan(20);
  expect(await widthOf("rect")).toBeLessThan(await widthOf("svg"));
  // Hours that cannot be saved are not accepted.
  await page.getByLabel("Suggested hours for Cart", { exact: true }).fill("4-16-3");
  await page.getByRole("button", { name: "Use hours for 3 options" }).click();
  await page.getByText("High can’t be lower than Likely").waitFor();
  expect(await verdicts()).toEqual([]);
  await page.getByLabel("Suggested hours for Cart", { exact: true }).fill("10-20-60");
  await page.getByLabel("Use the suggested hours for List").click();
  await expectAccessible(page);
  expect(await storedOutline(app, user, id)).toBe(before);
  const panel = page.getByRole("complementary");
  const proposed = await panel.locator("tr", { hasText: "P80" }).locator("td").last().innerText();
  const writes: string[] = [];
  page.on("request", (request) => {
    if (request.method() !== "GET") writes.push(new URL(request.url()).pathname.replace(/.*\//, ""));
  });
  await page.getByRole("button", { name: "Use hours for 2 options" }).click();
  await page.getByText("Hours applied").waitFor();
  expect(writes).toEqual(["tree", "feedback"]);
  // Only what is saved is accepted; and what was suggested is one figure, which the estimate then has.
  expect(await storedOutline(app, user, id)).not.toBe(before);
  await expect.poll(() => panel.innerText()).toMatch(new RegExp(`(^|\\n)${proposed}\\s*h`));
  await saved(page);
  await expect.poll(() => storedOutline(app, user, id)).toMatch(/Cart: 10-20-60\n {2}- List: 2\n/);
  expect(await verdicts()).toMatchObject([{ verdict: "accepted" }]);
  await title(page, "Cart").focus();
  await keys(page, "Control+z");
  await expect.poll(() => storedOutline(app, user, id)).toBe(before);
  await page.getByRole("button", { name: "Ask again" }).click();
  await page.getByRole("button", { name: "Dismiss" }).click();
  await page.getByText("Dismissed.").waitFor();
  expect(await verdicts()).toMatchObject([{ verdict: "rejected", hours: null }]);

  const empty = await importAs(app, user, "# Empty\n\n- Question (choose one)\n  - [ ] Maybe\n");
  await page.goto(`/estimations/${empty}`);
  await page.getByText("Suggestion", { exact: true }).click();
  await page.getByText("Nothing is chosen yet").waitFor();
});

test("a new line that is saved keeps what is typed into its details, and goes on being moved", async () => {
  const user = await app.signUp();
  const id = await importAs(app, user, SHOP);
  const page = await openSignedIn(await openBrowser(app), user, `/estimations/${id}`);
  const path = `/api/estimations/${id}/tree`;
  const { token } = user;
  /** Adds an option; it is saved only when what this returns is called. */
  const add = async (below: string, name: string) => {
    const held = Promise.withResolvers<void>();
    await page.route("**/tree", async (route) => {
      if (route.request().method() === "PUT") await held.promise;
      await route.continue();
    });
    await title(page, below).focus();
    await addLine(page);
    await page.keyboard.type(name);
    await keys(page, "Enter", "Escape");
    return async () => {
      held.resolve();
      await page.locator(`tr[data-row^="opt_"]`, { hasText: name }).waitFor();
      await saved(page);
      await page.unroute("**/tree");
    };
  };
  const saveSorting = await add("List", "Sorting");
  await keys(page, "Alt+Enter");
  await until(async () => (await page.evaluate("document.activeElement.value")) === "Sorting");
  const description = page.getByLabel("Description", { exact: true });
  await description.focus();
  await page.keyboard.type("As each customer");
  await saveSorting();
  await page.keyboard.type(" likes");
  await keys(page, "Control+Enter");
  await expect
    .poll(async () => (await app.request("GET", path, { token })).data.tree?.nodes?.[1]?.options?.[2])
    .toMatchObject({ title: "Sorting", description: "As each customer likes" });

  const moving = page.getByRole("status").getByText(/Moving/);
  const saveFilters = await add("Sorting", "Filters");
  await keys(page, "Alt+m");
  await moving.waitFor();
  await keys(page, "End");
  await saveFilters();
  await keys(page, "Home", "Enter");
  await expect.poll(() => storedOutline(app, user, id)).toMatch(/Payment.*\n {2}- .*Filters/);
  // Somebody else deletes what is moved: the keys work for the page again.
  await saved(page);
  await title(page, "Sorting").focus();
  await keys(page, "Alt+m");
  await moving.waitFor();
  const { data } = await app.request("GET", path, { token });
  await app.request("DELETE", `${path}/options/${data.tree?.nodes?.[1]?.options?.[2]?.id}`, { token });
  await page.evaluate("dispatchEvent(new Event('focus'))");
  await until(async () => (await page.getByRole("row", { name: "Sorting" }).count()) === 0);
  await keys(page, "?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await keys(page, "Escape");

  // What is refused stays in its cell, even if its input is gone.
  await page.getByRole("row", { name: "Cart" }).getByRole("gridcell").nth(1).dblclick();
  await keys(page, "Control+a");
  await page.keyboard.type("4-16-3");
  await title(page, "List").click();
  await page.locator('[data-hint="High can’t be lower than Likely"]').getByText("4-16-3").waitFor();
});

test("the map is loaded apart, and is not larger than its budget", async () => {
  const { assets } = await preparePages();
  const chunks = [...assets].filter(([name]) => /^map-view-.*\.js$/.test(name));
  expect(chunks).toHaveLength(1);
  const kilobytes = (chunks[0]?.[1].gzip.length ?? 0) / 1024;
  console.log(` With gzip, the map is ${kilobytes.toFixed(0)} KB of JavaScript`);
  expect(kilobytes).toBeLessThanOrEqual(65);
});
