import { unzipSync } from "fflate";
import type { Download, Page } from "playwright-core";
import { expect, test } from "vitest";
import type { Share } from "../../contract/endpoints/shares.ts";
import { start, type TestUser, until } from "../harness.ts";
import { hold, importAs, keys, loadedLater, press } from "./actions.ts";
import { expectAccessibleState, openBrowser, openSignedIn, withoutStream } from "./browser.ts";

const app = await start({ pages: true });

const as = ({ token }: TestUser, method: string, path: string, body?: object) =>
  app.request(method, `/api/${path}`, { token, ...(body === undefined ? {} : { body }) });

/** Makes estimations of these titles, each with one option, and returns their ids; the last is the first in the list. */
async function make(user: TestUser, ...titles: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const title of titles) {
    ids.push(await importAs(app, user, `# ${title}\n\n- Scope\n  - Work: 4\n`));
    app.clock.advance(1_000);
  }
  return ids;
}

/** Opens the list in a browser that does not hear what others do, and selects all that it shows. */
async function selectAll(user: TestUser): Promise<Page> {
  const page = await openSignedIn(await withoutStream(await openBrowser(app)), user);
  await page.getByRole("checkbox").first().check();
  await page.getByRole("button", { name: /^Select all \d+ shown$/ }).click();
  return page;
}

const barOf = (page: Page) => page.getByRole("region", { name: "Selection" });

/** Returns who an estimation is shared with, at what permission. */
async function sharesOf(user: TestUser, id: string): Promise<string[]> {
  const { data } = await as(user, "GET", `estimations/${id}/shares`);
  const shares = (data.shares ?? []) as unknown as readonly Share[];
  return shares.map(({ email, team, permission }) => `${team?.name ?? email} ${permission}`).toSorted();
}

async function bytesOf(file: Download): Promise<Uint8Array> {
  return new Uint8Array(Buffer.concat(await (await file.createReadStream()).toArray()));
}

test("what is selected is shared with a person, and what is not the reader's or failed is named", async () => {
  const [user, other, friend] = [await app.signUp(), await app.signUp(), await app.signUp()];
  const [theirs = ""] = await make(other, "Theirs");
  const { data } = await as(other, "POST", `estimations/${theirs}/shares`, { email: user.email, permission: "edit" });
  await as(user, "POST", `shares/${data.share?.id}/accept`);
  const [one = "", two = "", three = ""] = await make(user, "One", "Two", "Three");
  const page = await selectAll(user);
  const bar = barOf(page);
  await bar.getByText("4 estimations selected").waitFor();
  await bar.getByRole("button", { name: "Share", exact: true }).focus();
  await keys(page, "Enter");
  const dialog = page.getByRole("dialog", { name: "Share 3 estimations" });
  await dialog.getByText("1 of 4 is not yours to share: Theirs.").waitFor();
  await expectAccessibleState(page);
  // What is wrong with the address is said there, once.
  await dialog.getByLabel("Person").fill("nobody@");
  await dialog.getByRole("button", { name: "Share", exact: true }).click();
  await dialog.getByText("Enter a valid e-mail address").waitFor();
  expect(await dialog.getByRole("alert").count()).toBe(0);
  // Gone meanwhile, for which the others do not wait.
  await as(user, "DELETE", `estimations/${two}`);
  await dialog.getByLabel("Person").fill(friend.email);
  await dialog.getByLabel("Permission").selectOption("edit");
  await keys(page, "Enter");
  await dialog.getByText(`2 estimations shared with ${friend.email}.`).waitFor();
  const alert = dialog.getByRole("alert");
  await alert.getByText("1 of 3 failed.").waitFor();
  await alert.getByText("Two: Not found, or not shared with you.").waitFor();
  await expectAccessibleState(page);
  expect([await sharesOf(user, one), await sharesOf(user, three)]).toEqual([
    [`${friend.email} edit`],
    [`${friend.email} edit`],
  ]);
  await as(user, "POST", `estimations/${two}/restore-deleted`);
  await dialog.getByRole("button", { name: "Try again" }).click();
  await dialog.getByText(`1 estimation shared with ${friend.email}.`).waitFor();
  expect(await alert.count()).toBe(0);
  expect(await sharesOf(user, two)).toEqual([`${friend.email} edit`]);
  // Another permission is asked about before it takes anything away.
  await as(user, "POST", `estimations/${one}/shares`, { email: friend.email, permission: "view" });
  await dialog.getByLabel("Permission").selectOption("view");
  await dialog.getByRole("button", { name: "Share", exact: true }).click();
  const question = page.getByRole("dialog", { name: "Change the permission of 2 estimations?" });
  await question
    .getByText(/: (Two|Three) \(Can edit\), (Two|Three) \(Can edit\)\. This makes it “Can view”\./)
    .waitFor();
  await expectAccessibleState(page);
  await question.getByRole("button", { name: "Cancel" }).click();
  await dialog.waitFor();
  expect(await sharesOf(user, two)).toEqual([`${friend.email} edit`]);
  await dialog.getByRole("button", { name: "Share", exact: true }).click();
  await question.getByRole("button", { name: "Change permission" }).click();
  await dialog.getByText(`3 estimations shared with ${friend.email}.`).waitFor();
  for (const id of [one, two, three]) expect(await sharesOf(user, id)).toEqual([`${friend.email} view`]);
  await dialog.getByRole("button", { name: "Close" }).click();
  await dialog.waitFor({ state: "hidden" });
});

