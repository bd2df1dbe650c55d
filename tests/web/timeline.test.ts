import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import type { Milestone } from "../../contract/endpoints/milestones.ts";
import type { Timeline } from "../../contract/endpoints/timelines.ts";
import { start, until } from "../harness.ts";
import { importAs, keys, press } from "./actions.ts";
import { expectAccessible, expectAccessibleState, openBrowser, openSignedIn } from "./browser.ts";

const app = await start({ pages: true, at: "2026-12-01T09:30:00Z" });

const OUTLINE = `# Shop

- Screens (choose any)
  - [x] Cart: 30-40-70 @frontend
  - [x] Search: 20-30-60 @frontend
  - [x] Profile: 10-20-40 @frontend
- Server
  - Orders: 40-60-90 @backend
  - Stock: 10-16-30 @backend
`;

/** An estimation with tasks, a start date and a milestone that is too early. */
async function setScene(more: object = { startDate: "2027-01-04" }) {
  const owner = await app.signUp();
  const id = await importAs(app, owner, OUTLINE);
  const send = async (method: string, below: string, body?: object) => {
    const path = `/api/estimations/${id}${below}`;
    const { status, data, text } = await app.request(method, path, { token: owner.token, ...(body && { body }) });
    if (status >= 300) throw new Error(`${method} ${below} returned ${status}: ${text}`);
    return data;
  };
  await send("POST", "/tasks/generate");
  await send("PUT", "/timeline", more);
  await send("POST", "/milestones", { title: "Beta", dueDate: "2027-01-15" });
  const timeline = async () => (await send("GET", "/timeline")).timeline as unknown as Timeline;
  const milestone = async () =>
    ((await send("GET", "/milestones")).milestones as unknown as Milestone[])[0] as Milestone;
  return { owner, id, send, timeline, milestone };
}

const open = async (scene: Awaited<ReturnType<typeof setScene>>, options = {}) =>
  openSignedIn(await openBrowser(app, options), scene.owner, `/estimations/${scene.id}/timeline`);

const row = (page: Page, name: RegExp) => page.getByRole("treegrid").getByRole("row", { name });
const mark = (page: Page, name: RegExp) => page.getByRole("button", { name });
/** The bars: nothing of them is in the accessible tree, since the table says the same. */
const bars = (page: Page) => page.locator("svg[class*=gantt]");

/** What can be scrolled sideways; tests do not know the types of browsers. */
interface Sideways {
  readonly scrollLeft: number;
}

/** How far the bars are scrolled to the right. */
const scrolled = (page: Page) =>
  page.locator("section[class*=bars]").evaluate((view) => (view as unknown as Sideways).scrollLeft);

test("the table and the bars show the same selection, from the mouse and from the keyboard", async () => {
  const page = await open(await setScene());
  await row(page, /Cart/).click();
  await page.getByRole("region", { name: "Selected task" }).getByRole("heading", { name: /Cart/ }).waitFor();
  await keys(page, "ArrowDown");
  await page
    .getByRole("region", { name: "Selected task" })
    .getByRole("heading", { name: /Search/ })
    .waitFor();
  expect(await row(page, /Search/).getAttribute("aria-selected")).toBe("true");
  await bars(page).locator("text", { hasText: "Orders" }).locator("xpath=..").locator("rect").last().click();
  await page.getByRole("region", { name: "Selected task" }).getByRole("heading", { name: "Orders" }).waitFor();
  await expectAccessibleState(page);
});

test("a dependency is made and undone by keys alone, and one that would go round in a circle is refused", async () => {
  const scene = await setScene();
  const page = await open(scene);
  await row(page, /Cart/).click();
  await keys(page, "l", "Escape");
  expect((await scene.timeline()).dependencies).toEqual([]);
  await keys(page, "l", "ArrowDown", "ArrowDown", "Enter");
  await page.getByRole("button", { name: /Doesn’t wait for .*Cart/ }).waitFor();
  await until(async () => (await scene.timeline()).dependencies.length === 1);
  const [made] = (await scene.timeline()).dependencies;
  expect(made).toMatchObject({ type: "finish_to_start", lagHours: 0 });
  // The task that waits is selected: the other way round.
  await row(page, /Profile/).focus();
  await keys(page, "l", "ArrowUp", "ArrowUp", "Enter");
  await page.getByText("These tasks would wait for each other.").waitFor();
  await until(() => page.getByRole("button", { name: "Undo" }).isEnabled());
  await keys(page, "Control+z");
  await until(async () => (await scene.timeline()).dependencies.length === 0);
  await until(() => page.getByRole("button", { name: "Redo" }).isEnabled());
  await keys(page, "Control+y");
  await until(async () => (await scene.timeline()).dependencies.length === 1);
});

