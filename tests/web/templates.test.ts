import { expect, test } from "vitest";
import { start, type TestUser, until } from "../harness.ts";
import { importAs, keys, press, storedOutline } from "./actions.ts";
import { expectAccessibleState, openBrowser, openSignedIn } from "./browser.ts";

const app = await start({ pages: true });

const SHOP = `# Web shop

- Payment (choose one)
  - [x] Card: 4-8-18
  - [ ] Invoice: 6
- Screens
  - Cart: 3
`;

const as = ({ token }: TestUser, method: string, path: string, body?: object) =>
  app.request(method, `/api/${path}`, { token, ...(body === undefined ? {} : { body }) });

async function signUp(name: string): Promise<TestUser> {
  const user = await app.signUp();
  await as(user, "PATCH", "auth/me", { name });
  return user;
}

/** Makes a team of `admin` with `member`, and returns its id. */
async function makeTeam(admin: TestUser, member: TestUser): Promise<string> {
  const teamId = String((await as(admin, "POST", "teams", { name: "Web team" })).data.team?.id);
  await as(admin, "POST", `teams/${teamId}/invitations`, { email: member.email, role: "member" });
  await as(member, "POST", `teams/${teamId}/accept`);
  return teamId;
}

const makeTemplate = async (user: TestUser, estimationId: string, more: object = {}) =>
  String((await as(user, "POST", "templates", { estimationId, name: "Web shop", ...more })).data.template?.id);

test("by keyboard alone an edited estimation becomes a template, which is looked at, renamed, and shown to a team that uses it", async () => {
  const [ada, bob] = [await signUp("Ada"), await signUp("Bob")];
  await makeTeam(ada, bob);
  const id = await importAs(app, ada, SHOP);
  const page = await openSignedIn(await openBrowser(app), ada, `/estimations/${id}`);
  // What was just typed is part of the template.
  await page.getByRole("gridcell", { name: "Cart" }).first().focus();
  await keys(page, "F2", "Control+A");
  await page.keyboard.type("Basket");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Other actions" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "Make a template" }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Make a template" });
  await dialog.waitFor();
  await until(async () => (await page.evaluate("document.activeElement.value")) === "Web shop");
  await page.keyboard.press("Control+A");
  await page.keyboard.type("Shop");
  await page.keyboard.press("Enter");

  await page.getByRole("heading", { name: "Shop", level: 1 }).waitFor();
  const adds = page.getByRole("region", { name: "What it adds" });
  await expect
    .poll(() => adds.innerText())
    .toMatch(/Payment[\s\S]*Card\s+4–8–18[\s\S]*Invoice\s+6[\s\S]*Screens[\s\S]*Basket\s+3/);
  // Either option may be chosen, or none: 3 h of screens, and up to 9 h of a card.
  await expect.poll(() => page.locator("dl").innerText()).toMatch(/Expected hours\s+3 to 12\s[\s\S]*Only you/);

  await page.getByRole("button", { name: "Actions for Shop" }).focus();
  await keys(page, "Enter", "Enter");
  await page.getByRole("dialog", { name: "Edit the template" }).waitFor();
  await page.keyboard.press("Control+A");
  await page.keyboard.type("Every shop");
  await page.keyboard.press("Tab");
  await page.keyboard.type("Payment and screens");
  await keys(page, "Tab", "ArrowDown");
  await page.getByRole("combobox", { name: "Team" }).waitFor();
  await keys(page, "Tab", "Tab", "Tab", "Enter");
  await page.getByRole("heading", { name: "Every shop", level: 1 }).waitFor();
  await page.getByText("Web team").waitFor();

  // A member finds it, sees whose it is, and can do nothing to it.
  const theirs = await openSignedIn(await openBrowser(app), bob);
  await theirs.getByRole("link", { name: "Templates" }).first().click();
  const row = theirs.getByRole("row", { name: "Every shop" });
  expect(await row.innerText()).toMatch(/Payment and screens\s+2 questions, 3 options\s+Web team\s+Ada/);
  expect(await row.getByRole("button").count()).toBe(0);
  await row.getByRole("link", { name: "Every shop" }).focus();
  await theirs.keyboard.press("Enter");
  await theirs.getByRole("link", { name: "New estimation from it" }).focus();
  await theirs.keyboard.press("Enter");
  await theirs.getByRole("region", { name: "Preview" }).getByText("Basket").waitFor();
  await theirs.getByLabel("Title").fill("Bob's shop");
  await theirs.keyboard.press("Enter");
  await theirs.getByRole("heading", { name: "Bob's shop", level: 1 }).waitFor();
  const made = new URL(theirs.url()).pathname.split("/").at(-1) ?? "";
  expect(await storedOutline(app, bob, made)).toContain("Basket");
});