test("what is selected is shared with a team, once each where a response is lost, and nobody shares what others own", async () => {
  const [user, other] = [await app.signUp(), await app.signUp()];
  await as(user, "POST", "teams", { name: "Web people" });
  const ids = await make(user, "One", "Two", "Three");
  const page = await selectAll(user);
  const bar = barOf(page);
  await bar.getByRole("button", { name: "Share", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Share 3 estimations" });
  await dialog.getByLabel("Share with").selectOption("Web people");
  expect(await dialog.getByLabel("Person").count()).toBe(0);
  // The second is carried out, but nobody hears of it.
  let sent = 0;
  await page.route(/\/shares$/, async (route) => {
    sent += 1;
    if (sent !== 2) return route.continue();
    await route.fetch();
    await route.abort();
  });
  await dialog.getByRole("button", { name: "Share", exact: true }).click();
  await dialog.getByText("1 estimation shared with Web people.").waitFor();
  await dialog
    .getByRole("alert")
    .getByText(/connection.*2 estimations left\.$/)
    .waitFor();
  await dialog.getByRole("button", { name: "Try again" }).click();
  await dialog.getByText("2 estimations shared with Web people.").waitFor();
  for (const id of ids) expect(await sharesOf(user, id)).toEqual(["Web people view"]);

  const [theirs = ""] = await make(other, "Theirs");
  const { data } = await as(other, "POST", `estimations/${theirs}/shares`, { email: user.email, permission: "edit" });
  await as(user, "POST", `shares/${data.share?.id}/accept`);
  await page.goto("/estimations?access=editor");
  await page.getByRole("checkbox", { name: "Select Theirs" }).check();
  expect(await bar.getByRole("button", { name: "Share", exact: true }).isDisabled()).toBe(true);
});

test("what is selected is downloaded as one archive, one estimation as its file, and nothing is saved by halves", async () => {
  const user = await app.signUp();
  await make(user, "Shop", "shop", "Größe/Preis");
  const page = await selectAll(user);
  await loadedLater(page);
  const bar = barOf(page);
  const download = async (format: string) => {
    await bar.getByRole("button", { name: "Download" }).click();
    await page.getByRole("menuitem", { name: format, exact: true }).click();
  };
  let files = page.waitForEvent("download");
  await download("JSON");
  const archive = await files;
  expect(archive.suggestedFilename()).toMatch(/^Estimations \d{4}-\d\d-\d\d\.zip$/);
  const content = unzipSync(await bytesOf(archive));
  expect(Object.keys(content).toSorted()).toEqual(["Größe Preis.json", "Shop (2).json", "shop.json"]);
  const titles = Object.values(content).map((file) => JSON.parse(new TextDecoder().decode(file)).estimation.title);
  expect(titles.toSorted()).toEqual(["Größe/Preis", "Shop", "shop"]);
  await bar.getByText("3 estimations downloaded.").waitFor();
  await expectAccessibleState(page);

  // A lost connection: what is here already is kept until the rest is.
  let [asked, saved] = [0, 0];
  page.on("download", () => {
    saved += 1;
  });
  await page.route(/\/export\?/, (route) => {
    asked += 1;
    return asked === 2 ? route.abort() : route.continue();
  });
  await download("Excel (.xlsx)");
  await bar
    .getByRole("alert")
    .getByText(/connection.*2 estimations left\.$/)
    .waitFor();
  expect([saved, await bar.getByText(/downloaded\.$/).count()]).toEqual([0, 0]);
  files = page.waitForEvent("download");
  await press(page, "Try again");
  const workbooks = unzipSync(await bytesOf(await files));
  expect(Object.entries(workbooks).map(([name, file]) => [name, String.fromCharCode(...file.slice(0, 2))])).toEqual([
    ["Größe Preis.xlsx", "PK"],
    ["shop.xlsx", "PK"],
    ["Shop (2).xlsx", "PK"],
  ]);
  await bar.getByText("3 estimations downloaded.").waitFor();
  expect(asked).toBe(4);

  await press(page, "Clear selection");
  await page.getByRole("checkbox", { name: "Select Größe/Preis" }).check();
  files = page.waitForEvent("download");
  await download("CSV");
  const csv = await files;
  expect(csv.suggestedFilename()).toBe("Größe Preis.csv");
  expect(new TextDecoder().decode(await bytesOf(csv))).toContain("Work");
});

test("rows are selected from one to another by Shift; what is done with them can be cancelled, and done with the rest", async () => {
  const user = await app.signUp();
  await make(user, "Fifth", "Fourth", "Third", "Second", "First");
  const page = await openSignedIn(await withoutStream(await openBrowser(app)), user);
  const bar = barOf(page);
  await page.getByRole("checkbox", { name: "Select Fourth" }).click();
  await page.getByRole("checkbox", { name: "Select Second" }).click({ modifiers: ["Shift"] });
  await bar.getByText("3 estimations selected").waitFor();
  expect(await page.getByRole("checkbox", { name: "Select Third" }).isChecked()).toBe(true);
  await press(page, "Clear selection");
  await bar.waitFor({ state: "hidden" });
  await page.getByRole("link", { name: "First" }).focus();
  await keys(page, "x", "j", "j", "X");
  await bar.getByText("3 estimations selected").waitFor();

  const held = await hold(page, /\/api\/estimations\/[^/]+$/, "PUT");
  await bar.getByLabel("Add a tag").fill("later");
  await keys(page, "Enter");
  await until(() => held.requests.count === 1);
  await bar.getByText("0 of 3").waitFor();
  expect(await bar.getByRole("button", { name: "Move to trash" }).isDisabled()).toBe(true);
  await expectAccessibleState(page);
  await press(page, "Cancel");
  held.release();
  await bar.getByText("#later added to 1 estimation.").waitFor();
  await bar.getByText("Stopped, with 2 estimations left.").waitFor();
  expect(held.requests.count).toBe(1);
  const tagged = async () => (await as(user, "GET", "estimations?tag=later")).data.estimations?.length;
  expect(await tagged()).toBe(1);
  await press(page, "Go on");
  await bar.getByText("#later added to 2 estimations.").waitFor();
  expect(await tagged()).toBe(3);

  // Also where nothing is left in the list, what was moved to the trash is brought back.
  await press(page, "Select all 5 shown");
  await press(page, "Move to trash");
  await page.getByRole("heading", { name: "No estimations yet" }).waitFor();
  await bar.getByText("5 estimations moved to trash.").waitFor();
  await press(page, "Undo");
  await page.getByRole("link", { name: "Fifth" }).waitFor();
  await expect.poll(() => page.locator("[data-entry]").count()).toBe(5);
  expect((await as(user, "GET", "estimations")).data.estimations).toHaveLength(5);
});

test("a run stops where the limit of requests is reached, and goes on with the rest when it may", async () => {
  const limited = await start({ pages: true, config: { rateLimitPerMinute: 60 } });
  const { token } = await limited.signUp();
  const send = (method: string, path: string, body?: object) =>
    limited.request(method, `/api/${path}`, { token, ...(body === undefined ? {} : { body }) });
  for (const title of ["Third", "Second", "First"]) await send("POST", "estimations", { title });
  const user = { token } as TestUser;
  const page = await openSignedIn(await withoutStream(await openBrowser(limited)), user);
  await page.getByRole("checkbox").first().check();
  await press(page, "Select all 3 shown");
  let sent = 0;
  await page.route(/\/api\/estimations\/[^/]+$/, async (route) => {
    sent += route.request().method() === "PUT" ? 1 : 0;
    if (sent === 2) while ((await send("GET", "auth/me")).status !== 429);
    await route.continue();
  });
  const bar = barOf(page);
  await bar.getByLabel("Add a tag").fill("later");
  await keys(page, "Enter");
  await bar.getByText("#later added to 1 estimation.").waitFor();
  await bar
    .getByRole("alert")
    .getByText(/^Too many attempts\. Try again in \d+ seconds\. 2 estimations left\.$/)
    .waitFor();
  expect(sent).toBe(2);
  limited.clock.advance(60_000);
  await bar.getByRole("button", { name: "Try again" }).click();
  await bar.getByText("#later added to 2 estimations.").waitFor();
  expect((await send("GET", "estimations?tag=later")).data.estimations).toHaveLength(3);
});

test("as many are selected as a run takes, and one more is refused", async () => {
  const user = await app.signUp();
  for (let count = 0; count < 501; count += 1) await as(user, "POST", "estimations", { title: `Estimation ${count}` });
  const page = await openSignedIn(await withoutStream(await openBrowser(app)), user);
  for (let shown = 50; shown <= 500; shown += 50) {
    await page.getByText(`${shown} estimations shown`, { exact: true }).waitFor();
    await press(page, "Show more");
  }
  await page.getByText("501 estimations", { exact: true }).waitFor();
  await page.getByRole("checkbox").first().check();
  await press(page, "Select all 501 shown");
  const bar = barOf(page);
  await bar.getByText("501 estimations selected").waitFor();
  await bar.getByText("Select at most 500 to change, share or download them.").waitFor();
  const remove = bar.getByRole("button", { name: "Move to trash" });
  const share = bar.getByRole("button", { name: "Share", exact: true });
  expect([await remove.isDisabled(), await share.isDisabled()]).toEqual([true, true]);
  expect(await bar.getByRole("button", { name: "Download" }).count()).toBe(0);
  await page.getByRole("checkbox").first().uncheck();
  await bar.getByText("500 estimations selected").waitFor();
  expect([await remove.isDisabled(), await share.isDisabled()]).toEqual([false, false]);
  expect(await bar.getByRole("button", { name: "Download" }).count()).toBe(1);
  await bar.getByLabel("Add a tag").fill("all");
  await keys(page, "Enter");
  await bar.getByText("#all added to 500 estimations.").waitFor();
});
