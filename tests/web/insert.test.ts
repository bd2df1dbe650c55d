import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { start } from "../harness.ts";
import { importAs, keys, press, saved, storedOutline } from "./actions.ts";
import { expectAccessible, openBrowser, openSignedIn } from "./browser.ts";

const app = await start({ pages: true });

const SHOP = "# Shop\n\n- Payment (choose one)\n  - [x] Card: 4-16-34\n  - [ ] Invoice: 6\n- Screens\n  - Cart: 8\n";

const title = (page: Page, row: string) => page.getByRole("row", { name: row }).getByRole("gridcell").first();

test("an outline or a file is added below the option or after the question that has the focus, as one step", async () => {
  const user = await app.signUp();
  const id = await importAs(app, user, SHOP);
  const page = await openSignedIn(await openBrowser(app), user, `/estimations/${id}`);
  const before = await storedOutline(app, user, id);
  await title(page, "Card").focus();
  await keys(page, "Alt+i");
  const dialog = page.getByRole("dialog", { name: "Insert a part" });
  await dialog.getByText("It is added below “Card”.").waitFor();
  const outline = dialog.getByRole("textbox", { name: "Outline" });
  // What cannot be read is named by its line, and changes nothing.
  await outline.fill("- Extras (choose any)\n  - Secure: 9-4-1\n");
  await dialog.getByText("Line 2", { exact: true }).first().waitFor();
  expect(await dialog.getByRole("button", { name: "Insert", exact: true }).isEnabled()).toBe(false);
  await outline.fill("- Extras (choose any)\n  - Secure: 2\n  - Refunds: 8 @backend\n- Tests\n  - All: 4\n");
  await dialog.getByText("2 questions, 3 options").waitFor();
  await dialog.getByText("4 to 14 expected hours").waitFor();
  await expectAccessible(page);
  await press(page, "Insert");
  await expect.poll(() => page.evaluate("document.activeElement.textContent")).toContain("Extras");
  await saved(page);
  await expect
    .poll(() => storedOutline(app, user, id))
    .toContain(
      "    - Extras (choose any)\n      - [ ] Secure: 2\n      - [ ] Refunds: 8 @backend\n    - Tests\n      - All: 4\n",
    );
  await keys(page, "Control+z");
  await expect.poll(() => storedOutline(app, user, id)).toBe(before);

  // An exported file, after the question.
  const { text } = await app.request("GET", `/api/estimations/${id}/export?format=json`, { token: user.token });
  await title(page, "Payment").focus();
  await keys(page, "Alt+i");
  await dialog.getByText("It is added after “Payment”.").waitFor();
  await dialog.locator("input[type=file]").setInputFiles({
    name: "shop.json",
    mimeType: "application/json",
    buffer: Buffer.from(text),
  });
  await dialog.getByText("2 questions, 3 options").waitFor();
  await press(page, "Insert");
  await expect
    .poll(async () => (await storedOutline(app, user, id)).match(/^- \w+/gm))
    .toEqual(["- Payment", "- Payment", "- Screens", "- Screens"]);
});

test("a template is added at the line, after a look at what it adds and its hours, and undone at once", async () => {
  const user = await app.signUp();
  const { token } = user;
  const source = await importAs(app, user, "# Login\n\n- Way (choose one)\n  - [x] Password: 6\n  - [ ] Passkey: 10\n");
  await app.request("POST", "/api/templates", { token, body: { estimationId: source, name: "Sign-in" } });
  const id = await importAs(app, user, SHOP);
  const page = await openSignedIn(await openBrowser(app), user, `/estimations/${id}`);
  const before = await storedOutline(app, user, id);
  await title(page, "Cart").focus();
  await keys(page, "Alt+i");
  const dialog = page.getByRole("dialog", { name: "Insert a part" });
  await dialog.getByText("From a template").click();
  await dialog.getByRole("radio", { name: "Sign-in" }).check();
  await dialog.getByText("0 to 10 expected hours").waitFor();
  await expectAccessible(page);
  await press(page, "Insert");
  await expect
    .poll(() => storedOutline(app, user, id))
    .toContain("  - Cart: 8\n    - Way (choose one)\n      - [ ] Password: 6\n      - [ ] Passkey: 10\n");
  await keys(page, "Control+z");
  await expect.poll(() => storedOutline(app, user, id)).toBe(before);
});
