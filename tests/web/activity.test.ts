import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { limits } from "../../contract/limits.ts";
import { start, type TestUser, until } from "../harness.ts";
import { importAs, keys, press } from "./actions.ts";
import { expectAccessibleState, openBrowser, openSignedIn } from "./browser.ts";
import { tabTo } from "./keyboard.ts";

const app = await start({ pages: true });

/** A zone in which it is about noon, so that no day ends during a test. */
function zoneAtNoon(): string {
  const ahead = 12 - new Date().getUTCHours();
  return `Etc/GMT${ahead > 0 ? "-" : "+"}${Math.abs(ahead)}`;
}

interface OptionJson {
  readonly id: string;
  readonly title: string;
}

/** An estimation of Olga, in which Eddie edits too. */
async function setScene() {
  const [owner, editor] = [await app.signUp(), await app.signUp()];
  for (const [{ token }, name] of [
    [owner, "Olga Owner"],
    [editor, "Eddie Editor"],
  ] as const)
    await app.request("PATCH", "/api/auth/me", { token, body: { name } });
  const id = await importAs(app, owner, "# Web shop\n\n- Payment\n  - Card: 40\n  - Invoice: 6\n");
  const send = async (by: TestUser, method: string, below: string, body?: object) => {
    const path = below.startsWith("/api/") ? below : `/api/estimations/${id}${below}`;
    const { status, data, text } = await app.request(method, path, { token: by.token, ...(body && { body }) });
    if (status >= 300) throw new Error(`${method} ${path} returned ${status}: ${text}`);
    return data;
  };
  const { share } = await send(owner, "POST", "/shares", { email: editor.email, permission: "edit" });
  await send(editor, "POST", `/api/shares/${share?.id}/accept`);
  /** Changes the hours of "Invoice". */
  const setInvoice = async (by: TestUser, hours: number) => {
    const { nodes } = (await send(by, "GET", "/tree")).tree as unknown as { nodes: [{ options: OptionJson[] }] };
    const [payment] = nodes;
    const options = payment.options.map((option) => (option.title === "Invoice" ? { ...option, hours } : option));
    await send(by, "PUT", "/tree", { nodes: [{ ...payment, options }] });
  };
  return { owner, editor, id, path: `/estimations/${id}/activity`, send, setInvoice };
}

/** When an entry was gone on with last. */
const LAST = / · last [^·|]+(?= ·|$)/;

/** What the table says, a text for each row: days, the line, and entries without when they were. */
const rows = async (page: Page) =>
  (await page.locator("tbody tr").allInnerTexts()).map((text) =>
    text
      .split(/\s*[\t\n]\s*/)
      .map((cell) => cell.replace(LAST, ""))
      .filter((cell) => cell !== "" && !/^((in )?\d+ \w+( ago)?|now|yesterday)$/.test(cell))
      .join(" | "),
  );

test("who did what stands by day, with the change of hours and links; what others did since the last look is marked", async () => {
  const { owner, editor, path, id, send, setInvoice } = await setScene();
  await app.pool.query(
    "update activity_entries set started_at = started_at - interval '1 day', ended_at = ended_at - interval '1 day' where estimation_id = $1",
    [id],
  );
  await setInvoice(editor, 26);
  const browser = await openBrowser(app, { timezoneId: zoneAtNoon() });
  const page = await openSignedIn(browser, owner, path);
  const row = (name: RegExp) => page.getByRole("row", { name });
  await row(/Eddie Editor edited the tree/).waitFor();
  expect(await rows(page)).toEqual([
    "Today",
    "Eddie Editor | edited the tree or the settings | ▲ +20",
    "Yesterday",
    "Eddie Editor | accepted an invitation",
    `Olga Owner | shared the estimation · ${editor.email}, may edit`,
    "Olga Owner | created the estimation from a file",
  ]);
  // Nobody has looked before.
  expect(await page.getByText("Since you last looked").count()).toBe(0);

  await app.clock.advance(5 * 60_000);
  await setInvoice(editor, 30);
  await app.clock.advance(limits.activityMinutes * 60_000);
  const { version } = await send(owner, "POST", "/versions");
  await app.clock.advance(1_000);
  await setInvoice(editor, 10);
  await page.reload();
  await row(/Eddie Editor edited the tree/)
    .first()
    .waitFor();
  expect(await rows(page)).toEqual([
    "Today",
    "Eddie Editor | edited the tree or the settings | ▼ −20 | Compare with now",
    "Olga Owner | saved a version | Compare with now",
    "↑ Since you last looked",
    "Eddie Editor | edited the tree or the settings · 2 times · more since you last looked | ▲ +24",
    "Yesterday",
    "Eddie Editor | accepted an invitation",
    `Olga Owner | shared the estimation · ${editor.email}, may edit`,
    "Olga Owner | created the estimation from a file",
  ]);
  // Each stands where it began, and says so: what was gone on with meanwhile has its last time beside it.
  const folded = page.getByRole("row", { name: /2 times/ });
  expect(await folded.innerText()).toMatch(LAST);
  const times = await page
    .locator("tbody tr time")
    .evaluateAll((all) => all.map((each) => each.getAttribute("datetime")));
  expect(times.length).toBeGreaterThan(5);
  expect(times).toEqual(times.toSorted().reverse());
  await expectAccessibleState(page);

  // To the comparison by keyboard, where what Eddie did last shows; then everything has been looked at.
  await tabTo(page, "Compare with now");
  await keys(page, "Enter");
  await page
    .getByRole("treegrid")
    .getByRole("row", { name: /Invoice/ })
    .getByText("changed")
    .waitFor();
  expect(page.url().endsWith(`/estimations/${id}/compare?from=${version?.id}`)).toBe(true);
  await page.getByRole("link", { name: "Activity" }).click();
  await row(/saved a version/).waitFor();
  expect(await page.getByText("Since you last looked", { exact: false }).count()).toBe(0);

  // Once there is a version from after it too, an entry leads to what it changed alone.
  await app.clock.advance(1_000);
  const { version: later } = await send(owner, "POST", "/versions");
  await page.reload();
  const both = page.getByRole("link", { name: "Compare", exact: true });
  await both.first().waitFor();
  const addresses = await both.evaluateAll((links) => links.map((link) => link.getAttribute("href")));
  expect(addresses).toContain(`/estimations/${id}/compare?from=${version?.id}&to=${later?.id}`);

  // What one has done oneself is no news, and what one person has looked at is not what another one has.
  await setInvoice(owner, 12);
  await page.reload();
  await row(/Olga Owner edited the tree/).waitFor();
  expect(await page.getByText("Since you last looked").count()).toBe(0);
  const theirs = await openSignedIn(browser, editor, path);
  await theirs.getByRole("row", { name: /Olga Owner edited the tree/ }).waitFor();
  // Only the owner sees who was invited.
  expect(await rows(theirs)).toContain("Olga Owner | shared the estimation");
});

