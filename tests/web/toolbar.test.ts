import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { start } from "../harness.ts";
import { importAs, keys, saved } from "./actions.ts";
import { openBrowser, openSignedIn } from "./browser.ts";
import { tabTo } from "./keyboard.ts";

const app = await start({ pages: true });
const user = await app.signUp();
const lines = Array.from({ length: 40 }, (_, at) => `- Question ${at}\n  - [x] Option of ${at}: 4-16-34\n`);
const id = await importAs(app, user, `# Long\n\n${lines.join("")}`);

const focused = (page: Page) =>
  page.evaluate<string>("document.activeElement.ariaLabel ?? document.activeElement.innerText.trim()");

const openEditor = async (viewport: { width: number; height: number }) => {
  const page = await openSignedIn(await openBrowser(app, { viewport }), user, `/estimations/${id}`);
  // In a low window it is below what shows.
  await page.getByRole("treegrid").waitFor({ state: "attached" });
  await page.evaluate("document.querySelector('[role=treegrid]').scrollIntoView({ block: 'start' })");
  await page.getByRole("gridcell", { name: "Question 0" }).waitFor();
  return page;
};

test("a toolbar is one stop for Tab, arrows move in it, and its buttons keep the focus when they are of no more use", async () => {
  const page = await openEditor({ width: 1280, height: 720 });
  await tabTo(page, "Question");
  await keys(page, "ArrowRight");
  expect(await focused(page)).toBe("Option");
  await keys(page, "End");
  expect(await focused(page)).toBe("Keyboard shortcuts");
  await keys(page, "ArrowRight");
  expect(await focused(page)).toBe("Question");
  // Out, and back to the tool that had the focus last.
  await keys(page, "End", "Shift+Tab");
  expect(await page.evaluate("document.activeElement.closest('[role=toolbar]')")).toBeNull();
  await keys(page, "Tab");
  expect(await focused(page)).toBe("Keyboard shortcuts");
  // Undoing the only change leaves nothing to undo.
  await page.getByRole("gridcell", { name: "Question 0" }).focus();
  await keys(page, "Delete");
  await page.getByRole("gridcell", { name: "Question 0" }).waitFor({ state: "detached" });
  const undo = page.getByRole("button", { name: "Undo" });
  await undo.focus();
  await keys(page, "Enter");
  await page.getByRole("gridcell", { name: "Question 0" }).waitFor();
  await expect.poll(() => undo.isDisabled()).toBe(true);
  expect(await focused(page)).toBe("Undo");
  await keys(page, "Enter", "ArrowRight");
  expect(await focused(page)).toBe("Redo");
  // The next tests look for what was deleted and brought back.
  await saved(page);
});

test("a button keeps the focus while what it started is under way", async () => {
  const page = await openEditor({ width: 1280, height: 720 });
  const held = Promise.withResolvers<void>();
  await page.route("**/submit", async (route) => {
    await held.promise;
    await route.fulfill({ status: 503, body: "" });
  });
  const submit = page.getByRole("button", { name: "Submit" });
  await submit.focus();
  await keys(page, "Enter");
  await expect.poll(() => submit.isDisabled()).toBe(true);
  expect(await focused(page)).toBe("Submit");
  held.resolve();
  await expect.poll(() => submit.isDisabled()).toBe(false);
  expect(await focused(page)).toBe("Submit");
});

/** What lies over the focused element, where none of its points on a line through its middle is in sight. */
const COVERED = `(async () => {
  // What takes the focus is scrolled to with the next frame.
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const at = document.activeElement;
  if (at === document.body) return null;
  const { left, top, width, height } = at.getBoundingClientRect();
  const over = [0.1, 0.3, 0.5, 0.7, 0.9].map((part) => document.elementFromPoint(left + width * part, top + height / 2));
  if (over.some((seen) => seen && (at.contains(seen) || seen.contains(at)))) return null;
  return at.outerHTML.slice(0, 80) + " below " + over[2]?.outerHTML.slice(0, 80);
})()`;

test.each([
  ["a phone", 375, 667],
  ["400 %", 320, 256],
  ["a laptop", 1280, 720],
])("on %s nothing covers what has the focus", async (_, width, height) => {
  const page = await openEditor({ width, height });
  await page.getByRole("gridcell", { name: "Question 0" }).focus();
  const covered: string[] = [];
  const look = async (key: string) => {
    await page.keyboard.press(key);
    const found = await page.evaluate<string | null>(COVERED);
    if (found) covered.push(`${key}: ${found}`);
  };
  for (const key of ["ArrowDown", "ArrowUp"]) for (let at = 0; at < 45; at += 1) await look(key);
  await look("Control+End");
  await look("Control+Home");
  await look("PageDown");
  await look("PageDown");
  for (let at = 0; at < 40; at += 1) await look(at < 20 ? "Tab" : "Shift+Tab");
  expect(covered).toEqual([]);
});

test("arrows pass by what does not show and by the items of a menu", async () => {
  const page = await openEditor({ width: 1280, height: 720 });
  await page.evaluate(`{
    const option = [...document.querySelectorAll("[role=toolbar] button")].find((tool) => tool.innerText.trim() === "Option");
    option.style.display = "none";
    option.insertAdjacentHTML("afterend", '<div popover="auto"><button>Item</button></div>');
  }`);
  await tabTo(page, "Question");
  await keys(page, "ArrowRight");
  expect(await focused(page)).toBe("Undo");
});

test("the zoom of the map is a toolbar", async () => {
  const page = await openEditor({ width: 1280, height: 720 });
  await page.getByText("Map", { exact: true }).click();
  await page.getByRole("button", { name: "Zoom in" }).focus();
  await keys(page, "ArrowRight");
  expect(await focused(page)).toBe("Zoom out");
  await keys(page, "End");
  expect(await focused(page)).toBe("Fit to screen");
  await keys(page, "ArrowRight");
  expect(await focused(page)).toBe("Zoom in");
});

test("undo and redo of a timeline are a toolbar", async () => {
  const { token } = user;
  await app.request("POST", `/api/estimations/${id}/tasks/generate`, { token });
  await app.request("PUT", `/api/estimations/${id}/timeline`, { token, body: { startDate: "2027-01-04" } });
  const page = await openSignedIn(await openBrowser(app), user, `/estimations/${id}/timeline`);
  await tabTo(page, "Undo");
  await keys(page, "ArrowRight");
  expect(await focused(page)).toBe("Redo");
});