test("a dependency is drawn with the mouse from the end of a bar, and Escape gives it up", async () => {
  const scene = await setScene();
  const page = await open(scene);
  await row(page, /Orders/).click();
  const handle = bars(page).locator("g", { hasText: "Orders" }).locator("circle");
  const draw = async (finish: () => Promise<void>) => {
    const from = await handle.boundingBox();
    const to = await row(page, /Profile/).boundingBox();
    if (!from || !to) throw new Error("nothing to draw between");
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    await page.mouse.down();
    await page.mouse.move(from.x + 30, to.y + to.height / 2, { steps: 4 });
    await finish();
  };
  await draw(async () => {
    await keys(page, "Escape");
    await page.mouse.up();
  });
  expect((await scene.timeline()).dependencies).toEqual([]);
  await draw(() => page.mouse.up());
  await until(async () => (await scene.timeline()).dependencies.length === 1);
});

test("the bar of a task that waits moves by keys and by the mouse: it waits longer, in one step", async () => {
  const scene = await setScene();
  const { tasks } = (await scene.send("GET", "/tasks")) as unknown as { tasks: { id: string; title: string }[] };
  const idOf = (title: string) => tasks.find((task) => task.title.includes(title))?.id ?? "";
  const link = { from: idOf("Orders"), to: idOf("Stock") };
  await scene.send("PUT", "/timeline", { dependencies: [link] });
  const start = async () => (await scene.timeline()).items.find(({ taskId }) => taskId === link.to)?.start;
  const lag = async () => (await scene.timeline()).dependencies[0]?.lagHours;
  const before = Date.parse((await start()) ?? "");
  const page = await open(scene);
  await row(page, /Stock/).click();
  await keys(page, "ArrowRight", "Shift+ArrowRight", "Escape");
  await bars(page).locator("text", { hasText: "Stock" }).waitFor();
  expect(await lag()).toBe(0);
  // A week later is the same time on the same day of the week.
  await keys(page, "ArrowRight", "Shift+ArrowRight", "ArrowLeft", "Enter");
  await until(async () => (await lag()) === 40);
  expect(Date.parse((await start()) ?? "") - before).toBe(7 * 86_400_000);
  await until(() => page.getByRole("button", { name: "Undo" }).isEnabled());
  const bar = bars(page).locator("g", { hasText: "Stock" }).locator("rect").nth(1);
  await bar.scrollIntoViewIfNeeded();
  const box = await bar.boundingBox();
  if (!box) throw new Error("no bar");
  const drag = async (finish: () => Promise<void>) => {
    await page.mouse.move(box.x + 4, box.y + 6);
    await page.mouse.down();
    // A week of 18 px a day back.
    await page.mouse.move(box.x + 4 - 7 * 18, box.y + 6, { steps: 6 });
    await bars(page).locator("text", { hasText: "starts" }).waitFor();
    await finish();
  };
  await drag(async () => {
    await keys(page, "Escape");
    await page.mouse.up();
  });
  expect(await lag()).toBe(40);
  await drag(() => page.mouse.up());
  await until(async () => (await lag()) === 0);
  for (const hours of [40, 0]) {
    await until(() => page.getByRole("button", { name: "Undo" }).isEnabled());
    await press(page, "Undo");
    await until(async () => (await lag()) === hours);
  }
  expect(await page.getByRole("button", { name: "Undo" }).isDisabled()).toBe(true);
});