test("the gallery searches, shows only the reader's own, makes one from any estimation, and deletes after saying what happens", async () => {
  const [eve, dan] = [await signUp("Eve"), await signUp("Dan")];
  const id = await importAs(app, eve, SHOP);
  const shown = await importAs(app, dan, "# Portal\n\n- Scope: 5\n");
  await makeTemplate(dan, shown, { name: "Portal for all", visibility: "instance" });
  const page = await openSignedIn(await openBrowser(app), eve, "/templates");
  await page.getByRole("link", { name: "Portal for all" }).waitFor();
  await press(page, "New template");
  await page.getByRole("dialog", { name: "Make a template" }).waitFor();
  const offered = page.getByRole("combobox", { name: "Estimation" }).locator("option");
  await expect.poll(() => offered.allInnerTexts()).toEqual(["Web shop"]);
  await page.getByRole("radio", { name: "Everyone here" }).check();
  await press(page, "Make template");
  await page.getByRole("heading", { name: "Web shop", level: 1 }).waitFor();
  expect((await as(dan, "GET", "templates")).data.templates).toHaveLength(2);

  await page.getByRole("navigation", { name: "Main" }).waitFor();
  await page.getByRole("main").getByRole("link", { name: "Templates" }).click();
  await page.getByRole("combobox", { name: "Show" }).selectOption("Mine");
  await page.getByRole("link", { name: "Portal for all" }).waitFor({ state: "detached" });
  await page.getByRole("combobox", { name: "Show" }).selectOption("All");
  await page.getByRole("searchbox", { name: "Search by name" }).fill("PORTAL");
  await page.getByRole("link", { name: "Web shop" }).waitFor({ state: "detached" });
  await page.getByRole("link", { name: "Portal for all" }).waitFor();
  await page.reload();
  await page.getByRole("link", { name: "Portal for all" }).waitFor();
  await page.getByRole("searchbox", { name: "Search by name" }).fill("none of them");
  await page.getByText("No templates match.").waitFor();
  await page.getByRole("searchbox", { name: "Search by name" }).fill("");

  await press(page, "Actions for Web shop");
  await page.getByRole("menuitem", { name: "Delete" }).click();
  const asked = page.getByRole("dialog", { name: "Delete “Web shop”?" });
  await asked.getByText("Nobody here can use it any more.").waitFor();
  await page.keyboard.press("Escape");
  await asked.waitFor({ state: "detached" });
  await page.getByRole("link", { name: "Web shop" }).click();
  await press(page, "Actions for Web shop");
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await press(page, "Delete");
  await page.getByRole("heading", { name: "Templates", level: 1 }).waitFor();
  await page.getByRole("link", { name: "Web shop" }).waitFor({ state: "detached" });
  expect((await as(eve, "GET", `estimations/${id}`)).status).toBe(200);
});