test("older entries are loaded when they are asked for", async () => {
  const { owner, path, send } = await setScene();
  for (let at = 0; at < 50; at += 1) for (const move of ["submit", "reopen"]) await send(owner, "POST", `/${move}`);
  const page = await openSignedIn(await openBrowser(app), owner, path);
  await page.getByText("100 entries", { exact: false }).waitFor();
  expect(await page.getByText("created the estimation from a file").count()).toBe(0);
  await press(page, "Show more");
  await page.getByText("created the estimation from a file").waitFor();
  await page.getByText("103 entries", { exact: true }).waitFor();
});

test("an estimation is downloaded from its menu, by keyboard, with what was just typed", async () => {
  const { owner, editor, id, send } = await setScene();
  const page = await openSignedIn(await openBrowser(app), owner, `/estimations/${id}`);
  const download = async (of: Page, format: string) => {
    const saved = of.waitForEvent("download");
    await of.getByRole("menuitem", { name: format, exact: true }).click();
    const file = await saved;
    return [file.suggestedFilename(), Buffer.concat(await (await file.createReadStream()).toArray()).toString()];
  };
  const cell = page
    .getByRole("row", { name: /Invoice/ })
    .getByRole("gridcell")
    .nth(2);
  await cell.click();
  await keys(page, "9", "9", "Enter");
  await page.getByRole("button", { name: "Other actions" }).focus();
  await keys(page, "Enter");
  await until(async () => (await page.evaluate("document.activeElement?.innerText")) === "JSON");
  const saved = page.waitForEvent("download");
  await keys(page, "ArrowDown", "ArrowUp", "Enter");
  const file = await saved;
  expect(file.suggestedFilename()).toBe("Web shop.json");
  const json = JSON.parse(Buffer.concat(await (await file.createReadStream()).toArray()).toString());
  expect(json.estimation.title).toBe("Web shop");
  expect(json.tree.nodes[0].options[1]).toMatchObject({ title: "Invoice", hours: { likely: 99 } });

  await press(page, "Other actions");
  await page.getByRole("menuitem", { name: "JSON" }).waitFor();
  await expectAccessibleState(page);
  expect(await page.getByRole("menuitem").filter({ visible: true }).allInnerTexts()).toEqual([
    "JSON",
    "CSV",
    "CSV for Excel in German",
    "Markdown",
    "Excel (.xlsx)",
    "Print or save as PDF",
    "Make a template",
  ]);
  const [csvName, csv = ""] = await download(page, "CSV");
  expect([csvName, csv.split("\r\n").filter((line) => line.includes("Invoice")).length]).toEqual(["Web shop.csv", 1]);
  await press(page, "Other actions");
  const [germanName, german = ""] = await download(page, "CSV for Excel in German");
  expect([germanName, german.startsWith("\ufeffpath;node;"), german.includes(";99;")]).toEqual([
    "Web shop.csv",
    true,
    true,
  ]);
  await press(page, "Other actions");
  const [markdownName, markdown] = await download(page, "Markdown");
  expect(markdownName).toBe("Web shop.md");
  expect(markdown).toMatch(/^# Web shop[\s\S]*- Invoice: 6-99-99/);

  // Whoever may only read downloads and prints too, and has no other item, whatever the state.
  await send(owner, "POST", "/submit");
  await send(owner, "POST", "/shares", { email: editor.email, permission: "view" });
  const theirs = await openSignedIn(await openBrowser(app), editor, `/estimations/${id}/activity`);
  await press(theirs, "Other actions");
  await theirs.getByRole("menuitem", { name: "JSON" }).waitFor();
  expect(await theirs.getByRole("menuitem").filter({ visible: true }).count()).toBe(6);
  const [workbookName, workbook] = await download(theirs, "Excel (.xlsx)");
  expect([workbookName, workbook?.slice(0, 2)]).toEqual(["Web shop.xlsx", "PK"]);
});

test("a download that fails says why", async () => {
  const { owner, path } = await setScene();
  const page = await openSignedIn(await openBrowser(app), owner, path);
  await press(page, "Other actions");
  await page.route(/\/export\?/, (route) => route.abort());
  await page.getByRole("menuitem", { name: "CSV", exact: true }).click();
  await page.getByRole("alert").waitFor();
});