test("a moved bar skips days off, is not moved by a finger, and is where it belongs whatever else changes", async () => {
  const scene = await setScene();
  const { tasks } = (await scene.send("GET", "/tasks")) as unknown as { tasks: { id: string; title: string }[] };
  const idOf = (title: string) => tasks.find((task) => task.title.includes(title))?.id ?? "";
  const link = { from: idOf("Orders"), to: idOf("Stock"), type: "finish_to_start" };
  await scene.send("PUT", "/timeline", { dependencies: [link] });
  const item = (await scene.timeline()).items.find(({ taskId }) => taskId === link.to);
  const start = Date.parse(item?.start ?? "");
  expect(new Date(start).getUTCDay()).toBe(5);
  const written = new Intl.DateTimeFormat("en-GB", {
    ...{ day: "numeric", month: "short", year: "numeric" },
    timeZone: "UTC",
  });
  const starts = (days: number) => label(`starts ${written.format(start + days * 86_400_000)}`);
  const page = await open(scene);
  const bar = bars(page).locator("g", { hasText: "Stock" }).locator("rect").last();
  const label = (text: string) => bars(page).locator("text", { hasText: text });
  const x = async () => Number(await bar.getAttribute("x"));
  const touch = (type: string, clientX: number) =>
    bar.dispatchEvent(type, { pointerType: "touch", pointerId: 7, button: 0, clientX, bubbles: true });
  await label("Stock").waitFor();
  // A change gives up what is still being loaded, such as the first forecast, until it is stored.
  await mark(page, /Beta, 15 Jan 2027/).waitFor();
  const begin = await x();
  await touch("pointerdown", 100);
  await touch("pointermove", 200);
  await touch("pointerup", 200);
  await row(page, /Stock/).click();
  // To the next Friday, to the Monday after it, and back.
  await keys(page, "Shift+ArrowRight");
  await starts(7).waitFor();
  expect(await x()).toBe(begin + 7 * 18);
  await keys(page, "ArrowRight");
  await starts(10).waitFor();
  await keys(page, "ArrowLeft");
  await starts(7).waitFor();
  // Something else changes while it is stored.
  let store = () => {};
  const held = new Promise<void>((resolve) => {
    store = resolve;
  });
  await page.route("**/timeline", async (route) => {
    if (route.request().method() === "PUT") await held;
    await route.continue();
  });
  await keys(page, "Enter");
  await page.getByRole("status").filter({ hasText: "Saving" }).waitFor();
  await mark(page, /Beta, 15 Jan 2027/).focus();
  await keys(page, "ArrowRight", "Enter");
  store();
  await until(async () => (await scene.milestone()).dueDate === "2027-01-16");
  await label("Stock").waitFor();
  await until(async () => (await x()) === begin + 7 * 18);
});

test("a milestone moves by keys and by the mouse, each time as one step, and shows how likely it is", async () => {
  const scene = await setScene();
  const page = await open(scene);
  await mark(page, /Beta, 15 Jan 2027/).focus();
  await page.locator("[popover]:popover-open", { hasText: "80%" }).waitFor();
  await keys(page, "ArrowRight", "Shift+ArrowRight", "Escape");
  await mark(page, /Beta, 15 Jan 2027/).waitFor();
  await keys(page, "ArrowRight", "Shift+ArrowRight", "ArrowLeft", "Enter");
  await until(async () => (await scene.milestone()).dueDate === "2027-01-22");
  const box = await mark(page, /Beta, 22 Jan 2027/).boundingBox();
  if (!box) throw new Error("no mark");
  await page.mouse.move(box.x + 12, box.y + 12);
  await page.mouse.down();
  // Four days of 18 px.
  await page.mouse.move(box.x + 12 + 4 * 18, box.y + 12, { steps: 6 });
  await page.mouse.up();
  await until(async () => (await scene.milestone()).dueDate === "2027-01-26");
  for (const before of ["2027-01-22", "2027-01-15"]) {
    await until(() => page.getByRole("button", { name: "Undo" }).isEnabled());
    await press(page, "Undo");
    await until(async () => (await scene.milestone()).dueDate === before);
  }
  const { probability } = (await scene.milestone()).forecast ?? {};
  await page
    .getByText(`${Math.round(Number(probability) * 100)}% by 15 Jan 2027`)
    .first()
    .waitFor();
  expect(await page.getByRole("button", { name: "Undo" }).isDisabled()).toBe(true);
});

