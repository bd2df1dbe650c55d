import { expect, test } from "vitest";
import { start, until } from "../harness.ts";
import { importAs, keys } from "./actions.ts";
import { expectAccessible, openBrowser, openSignedIn } from "./browser.ts";

const app = await start({ pages: true });

test.each([
  ["en-GB", "1.5d", "12 h"],
  ["de-DE", "1,5d", "12 h"],
])(
  "what was read in a cell of hours is shown where it differs from what was typed (%s)",
  async (locale, days, hours) => {
    const user = await app.signUp();
    const id = await importAs(app, user, "# Read\n\n- Scope\n  - Card\n  - Cart\n  - List\n");
    const page = await openSignedIn(await openBrowser(app, { locale }), user, `/estimations/${id}`);
    await page.getByRole("treegrid").waitFor();
    const cell = (row: string, column: number) =>
      page.getByRole("row", { name: row }).getByRole("gridcell").nth(column);
    const reading = page.locator("[role=status][data-reading]");
    const gone = () => until(async () => (await reading.textContent()) === "");
    await cell("Card", 1).focus();
    await page.keyboard.type("2d");
    await keys(page, "Enter");
    await reading.getByText("16 h", { exact: true }).waitFor();
    expect(await page.evaluate("document.activeElement.closest('tr').innerText")).toContain("Cart");
    const [box, at] = [await reading.boundingBox(), await cell("Card", 1).boundingBox()];
    expect(Math.abs(Number(box?.y) - Number(at?.y) - Number(at?.height))).toBeLessThan(3);
    await expectAccessible(page);
    // The next key takes it away.
    await keys(page, "ArrowRight");
    await gone();
    // Nothing is shown where it is the same.
    await keys(page, "ArrowLeft");
    await page.keyboard.type("4-16-34");
    await keys(page, "Enter");
    await until(async () => /4\s+16\s+34/.test(await page.getByRole("row", { name: "Cart" }).innerText()));
    expect(await reading.textContent()).toBe("");
    await page.keyboard.type("8h");
    await keys(page, "Tab");
    expect(await reading.textContent()).toBe("");
    await page.keyboard.type("1d-2d-6d");
    await keys(page, "Tab");
    await reading.getByText("8 · 16 · 48 h", { exact: true }).waitFor();
    // So does a change of the focus.
    await page.getByRole("searchbox").focus();
    await gone();
    await cell("Card", 1).focus();
    await page.keyboard.type(days);
    await keys(page, "Tab");
    await reading.getByText(hours, { exact: true }).waitFor();
  },
);
