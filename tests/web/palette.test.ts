import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { start, type TestUser, until } from "../harness.ts";
import { importAs, keys, press, saved, storedOutline } from "./actions.ts";
import { BACKGROUNDS, expectAccessible, openBrowser, openSignedIn, showIn, withoutStream } from "./browser.ts";

const app = await start({ pages: true, config: { userDirectory: "open" } });

const SHOP =
  "# Shop\n\n- Payment (choose one)\n  - [x] Card: 4-16-34 @backend\n  - [ ] Invoice: 6\n- Screens\n  - Cart: 3\n";

const as = ({ token }: TestUser, method: string, path: string, body?: object) =>
  app.request(method, `/api/${path}`, { token, ...(body === undefined ? {} : { body }) });

async function signUp(name: string): Promise<TestUser> {
  const user = await app.signUp();
  await as(user, "PATCH", "auth/me", { name });
  return user;
}

const dialog = (page: Page) => page.getByRole("dialog", { name: "Search and commands" });
const options = (page: Page) => dialog(page).getByRole("option");

/** Opens the palette by its keys, types, and waits until `shows` is the first that is found. */
async function lookFor(page: Page, text: string, shows: string | RegExp): Promise<void> {
  await keys(page, "Control+k");
  await dialog(page).waitFor();
  await page.keyboard.type(text);
  await options(page).first().filter({ hasText: shows }).waitFor();
}

test("the timeline and a review give their commands, and their keys stand in the list of keys", async () => {
  const [ada, bob] = [await signUp("Ada"), await signUp("Bob")];
  const id = await importAs(app, ada, SHOP);
  await as(ada, "POST", `estimations/${id}/tasks/generate`);
  await as(ada, "PUT", `estimations/${id}/timeline`, { startDate: "2027-01-04" });
  const { data } = await as(ada, "POST", `estimations/${id}/reviews`, { reviewerId: bob.userId });
  const page = await openSignedIn(await openBrowser(app), ada, `/estimations/${id}/timeline`);
  await page.getByRole("treegrid").waitFor();
  const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await keys(page, "?");
  await sheet.getByText("Let another task wait for this one").waitFor();
  await keys(page, "Escape");
  await lookFor(page, "show mon", "Show months");
  await keys(page, "Enter");
  await until(() => page.getByRole("radio", { name: "Months" }).isChecked());
  await lookFor(page, "people and", "People and days");
  await keys(page, "Enter");
  await page.getByRole("dialog", { name: "People and days" }).waitFor();

  await page.goto(`/estimations/${id}/reviews/${data.review?.id}`);
  await page.getByRole("treegrid").waitFor();
  await keys(page, "?");
  await sheet.getByText("Next line that is not viewed").waitFor();
  await keys(page, "Escape");
  await lookFor(page, "comment on", "Comment on the line");
  await keys(page, "Enter");
  await until(async () => (await page.evaluate("document.activeElement.tagName")) === "TEXTAREA");
});