test("a template is added to a draft; an admin of its team takes it from there; what is gone says so", async () => {
  const [kim, lea] = [await signUp("Kim"), await signUp("Lea")];
  const teamId = await makeTeam(kim, lea);
  const from = await importAs(app, lea, SHOP);
  const id = await makeTemplate(lea, from, { visibility: "team", teamId });
  const draft = await importAs(app, kim, "# Portal\n\n- Scope: 5\n");
  const page = await openSignedIn(await openBrowser(app), kim, `/templates/${id}`);
  await press(page, "Add to an estimation");
  const dialog = page.getByRole("dialog", { name: "Add to an estimation" });
  await dialog.getByText("2 questions, 3 options are added").waitFor();
  await dialog.getByRole("button", { name: "Add" }).click();
  await page.getByRole("heading", { name: "Portal", level: 1 }).waitFor();
  await page.getByRole("gridcell", { name: "Payment" }).first().waitFor();
  expect(await storedOutline(app, kim, draft)).toMatch(/Scope[\s\S]*Payment/);

  await page.goto("/templates");
  await press(page, "Actions for Web shop");
  await page.getByRole("menuitem", { name: "Take from the team" }).click();
  await page
    .getByRole("dialog", { name: "Take “Web shop” from Web team?" })
    .getByText("Only Lea sees it then.")
    .waitFor();
  await press(page, "Take from the team");
  await page.getByRole("link", { name: "Web shop" }).waitFor({ state: "detached" });
  expect((await as(lea, "GET", `templates/${id}`)).data.template).toMatchObject({ visibility: "private" });
  await page.goto(`/templates/${id}`);
  await page.getByRole("heading", { name: "Template not found" }).waitFor();
});

test("a template is made of a line of the editor with what is below it, and says where it was added", async () => {
  const gil = await signUp("Gil");
  const id = await importAs(app, gil, SHOP);
  const page = await openSignedIn(await openBrowser(app), gil, `/estimations/${id}`);
  await page.getByRole("gridcell", { name: "Payment" }).first().focus();
  await press(page, "More");
  await page.getByRole("menuitem", { name: "Make a template of this line" }).click();
  const dialog = page.getByRole("dialog", { name: "Make a template" });
  await dialog.getByText("Copies “Payment” with everything below it").waitFor();
  expect(await dialog.getByLabel("Name").inputValue()).toBe("Payment");
  await expectAccessibleState(page);
  await press(page, "Make template");
  await page.getByRole("heading", { name: "Payment", level: 1 }).waitFor();
  const adds = page.getByRole("region", { name: "What it adds" });
  await expect.poll(() => adds.innerText()).toMatch(/Payment[\s\S]*Card[\s\S]*Invoice/);
  expect(await adds.innerText()).not.toContain("Screens");
  expect(await page.getByRole("heading", { name: "Recently added to" }).count()).toBe(0);
  const template = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  await as(gil, "POST", `estimations/${id}/apply-template`, { templateId: template, mode: "append" });
  await page.reload();
  const used = page.getByRole("region", { name: "Recently added to" }).getByRole("link", { name: "Web shop" });
  await used.waitFor();
  await expectAccessibleState(page);
  await used.click();
  await page.getByRole("heading", { name: "Web shop", level: 1 }).waitFor();
});

test("of an estimation that is only read a template is made for the reader alone", async () => {
  const [owner, reader] = [await signUp("Owner"), await signUp("Reader")];
  const id = await importAs(app, owner, SHOP);
  const { share } = (await as(owner, "POST", `estimations/${id}/shares`, { email: reader.email, permission: "view" }))
    .data;
  await as(reader, "POST", `shares/${share?.id}/accept`);
  const page = await openSignedIn(await openBrowser(app), reader, "/templates");
  await press(page, "New template");
  await page.getByText("Others can see it only if you can edit the estimation.").waitFor();
  expect(await page.getByRole("radio", { name: "Everyone here" }).isDisabled()).toBe(true);
  await press(page, "Make template");
  await page.getByRole("heading", { name: "Web shop", level: 1 }).waitFor();
  await press(page, "Actions for Web shop");
  await page.getByRole("menuitem", { name: "Edit" }).click();
  await page.getByRole("radio", { name: "Everyone here" }).check();
  await press(page, "Save");
  await page.getByRole("alert").getByText("You don’t have permission to do this.").waitFor();
});