test("what would it take is found, cancelled, and applied: people first, then less scope", async () => {
  const scene = await setScene();
  await scene.send("PATCH", `/milestones/${(await scene.milestone()).id}`, { dueDate: "2027-01-22" });
  const page = await open(scene);
  await press(page, "What would it take?");
  const dialog = page.getByRole("dialog");
  await dialog.getByText(/likely as things are/).waitFor();
  await expectAccessibleState(page);
  await dialog.getByRole("button", { name: "Use these people" }).click();
  await until(async () => (await scene.timeline()).people.length > 0);
  await until(async () => Number((await scene.milestone()).forecast?.probability) >= 0.75);
  await until(() => page.getByRole("button", { name: "Undo" }).isEnabled());
  await press(page, "Undo");
  await until(async () => (await scene.timeline()).people.length === 0);

  // The answer never comes: the request ends when it is cancelled.
  await page.route(/what-would-it-take/, () => {});
  await press(page, "What would it take?");
  const failed = page.waitForEvent("requestfailed", (request) => request.url().includes("what-would-it-take"));
  await dialog.getByText("Looking for it").waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await failed;
  await dialog.getByText("Cancelled.").waitFor();
  await page.unroute(/what-would-it-take/);
  await dialog.getByRole("button", { name: "Look again" }).click();
  await dialog
    .getByText(/Screens: without/)
    .first()
    .waitFor();
  await dialog.getByRole("button", { name: /^Leave out/ }).click();
  await dialog.waitFor({ state: "hidden" });
  const { tasks } = await scene.send("GET", "/tasks");
  expect((tasks as unknown as unknown[]).length).toBeLessThan(6);
});

test("people, days and a country's holidays are changed in one step", async () => {
  const scene = await setScene();
  const page = await open(scene);
  await press(page, "People and days");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("People: frontend").fill("3");
  await dialog.getByLabel("Focus").fill("70");
  await dialog.getByRole("checkbox", { name: "Fri" }).uncheck();
  await dialog.getByLabel("Country").selectOption("DE");
  await dialog.getByLabel("Region").selectOption("BY");
  await dialog.getByRole("button", { name: "Add public holidays 2027–2029" }).click();
  await dialog.getByText("Good Friday").first().waitFor();
  await dialog.getByRole("button", { name: "Remove 6 Jan 2027" }).click();
  await expectAccessible(page, undefined, []);
  await dialog.getByRole("button", { name: "Save" }).click();
  await until(async () => (await scene.timeline()).focusFactor === 0.7);
  const { people, weeklyPattern, holidays, holidayPlace } = await scene.timeline();
  expect(holidayPlace).toEqual({ country: "DE", region: "BY" });
  // Above the chart a day says what it is called; the day that was removed is none any more.
  const days = page.getByRole("list", { name: "Public holidays" }).getByRole("listitem");
  await days.filter({ hasText: "New Year's Day" }).first().waitFor();
  expect(await days.filter({ hasText: "Epiphany" }).count()).toBe(0);
  await expectAccessible(page, undefined, []);
  expect([people, weeklyPattern.friday]).toEqual([[{ role: "frontend", count: 3 }], 0]);
  expect([holidays.includes("2027-01-06"), holidays.includes("2029-12-25")]).toEqual([false, true]);
  await until(() => page.getByRole("button", { name: "Undo" }).isEnabled());
  await press(page, "Undo");
  await until(async () => (await scene.timeline()).focusFactor === 0.8);
  expect((await scene.timeline()).holidays).toEqual([]);
});

test("a holiday is named with the mouse, the keyboard and a finger, with all that the day is called", async () => {
  const scene = await setScene();
  await scene.send("PUT", "/timeline", {
    ...{ startDate: "2027-01-04", holidayPlace: { country: "DE", region: "BY" } },
    holidays: ["2027-01-06", "2027-03-26", "2027-03-29"],
  });
  await scene.send("POST", "/milestones", { title: "Launch", dueDate: "2027-04-30" });
  const page = await open(scene, { hasTouch: true, viewport: { width: 1100, height: 800 } });
  await page.route("**/api/holidays?*", async (route) => {
    const response = await route.fetch();
    const { data, ...more } = await response.json();
    data.holidays.push({ date: "2027-01-06", name: "Three Kings" });
    await route.fulfill({ response, json: { ...more, data } });
  });
  await page.reload();
  const tooltip = page.getByRole("tooltip");
  const days = page.getByRole("list", { name: "Public holidays" }).getByRole("listitem");
  await days.first().hover();
  await tooltip.getByText("6 Jan 2027: Epiphany, Three Kings").waitFor();
  await page.mouse.move(5, 5);
  await tooltip.waitFor({ state: "hidden" });
  await days.first().tap();
  await tooltip.getByText("Epiphany").waitFor();
  await keys(page, "Escape");
  await tooltip.waitFor({ state: "hidden" });
  // One stop of the keyboard, and a day that does not show comes into view with its column.
  const first = await days.first().evaluate((day) => (day as unknown as { tabIndex: number }).tabIndex);
  const second = await days.nth(1).evaluate((day) => (day as unknown as { tabIndex: number }).tabIndex);
  expect([first, second]).toEqual([0, -1]);
  await days.first().focus();
  await keys(page, "ArrowRight");
  await tooltip.getByText("26 Mar 2027: Good Friday").waitFor();
  await until(
    async () =>
      (await scrolled(page)) ===
      (await page.locator("div[class*=axis]").evaluate((view) => (view as unknown as Sideways).scrollLeft)),
  );
});