test("by keyboard alone pages, estimations, templates and people are found, but nobody with whom nothing is shared", async () => {
  const [ada, bob, eve] = [await signUp("Ada Lovelace"), await signUp("Bob Moreau"), await signUp("Eve Moreau")];
  const id = await importAs(app, bob, SHOP);
  const { data } = await as(bob, "POST", `estimations/${id}/shares`, { email: ada.email, permission: "view" });
  await as(ada, "POST", `shares/${data.share?.id}/accept`);
  const own = await importAs(app, ada, "# Portal\n\n- Login\n  - Form: 3\n");
  await as(ada, "POST", "templates", { estimationId: own, name: "Sign-in of a portal" });
  await importAs(app, eve, "# Shop of Eve\n\n- Secret\n  - Thing: 3\n");
  const page = await openSignedIn(await openBrowser(app), ada);
  await page.getByRole("link", { name: "Portal" }).waitFor();

  await lookFor(page, "api k", "API keys");
  await keys(page, "Enter");
  await page.getByRole("heading", { name: "No API keys yet" }).waitFor();
  await lookFor(page, "shop", "Shop");
  expect(await options(page).allInnerTexts()).toEqual([expect.stringMatching(/^Shop\s+Estimation$/)]);
  await keys(page, "Enter");
  await page.getByRole("heading", { name: "Shop", level: 1 }).waitFor();
  await lookFor(page, "sign-in of", "Sign-in of a portal");
  await keys(page, "Enter");
  await page.getByRole("heading", { name: "Sign-in of a portal" }).waitFor();
  // Both people have the text, and the directory is open; only one of them shares something with the reader.
  await lookFor(page, "moreau", "Bob Moreau");
  expect(await options(page).allInnerTexts()).toEqual([expect.stringMatching(/^Bob Moreau\s+Person/)]);
  await keys(page, "Enter");
  await page.getByRole("button", { name: "Show those of every owner" }).getByText("Owner: Bob Moreau").waitFor();
  expect(await page.getByRole("link", { name: "Portal" }).count()).toBe(0);
  await page.getByRole("link", { name: "Shop", exact: true }).waitFor();
  await press(page, "Show those of every owner");
  await page.getByRole("link", { name: "Portal" }).waitFor();
  await keys(page, "Control+k");
  await dialog(page).waitFor();
  await page.keyboard.type("nothing is called so");
  await dialog(page).getByText("No matches").waitFor();
});

test("who types and presses Enter before anything is found opens the first that is", async () => {
  const user = await app.signUp();
  await importAs(app, user, SHOP);
  const page = await openSignedIn(await openBrowser(app), user, "/docs");
  await keys(page, "Control+k");
  await dialog(page).waitFor();
  await page.keyboard.type("shop");
  await keys(page, "Enter");
  await page.getByRole("heading", { name: "Shop", level: 1 }).waitFor();
});

test("the commands of an estimation are found on its pages: share, export, role, kind, submit, theme", async () => {
  const user = await app.signUp();
  const id = await importAs(app, user, SHOP);
  const page = await openSignedIn(await openBrowser(app), user, `/estimations/${id}`);
  await page.getByRole("gridcell", { name: "Invoice" }).first().focus();
  await lookFor(page, "@back", "Set the role of Invoice to backend");
  await keys(page, "Enter");
  await saved(page);
  await expect.poll(() => storedOutline(app, user, id)).toMatch(/Invoice: 6.*@backend/);
  await page.getByRole("gridcell", { name: "Invoice" }).first().focus();
  await lookFor(page, "role design", "Set the role of Invoice to design");
  await keys(page, "Enter");
  await saved(page);
  await expect.poll(() => storedOutline(app, user, id)).toMatch(/Invoice: 6.*@design/);
  await page.getByRole("gridcell", { name: "Payment" }).first().focus();
  await lookFor(page, "choose any", "Change Payment to “choose any”");
  await keys(page, "Enter");
  await saved(page);
  await expect.poll(() => storedOutline(app, user, id)).toContain("- Payment (choose any)");
  await lookFor(page, "dark", "Theme: Dark");
  await keys(page, "Enter");
  await until(
    async () => (await page.evaluate("getComputedStyle(document.body).backgroundColor")) === BACKGROUNDS.dark,
  );
  await lookFor(page, "share this", "Share this estimation");
  await keys(page, "Enter");
  await page.getByRole("heading", { name: "Shop", level: 1 }).waitFor();
  await until(() => page.url().endsWith(`/estimations/${id}/shares`));
  await lookFor(page, "submit", "Submit");
  await keys(page, "Enter");
  await page.getByRole("button", { name: "Reopen" }).waitFor();
  await as(user, "POST", `estimations/${id}/tasks/generate`);
  await lookFor(page, "export", "Export tasks");
  await keys(page, "Enter");
  await page.getByRole("dialog", { name: /Export/ }).waitFor();
  expect(new URL(page.url()).hash).toBe("");
});

