import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { start } from "../harness.ts";
import { importAs, keys, loadedLater } from "./actions.ts";
import { expectAccessible, openBrowser, openSignedIn } from "./browser.ts";
import { tabTo } from "./keyboard.ts";

const app = await start({ pages: true });
const user = await app.signUp();
const LONG = `A choice ${"with a title that does not fit into its column ".repeat(4)}`.trim();
const id = await importAs(app, user, `# Web shop\n\n- ${LONG}\n  - [x] Card: 4-16-34\n  - [ ] Invoice: 6\n`);

const openEditor = async (options: Parameters<typeof openBrowser>[1] = {}) => {
  const page = await openSignedIn(await openBrowser(app, options), user, `/estimations/${id}`);
  await page.getByRole("gridcell", { name: LONG }).waitFor();
  return page;
};
const tooltip = (page: Page) => page.getByRole("tooltip");
const gone = (page: Page) => tooltip(page).waitFor({ state: "hidden" });
/** Moves the pointer onto a hint, which stays, and lets a press through to what lies below. */
const restOn = async (page: Page, on: Locator) => {
  const { x, y, width, height } = (await on.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  // Time stands still on the way, which is no pause between the two.
  await page.clock.pauseAt((await page.evaluate<number>("Date.now()")) + 1_000);
  await page.mouse.move(x + width / 2, y + height / 2, { steps: 4 });
  // Longer than a hint stays once it is left.
  await page.clock.fastForward(1_000);
  expect(await on.isVisible()).toBe(true);
  const top = `document.elementFromPoint(${x + width / 2}, ${y + height / 2}).role`;
  expect(await page.evaluate(top)).not.toBe("tooltip");
  await page.clock.resume();
};
const focusedText = (page: Page) => page.evaluate<string>("document.activeElement.innerText.trim()");
/** What screen readers say of the focused element after its name. */
const description = (page: Page) => page.evaluate<string | null>("document.activeElement.ariaDescription");

test("the keyboard shows the hints of controls and texts, and what is cut off", async () => {
  const page = await openEditor();
  await tabTo(page, "Question");
  // It is there before it shows.
  expect(await description(page)).toBe("Ctrl+Shift+Enter");
  await tooltip(page).getByText("Ctrl+Shift+Enter").waitFor();
  await expectAccessible(page);
  // Escape closes it, and the focus stays.
  await keys(page, "Escape");
  await gone(page);
  expect(await focusedText(page)).toBe("Question");
  await keys(page, "Tab");
  await tooltip(page).getByText("Expected hours: of an option itself").waitFor();
  expect(await focusedText(page)).toBe("Hours");
  await page.getByRole("gridcell", { name: LONG }).focus();
  await keys(page, "ArrowDown", "ArrowUp");
  await tooltip(page).getByText(LONG).waitFor();
  // What is read as the cell's text is not read as its description, too.
  expect(await description(page)).toBeNull();
  // What is not cut off has no hint.
  await keys(page, "ArrowDown");
  await gone(page);
  await keys(page, "Shift+Tab");
  await tooltip(page).getByText("How the P80 changes").waitFor();
  await page.getByRole("link", { name: "Tasks" }).click();
  await page.getByRole("heading", { name: "No tasks yet" }).waitFor();
  await gone(page);
});

test("what a hint adds is read after the name, and the name is not read twice", async () => {
  const page = await openEditor();
  const described = (name: string) => page.getByRole("button", { name, exact: true }).getAttribute("aria-description");
  expect([await described("Undo"), await described("Question")]).toEqual(["Ctrl+Z", "Ctrl+Shift+Enter"]);
  expect(await page.locator("h1 + button[data-hint]").getAttribute("aria-description")).toBeNull();
});

test("the hint of a choice is of what is chosen", async () => {
  const page = await openEditor();
  await page.getByRole("gridcell", { name: LONG }).focus();
  await tabTo(page, "Question");
  await keys(page, "Tab", "Shift+Tab", "End", "ArrowLeft");
  await expect.poll(() => page.evaluate("document.activeElement.tagName")).toBe("SELECT");
  const before = await description(page);
  await tooltip(page).getByText(String(before)).waitFor();
  await keys(page, "ArrowDown");
  await expect.poll(() => description(page)).not.toBe(before);
  await expect.poll(() => tooltip(page).innerText()).toBe(await description(page));
});

test("the page itself has no hint, after a jump to its content", async () => {
  const page = await openEditor();
  await page.evaluate(`{
    window.texts = [];
    new MutationObserver(() => texts.push(document.querySelector("[role=tooltip]")?.textContent))
      .observe(document.body, { childList: true, subtree: true });
  }`);
  await page.getByRole("link", { name: "Skip to the content" }).focus();
  await keys(page, "Enter");
  await expect.poll(() => page.evaluate("document.activeElement.tagName")).toBe("MAIN");
  // The pointer's hint shows after the one that the page would have had.
  await page.getByRole("button", { name: "Question", exact: true }).hover();
  await tooltip(page).getByText("Ctrl+Shift+Enter").waitFor();
  expect(await page.evaluate("texts.filter((text) => text && text !== 'Ctrl+Shift+Enter')")).toEqual([]);
});

test("what moves below the pointer leaves the hint of what gets the focus", async () => {
  const page = await openEditor();
  await page.getByRole("button", { name: "Undo" }).hover();
  await tooltip(page).waitFor();
  await keys(page, "Escape", "Tab");
  await page.getByRole("heading", { name: "Web shop" }).hover();
  await page.getByRole("button", { name: "Question", exact: true }).focus();
  await page.getByRole("link", { name: "Tasks" }).hover();
  await tooltip(page).getByText("Ctrl+Shift+Enter").waitFor();
});

test("a row is one stop for each of its controls, which show the hints of its texts", async () => {
  const owner = await app.signUp();
  for (const name of ["First", "Second", "Third"]) await importAs(app, owner, `# ${name}\n\n- Cart: 5\n`);
  const page = await openSignedIn(await openBrowser(app), owner);
  await page.getByRole("link", { name: "First" }).waitFor();
  const stops = "a, button:not([popover] *), [tabindex]:not([popover] *)";
  expect(
    await page.evaluate(
      `[...document.querySelectorAll("tbody tr")].map((row) => row.querySelectorAll("${stops}").length)`,
    ),
  ).toEqual([2, 2, 2]);
  const at = await page.getByRole("row", { name: "First" }).getByRole("time").getAttribute("aria-description");
  await tabTo(page, "First");
  await tooltip(page).getByText(`: ${at}`).waitFor();
  await expectAccessible(page);
});

test("a row without a control is one stop, which shows the hints of its texts", async () => {
  const page = await openSignedIn(await openBrowser(app), user, "/profile/security");
  const row = page.getByRole("row", { name: /^Signed in/ }).first();
  await row.waitFor();
  const hints = await row
    .locator("[data-hint]")
    .evaluateAll((texts) => (texts as unknown as { dataset: { hint: string } }[]).map(({ dataset }) => dataset.hint));
  expect(hints).toHaveLength(2);
  expect(await row.locator("[tabindex]").count()).toBe(1);
  await row.getByRole("time").focus();
  await expect.poll(() => tooltip(page).innerText()).toMatch(new RegExp(`^${hints[0]}\n.*: ${hints[1]}$`));
});

test("the pointer shows a hint, can move onto it, and closes it by leaving or by Escape", async () => {
  const page = await openEditor();
  // What comes later moves the buttons, and the pointer would be beside them.
  await loadedLater(page, "live-people", "live-tree");
  await page.clock.install();
  const undo = page.getByRole("button", { name: "Undo" });
  await undo.hover();
  await tooltip(page).getByText("Undo (Ctrl+Z)").waitFor();
  await restOn(page, tooltip(page));
  await page.getByRole("heading", { name: "Web shop" }).hover();
  await gone(page);
  await undo.hover();
  await tooltip(page).waitFor();
  await keys(page, "Escape");
  await gone(page);
  // The pointer elsewhere leaves the hint of what has the focus.
  await tabTo(page, "Question");
  await tooltip(page).waitFor();
  await page.getByRole("heading", { name: "Web shop" }).hover();
  await page.getByRole("link", { name: "Tasks" }).hover();
  expect(await tooltip(page).innerText()).toBe("Ctrl+Shift+Enter");
});

test("in a dialog Escape closes the hint first, then the dialog", async () => {
  const page = await openSignedIn(await openBrowser(app), user, "/glossary");
  await page.clock.install();
  await page.evaluate(`{
    const dialog = document.createElement("dialog");
    dialog.innerHTML = '<button data-hint="More about it" aria-label="This">1</button>';
    document.querySelector("main").append(dialog);
    dialog.showModal();
  }`);
  await page.getByRole("dialog").waitFor();
  await keys(page, "Tab", "Shift+Tab", "Shift+Tab", "Tab");
  await page.getByRole("button", { name: "This" }).focus();
  await tooltip(page).waitFor();
  // It lies in the dialog: what is outside cannot be pointed at.
  await restOn(page, tooltip(page));
  await keys(page, "Escape");
  await gone(page);
  await page.getByRole("dialog").waitFor();
  await keys(page, "Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
});

/** Puts a finger on the middle of an element, and returns what lifts it. */
async function touch(page: Page, element: Locator): Promise<() => Promise<unknown>> {
  const session = await page.context().newCDPSession(page);
  const { x, y, width, height } = (await element.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const touchPoints = [{ x: x + width / 2, y: y + height / 2 }];
  await session.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints });
  return () => session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
}

test("a finger shows the hint of a text by a tap, that of a control by resting on it", async () => {
  const page = await openEditor({ hasTouch: true, isMobile: true, viewport: { width: 375, height: 800 } });
  await page.clock.install();
  await page.getByRole("columnheader", { name: "Hours" }).tap();
  await tooltip(page).getByText("Expected hours: of an option itself").waitFor();
  await page.getByRole("heading", { name: "Web shop" }).tap();
  await gone(page);
  const add = page.getByRole("button", { name: "Question" });
  const rows = page.getByRole("row");
  const before = await rows.count();
  const lift = await touch(page, add);
  await tooltip(page).getByText("Ctrl+Shift+Enter").waitFor();
  await lift();
  expect(await tooltip(page).isVisible()).toBe(true);
  // It was read, not pressed: only the second touch presses it. Time stands still, so that it is no long one.
  await page.clock.pauseAt((await page.evaluate<number>("Date.now()")) + 1_000);
  await add.tap();
  await page.clock.resume();
  await gone(page);
  await expect.poll(() => rows.count()).toBe(before + 1);
  const cut = await touch(page, page.getByRole("gridcell", { name: LONG }));
  await tooltip(page).getByText(LONG).waitFor();
  await cut();
});

test("what a finger has rested on takes one click, and neither those of others nor a field's menu", async () => {
  const page = await openEditor({ hasTouch: true, isMobile: true, viewport: { width: 375, height: 800 } });
  const rows = page.getByRole("row");
  const before = await rows.count();
  const add = page.getByRole("button", { name: "Question", exact: true });
  const lift = await touch(page, add);
  await tooltip(page).getByText("Ctrl+Shift+Enter").waitFor();
  await lift();
  // No pointer presses these.
  await page
    .getByRole("button", { name: "Keyboard shortcuts" })
    .evaluate((button) => (button as unknown as { click(): void }).click());
  await page.getByRole("dialog").waitFor();
  await keys(page, "Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  const again = await touch(page, add);
  await tooltip(page).getByText("Ctrl+Shift+Enter").waitFor();
  await again();
  await add.focus();
  await keys(page, "Enter");
  await expect.poll(() => rows.count()).toBe(before + 1);
  await page.evaluate("addEventListener('contextmenu', (event) => (window.prevented = event.defaultPrevented))");
  const filter = page.getByRole("searchbox");
  await filter.scrollIntoViewIfNeeded();
  const leave = await touch(page, filter);
  await tooltip(page).getByText("(").waitFor();
  await filter.dispatchEvent("contextmenu");
  await leave();
  expect(await page.evaluate("prevented")).toBe(false);
});