test("a finger that begins on a bar scrolls the chart, and neither selects nor moves it; a tap selects", async () => {
  const scene = await setScene();
  const before = await scene.timeline();
  const page = await open(scene, { hasTouch: true, viewport: { width: 1100, height: 800 } });
  await row(page, /Cart/).click();
  const bar = bars(page).locator("g", { hasText: "Orders" }).locator("rect").last();
  await bar.waitFor();
  const begin = await scrolled(page);
  const { x, y } = (await bar.boundingBox()) ?? { x: 0, y: 0 };
  const session = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", by = 0) =>
    session.send("Input.dispatchTouchEvent", {
      ...{ type, touchPoints: type === "touchEnd" ? [] : [{ x: x + 80 - by, y: y + 5 }] },
    });
  await touch("touchStart");
  for (let by = 10; by <= 70; by += 10) await touch("touchMove", by);
  await touch("touchEnd");
  await until(async () => (await scrolled(page)) > begin + 30);
  expect(await row(page, /Cart/).getAttribute("aria-selected")).toBe("true");
  await bar.tap();
  await page.getByRole("region", { name: "Selected task" }).getByRole("heading", { name: "Orders" }).waitFor();
  expect((await scene.timeline()).items).toEqual(before.items);
});

test("without a start date it asks for one; readers see the schedule and change nothing", async () => {
  const scene = await setScene({ timeZone: "Europe/Berlin" });
  const page = await open(scene);
  await page.getByLabel("First day of work").fill("2027-02-01");
  await press(page, "Schedule");
  await row(page, /Orders.*1 Feb 2027/).waitFor();
  const reader = await app.signUp();
  const { share } = await scene.send("POST", "/shares", { email: reader.email, permission: "view" });
  await app.request("POST", `/api/shares/${share?.id}/accept`, { token: reader.token });
  const other = await openSignedIn(await openBrowser(app), reader, `/estimations/${scene.id}/timeline`);
  await row(other, /Orders/).click();
  await other.getByRole("region", { name: "Selected task" }).waitFor();
  for (const name of ["Undo", "People and days", "Milestone"])
    expect(await other.getByRole("button", { name, exact: true }).count()).toBe(0);
});

test("the submitted version shows below the bars, and the picture has every task", async () => {
  const scene = await setScene();
  await scene.send("POST", "/submit");
  await scene.send("PUT", "/timeline", { startDate: "2027-02-01" });
  const page = await open(scene);
  await page.getByLabel("Submitted version").check();
  await until(async () => (await bars(page).locator("rect[class*=before]").count()) === 5);
  await page.getByLabel("Submitted version").uncheck();
  await until(async () => (await bars(page).locator("rect[class*=before]").count()) === 0);
  for (const kind of ["SVG", "PNG"]) {
    await press(page, "Export image");
    const saved = page.waitForEvent("download");
    await page.getByRole("menuitem", { name: kind }).click();
    const stream = await (await saved).createReadStream();
    const bytes = Buffer.concat(await stream.toArray());
    if (kind === "PNG") expect(bytes.subarray(1, 4).toString()).toBe("PNG");
    else for (const title of ["Cart", "Stock", "Beta"]) expect(bytes.toString()).toContain(title);
  }
});

test("on a phone it is a list", async () => {
  const scene = await setScene();
  const page = await open(scene, { viewport: { width: 375, height: 800 }, hasTouch: true });
  await row(page, /Orders/).click();
  await page.getByRole("region", { name: "Selected task" }).waitFor();
  expect(await bars(page).count()).toBe(0);
  await expectAccessibleState(page);
});