test("what was used last comes first, and is gone once its user has signed out", async () => {
  const user = await app.signUp();
  await importAs(app, user, SHOP);
  const page = await openSignedIn(await openBrowser(app), user);
  await lookFor(page, "shop", "Shop");
  await keys(page, "Enter");
  await page.getByRole("heading", { name: "Shop", level: 1 }).waitFor();
  await lookFor(page, "trash", "Trash");
  await keys(page, "Enter");
  await page.getByRole("heading", { name: "Trash" }).waitFor();
  await page.reload();
  await page.getByRole("heading", { name: "Trash" }).waitFor();
  await keys(page, "Control+k");
  await dialog(page).waitFor();
  const usedLast = dialog(page).getByRole("group", { name: "Used last" }).getByRole("option");
  await expect
    .poll(() => usedLast.allInnerTexts())
    .toEqual([expect.stringMatching(/^Trash/), expect.stringMatching(/^Shop/)]);
  const kept = () => page.evaluate<string>("JSON.stringify(localStorage)");
  expect(await kept()).toContain("Shop");
  await page.keyboard.type("sign out");
  await keys(page, "Enter");
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  expect(await kept()).not.toContain("Shop");
});

test("the pointer opens it and chooses, and its code is loaded only then", async () => {
  const user = await app.signUp();
  await importAs(app, user, SHOP);
  const page = await openSignedIn(await withoutStream(await openBrowser(app)), user);
  await page.getByRole("link", { name: "Shop" }).waitFor();
  const loaded: string[] = [];
  page.on("request", (request) => loaded.push(request.url()));
  await page.waitForLoadState("networkidle");
  expect(loaded.filter((url) => url.includes("shown-commands"))).toEqual([]);
  await page.getByRole("button", { name: "Search and commands" }).click();
  await dialog(page).waitFor();
  expect(loaded.filter((url) => url.includes("shown-commands"))).not.toEqual([]);
  for (const scheme of ["light", "dark"] as const) {
    await showIn(page, scheme);
    for (const width of [1280, 375]) {
      await page.setViewportSize({ width, height: 720 });
      await expectAccessible(page);
    }
  }
  await options(page).filter({ hasText: "Glossary" }).click();
  await page.getByRole("heading", { name: "Glossary" }).waitFor();
});

test("/ searches the list and ? shows its keys, unless single keys are switched off", async () => {
  const user = await app.signUp();
  await importAs(app, user, SHOP);
  const page = await openSignedIn(await openBrowser(app), user);
  await page.getByRole("link", { name: "Shop" }).waitFor();
  await keys(page, "/");
  await page.keyboard.type("nothing");
  await page.getByRole("heading", { name: "No matches" }).waitFor();
  await keys(page, "Control+a", "Delete", "?");
  await until(async () => (await page.getByRole("searchbox").inputValue()) === "?");
  await keys(page, "Backspace");
  await page.getByRole("link", { name: "Shop" }).waitFor();
  // Escape leaves the empty field, so that the keys of the list work again.
  await keys(page, "Escape", "j");
  await until(() => page.evaluate<boolean>("document.activeElement.innerText === 'Shop'"));
  expect(await page.getByRole("searchbox").inputValue()).toBe("");
  await keys(page, "?");
  const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await sheet.getByText("Ctrl+K", { exact: true }).waitFor();
  await sheet.getByLabel(/Single-key shortcuts/).click();
  await keys(page, "Escape");
  await sheet.waitFor({ state: "hidden" });
  await page.getByRole("link", { name: "Shop" }).focus();
  await keys(page, "/", "?");
  await lookFor(page, "keyboard", "Keyboard shortcuts");
  expect(await sheet.count()).toBe(0);
  await keys(page, "Enter");
  await sheet.waitFor();
});
