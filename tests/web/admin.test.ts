import { expect, test } from "vitest";
import { start, until } from "../harness.ts";
import { press } from "./actions.ts";
import { expectAccessible, openBrowser, openSignedIn } from "./browser.ts";
import { tabTo } from "./keyboard.ts";

const app = await start({ pages: true, worker: true, config: { rateLimitAuthPerMinute: 1_000 } });
const appoint = async ({ userId }: { userId: string }) => {
  await app.pool.query("update users set is_administrator = true where id = $1", [userId]);
};
const statusOf = async (token: string) => (await app.request("GET", "/api/auth/me", { token })).status;

test("a link to all users empties the search, which does not come back", async () => {
  const [administrator, user] = [await app.signUp(), await app.signUp()];
  await app.request("PATCH", "/api/auth/me", { token: user.token, body: { name: "Searched User" } });
  await appoint(administrator);
  const page = await openSignedIn(await openBrowser(app), administrator, "/admin/users?q=searched");
  const field = page.getByRole("searchbox", { name: "Search by name or e-mail" });
  await until(async () => (await page.getByRole("row").count()) === 2);
  await page.clock.install();
  await page.getByRole("link", { name: "Users", exact: true }).click();
  await until(async () => (await page.getByRole("row").count()) > 2);
  await page.clock.fastForward(1_000);
  expect([await field.inputValue(), new URL(page.url()).search]).toEqual(["", ""]);
});

test("by keyboard alone an administrator finds a user, signs in again after 15 minutes, and disables the account", async () => {
  const [administrator, user] = [await app.signUp(), await app.signUp()];
  await app.request("PATCH", "/api/auth/me", { token: user.token, body: { name: "Noor Haddad" } });
  await appoint(administrator);
  const page = await openSignedIn(await openBrowser(app), administrator);
  await tabTo(page, `Account of ${administrator.email.split("@")[0]}`);
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "Administration" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Users" }).waitFor();
  await tabTo(page, "Search by name or e-mail");
  await page.keyboard.type("noor");
  await until(async () => (await page.getByRole("row").count()) === 2);
  // Before the focus is there, which loads the page ahead.
  await app.clock.advance(15 * 60_000 + 1);
  await tabTo(page, "Noor Haddad");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.getByText("more than 15 minutes old").waitFor();
  await expectAccessible(page);
  await page.keyboard.type("not the password");
  await page.keyboard.press("Enter");
  await dialog.getByRole("alert").getByText("Wrong e-mail address or password.").waitFor();
  await page.getByLabel("Password", { exact: true }).fill(administrator.password);
  await page.keyboard.press("Enter");
  await page.getByText("Quotas in use").waitFor();
  await dialog.waitFor({ state: "hidden" });
  // The session that it takes the place of has ended.
  await until(async () => (await statusOf(administrator.token)) === 401);
  await page.getByRole("button", { name: "Actions for Noor Haddad" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "Disable" }).focus();
  await page.keyboard.press("Enter");
  await dialog.getByText("They’re signed out and can’t sign in.").waitFor();
  await tabTo(page, "Disable");
  await page.keyboard.press("Enter");
  await page.getByText("Account disabled.").waitFor();
  expect(await statusOf(user.token)).toBe(401);
  await page.getByRole("link", { name: "See what happened to this account" }).click();
  await page.getByRole("row", { name: /^Account disabled/ }).waitFor();
  await page.getByRole("row", { name: /^Signed in/ }).waitFor();
  await press(page, "Clear filters (of one user)");
  await page.getByLabel("Event").selectOption("Account disabled");
  await until(async () => (await page.getByRole("row").count()) === 2);
  await page.goto(`/admin/users/${administrator.userId}`);
  await page.getByRole("link", { name: "What they did to other accounts" }).click();
  await page.getByRole("row", { name: /^Account disabled Noor Haddad/ }).waitFor();
  expect(await page.getByRole("row", { name: /^Signed in/ }).count()).toBe(0);
  await press(page, "Clear filters (by one user)");
});

test("estimations are handed over to a user by address, and an unknown or unfit one is said at its field", async () => {
  const [administrator, user, heir] = [await app.signUp(), await app.signUp(), await app.signUp()];
  await appoint(administrator);
  const { data } = await app.request("POST", "/api/estimations", { token: user.token, body: { title: "Portal" } });
  const page = await openSignedIn(await openBrowser(app), administrator, `/admin/users/${user.userId}`);
  await page.getByRole("button", { name: "Actions for" }).first().click();
  await page.getByRole("menuitem", { name: "Hand over estimations" }).click();
  const field = page.getByLabel("New owner");
  const submit = page.getByRole("dialog").getByRole("button", { name: "Hand over estimations" });
  await field.fill("nobody@example.org");
  await submit.click();
  await page.getByText("No user has this e-mail address.").waitFor();
  await field.fill(administrator.email);
  await submit.click();
  await until(async () => (await page.getByText("No user has this e-mail address.").count()) === 0);
  expect(await page.getByRole("dialog").count()).toBe(1);
  await expectAccessible(page);
  await field.fill(heir.email);
  await submit.click();
  await page.getByText("Handing over.", { exact: true }).waitFor();
  await until(async () => {
    const path = `/api/estimations/${data.estimation?.id}`;
    return (await app.request("GET", path, { token: heir.token })).status === 200;
  });
  expect(await page.getByText("Portal").count()).toBe(0);
});

test("who is no administrator finds neither the pages nor the way to them", async () => {
  const user = await app.signUp();
  const page = await openSignedIn(await openBrowser(app), user, "/admin/users");
  await page.getByRole("heading", { name: "Page not found" }).waitFor();
  await page.getByRole("button", { name: "Account of" }).first().click();
  await page.getByRole("menuitem", { name: /^Sign out/ }).waitFor();
  expect(await page.getByRole("menuitem", { name: "Administration" }).count()).toBe(0);
});

test("a user sees where the account is used, and ends another session", async () => {
  const user = await app.signUp();
  const headers = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0" };
  const body = { email: user.email, password: user.password };
  const elsewhere = String((await app.request("POST", "/api/auth/login", { body, headers })).data.token);
  const page = await openSignedIn(await openBrowser(app), user, "/profile/security");
  const row = page.getByRole("row", { name: /^Firefox on Linux/ });
  await row.getByText("127.0.0.1").waitFor();
  expect(await page.getByText("(this one)").count()).toBe(1);
  await tabTo(page, "End Firefox on Linux");
  await page.keyboard.press("Enter");
  await expectAccessible(page);
  await page.getByRole("dialog").getByRole("button", { name: "End" }).click();
  await row.waitFor({ state: "detached" });
  expect([await statusOf(elsewhere), await statusOf(user.token)]).toEqual([401, 200]);
});
