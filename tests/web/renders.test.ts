import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { start, until } from "../harness.ts";
import { importAs, keys } from "./actions.ts";
import { openBrowser, openSignedIn } from "./browser.ts";

/**
 * What the editor does for each input, in counts and in ratios to what an empty page needs in the same run: both are the
 * same on a busy machine. `npm run bench:web` measures the times.
 */
const app = await start({ pages: true });

const QUESTIONS = 500;
/** Lines that are rendered at once, beside those in the window. */
const STEP = 8;
const ROW_HEIGHT = 32;

/** Counts lines of the tree that are added, and those that change, from now on. */
const WATCH = `
  const counted = window.counted = { added: [], changed: [] };
  const rowOf = (node) => (node instanceof Element ? node : node.parentElement)?.closest("[data-row]")?.dataset.row;
  new MutationObserver((records) => {
    for (const { type, target, addedNodes } of records) {
      const row = rowOf(target);
      if (row !== undefined) counted.changed.push(row);
      if (type === "childList") for (const node of addedNodes) if (node.dataset?.row) counted.added.push(node.dataset.row);
    }
  }).observe(document.querySelector("[role=treegrid] tbody"), { subtree: true, childList: true, attributes: true, characterData: true });
`;

interface Counted {
  readonly added: readonly string[];
  readonly changed: readonly string[];
}

const COUNTED = `(() => {
  const { added, changed } = counted;
  Object.assign(counted, { added: [], changed: [] });
  return { added, changed: [...new Set(changed)] };
})()`;

/** Returns what was counted since the last call. */
const counted = (page: Page) => page.evaluate<Counted>(COUNTED);

const SHOWN_ROWS = `[...document.querySelectorAll("[role=treegrid] tbody [data-row]")].map((row) => row.dataset.row)`;

const shownRows = (page: Page) => page.evaluate<string[]>(SHOWN_ROWS);

const isTwice = (id: string, at: number, ids: readonly string[]) => ids.indexOf(id) !== at;

const FRAMES = 120;
const SPEED = 50;
/** Scrolls the document by the same distance with each frame. */
const SCROLL = `new Promise((done) => {
  let frames = 0;
  const step = () => {
    frames += 1;
    document.scrollingElement.scrollTop = frames * ${SPEED};
    if (frames < ${FRAMES}) requestAnimationFrame(step);
    else requestAnimationFrame(() => requestAnimationFrame(done));
  };
  requestAnimationFrame(step);
})`;

/** Returns how often a page is laid out while it is scrolled, and the processor time of its thread in milliseconds. */
async function costOfScrolling(page: Page): Promise<{ readonly layouts: number; readonly ms: number }> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
  const read = async () => {
    const { metrics } = await devtools.send("Performance.getMetrics");
    return (name: string) => metrics.find((each) => each.name === name)?.value ?? Number.NaN;
  };
  const before = await read();
  await page.evaluate(SCROLL);
  const after = await read();
  const since = (name: string) => after(name) - before(name);
  return { layouts: since("LayoutCount"), ms: 1_000 * since("TaskDuration") };
}

async function openLarge() {
  const user = await app.signUp();
  const lines = Array.from({ length: QUESTIONS }, (_, at) => `- Question ${at}a\n  - Option ${at}a: 1-2-3\n`);
  const id = await importAs(app, user, `# Large\n\n${lines.join("")}`);
  const context = await openBrowser(app);
  const page = await openSignedIn(context, user, `/estimations/${id}`);
  await page.getByRole("treegrid").waitFor();
  await page.getByText("Saved", { exact: true }).waitFor();
  await page.evaluate(WATCH);
  return { context, page };
}

test("an input renders the lines that it changes, each once", async () => {
  const { page } = await openLarge();
  const row = (name: string) => page.locator("[data-row]", { hasText: `${name}a` });
  const idOf = (name: string) => row(name).evaluate<string, HTMLElement>((each) => each.dataset.row ?? "");
  const [first, question, option] = await Promise.all([idOf("Question 0"), idOf("Question 3"), idOf("Option 3")]);
  await row("Question 0").getByRole("gridcell").first().focus();
  await counted(page);
  await keys(page, "ArrowDown", "ArrowUp");
  await until(async () => (await page.evaluate("document.activeElement.textContent")) !== null);
  const moved = await counted(page);
  expect(moved.added).toEqual([]);
  expect(moved.changed).toHaveLength(2);
  expect(moved.changed).toContain(first);

  // A place far away: what shows then is added once, also the line that takes the focus.
  const before = await shownRows(page);
  await keys(page, "Control+End");
  await row(`Option ${QUESTIONS - 1}`).waitFor();
  // In one look, as lines may come and go between two.
  const { after, jumped } = await page.evaluate<{ readonly after: readonly string[]; readonly jumped: Counted }>(
    `({ after: ${SHOWN_ROWS}, jumped: ${COUNTED} })`,
  );
  expect(jumped.added.filter(isTwice)).toEqual([]);
  expect(jumped.added.toSorted()).toEqual(after.filter((id) => !before.includes(id)).toSorted());
  await keys(page, "Control+Home");
  await row("Option 3").waitFor();

  // Hours within the scale of the ranges. The last line is where the focus goes.
  await row("Option 3").getByRole("gridcell").nth(2).focus();
  await page.keyboard.type("2.5");
  await counted(page);
  await keys(page, "Enter");
  const next = await idOf("Question 4");
  await row("Option 3").getByText("2.5", { exact: true }).waitFor();
  await page.getByText("Saved", { exact: true }).waitFor();
  const edited = await counted(page);
  expect(edited.added).toEqual([]);
  expect(edited.changed.toSorted()).toEqual([question, option, next].toSorted());
});

test("a line that scrolls in is rendered once, eight lines are laid out at once, and the processor's time is bounded", async () => {
  const { context, page } = await openLarge();
  const empty = await context.newPage();
  await empty.goto("/api/nothing");
  await empty.evaluate("document.body.style.height = '40000px'");
  const least = (await costOfScrolling(empty)).ms;
  const { layouts, ms } = await costOfScrolling(page);
  const { added } = await counted(page);
  console.log(` scrolling: ${(ms / least).toFixed(1)} times an empty page's processor time, ${layouts} layouts`);
  expect(added.filter(isTwice)).toEqual([]);
  const scrolled = (FRAMES * SPEED) / ROW_HEIGHT;
  expect(added.length).toBeGreaterThan(scrolled - 2 * STEP);
  expect(added.length).toBeLessThan(scrolled + 2 * STEP);
  // Each time what scrolled in and what it moves.
  expect(layouts).toBeLessThanOrEqual(2 * Math.ceil(scrolled / STEP) + 8);
  expect(ms / least).toBeLessThan(12);
});
