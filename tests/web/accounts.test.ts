import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page, Route } from "playwright-core";
import { expect, test } from "vitest";
import {
  begin,
  finish,
  newBrowser,
  REDIRECT_URI,
  startPublicApp,
} from "../../server/features/google-sign-in/testing/app.ts";
import { startProvider } from "../../server/features/google-sign-in/testing/real-provider.ts";
import { start, until } from "../harness.ts";
import { makeJobsDue } from "../support/jobs.ts";
import { read, tokenIn } from "../support/mail-server.ts";
import { loadedLater, press } from "./actions.ts";
import { expectAccessible, openBrowser, openSignedIn, signIn } from "./browser.ts";

const app = await start({ pages: true, worker: true });

/** Returns the token of the mail with this subject to `email`, once it is written. */
async function mailedToken(email: string, subject: string): Promise<string> {
  const folder = join(app.services.config.dataDir, "mail");
  await makeJobsDue(app.pool);
  return await until(async () => {
    for (const name of await readdir(folder).catch(() => [])) {
      if (!name.endsWith(".eml")) continue;
      const mail = read(await readFile(join(folder, name), "utf8"), "", []);
      if (mail.headers.to === email && mail.headers.subject === subject) return tokenIn(mail);
    }
    return null;
  });
}

const fill = async (page: Page, fields: Readonly<Record<string, string>>) => {
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value);
};

/** Everything that the cache of mutations keeps, found from the root of React. */
const MUTATIONS = `(() => {
  const root = document.getElementById("root");
  const key = Object.keys(root).find((name) => name.startsWith("__reactContainer"));
  const clientIn = (fiber) =>
    fiber && (fiber.memoizedProps?.client ?? clientIn(fiber.child) ?? clientIn(fiber.sibling));
  const mutations = clientIn(root[key].stateNode.current).getMutationCache().getAll();
  return JSON.stringify(mutations.map(({ state }) => state));
})()`;

test("a newcomer registers, confirms the address, forgets the password, chooses another and comes back", async () => {
  const page = await (await openBrowser(app)).newPage();
  await page.goto("/");
  await page.getByRole("link", { name: "Create an account" }).click();
  await fill(page, { "Name (optional)": "Ada Lovelace", "E-mail address": "ada@example.com", Password: "password1" });
  await press(page, "Create account");
  await page.getByText("This password is too common").waitFor();
  await fill(page, { Password: "difference engine" });
  await press(page, "Create account");
  await page.getByRole("button", { name: "Account of Ada Lovelace" }).waitFor();
  // Scanners of mail servers open links, and run scripts: opening it confirms nothing.
  const link = `/verify-email?token=${await mailedToken("ada@example.com", "Confirm your e-mail address")}`;
  await page.goto(link, { waitUntil: "networkidle" });
  await page.getByRole("button", { name: "Confirm address" }).waitFor();
  const verified = "select from users where email = 'ada@example.com' and email_verified_at is not null";
  expect((await app.pool.query(verified)).rowCount).toBe(0);
  // The first try does not reach the service; during the second, another tab signs out, and stays signed out.
  const [asked, responses] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route("**/api/auth/verify-email", (route) => route.abort(), { times: 1 });
  await page.route("**/api/auth/me", async (route) => {
    asked.resolve();
    await responses.promise;
    await route.continue();
  });
  await press(page, "Confirm address");
  await page.getByText("Can’t reach the service.").waitFor();
  await press(page, "Confirm address");
  await asked.promise;
  await page.evaluate("localStorage.removeItem('estimation-session')");
  responses.resolve();
  await page.getByRole("heading", { name: "E-mail address confirmed" }).waitFor();
  expect(await page.evaluate("localStorage.getItem('estimation-session')")).toBeNull();
  expect(new URL(page.url()).search).toBe("");
  expect((await app.pool.query(verified)).rowCount).toBe(1);
  await page.goto(link);
  await page.getByRole("heading", { name: "E-mail address is confirmed already" }).waitFor();
  await page.goto("/forgot-password");
  await fill(page, { "E-mail address": "ada@example.com" });
  await press(page, "Send link");
  await page.getByRole("heading", { name: "Check your e-mail" }).waitFor();
  const token = await mailedToken("ada@example.com", "Reset your password");
  await page.goto(`/reset-password?token=${token}`);
  await fill(page, { "New password": "analytical engine" });
  expect(page.url()).not.toContain(token);
  await press(page, "Set password");
  await page.getByRole("heading", { name: "Password changed" }).waitFor();
  const afterReset = await page.evaluate<string>(MUTATIONS);
  expect(afterReset).toContain('"status":"success"');
  for (const secret of [token, "analytical engine"]) expect(afterReset).not.toContain(secret);
  await page.getByRole("link", { name: "Sign in" }).click();
  await fill(page, { "E-mail address": "ada@example.com", Password: "difference engine" });
  await press(page, "Sign in");
  await page.getByRole("alert").getByText("Wrong e-mail address or password.").waitFor();
  const afterRefusal = await page.evaluate<string>(MUTATIONS);
  expect(afterRefusal).toContain('"status":"error"');
  expect(afterRefusal).not.toContain("difference engine");
  await expectAccessible(page);
  await fill(page, { Password: "analytical engine" });
  await press(page, "Sign in");
  await page.getByRole("heading", { name: "No estimations yet" }).waitFor();
  await page.goto(`/reset-password?token=${token}`);
  await fill(page, { "New password": "analytical engine" });
  await press(page, "Set password");
  await page.getByText("This link has expired or was already used").waitFor();
});

test("an address that somebody else registered is confirmed with the account's password, or with a new one", async () => {
  const stranger = await (await openBrowser(app)).newPage();
  await stranger.goto("/register");
  await fill(stranger, { "E-mail address": "kim@example.com", Password: "known to the stranger" });
  await press(stranger, "Create account");
  await stranger.getByRole("button", { name: "Account of kim" }).waitFor();
  const link = `/verify-email?token=${await mailedToken("kim@example.com", "Confirm your e-mail address")}`;
  const page = await (await openBrowser(app)).newPage();
  await page.goto(link);
  await page.getByText("If you created the account of kim@example.com").waitFor();
  await expectAccessible(page);
  await fill(page, { Password: "a guess of kim's" });
  await press(page, "Confirm address");
  await page.getByText("Wrong e-mail address or password.").waitFor();
  const verified = "select from users where email = 'kim@example.com' and email_verified_at is not null";
  expect((await app.pool.query(verified)).rowCount).toBe(0);
  await press(page, "Choose a new password");
  await page.getByText("everybody is signed out").waitFor();
  await fill(page, { "New password": "password1" });
  await press(page, "Confirm address");
  await page.getByText("This password is too common").waitFor();
  await fill(page, { "New password": "known to kim alone" });
  await press(page, "Confirm address");
  await page.getByRole("heading", { name: "E-mail address confirmed" }).waitFor();
  await page.getByRole("link", { name: "Go to estimations" }).click();
  await page.getByRole("button", { name: "Account of kim" }).waitFor();
  await stranger.goto("/estimations");
  await stranger.getByRole("heading", { name: "Sign in" }).waitFor();
  // The person who made the account confirms in another browser with its password, and is signed in there.
  const user = await app.request("POST", "/api/auth/register", {
    body: { email: "lee@example.com", password: "difference engine" },
  });
  expect(user.status).toBe(201);
  const own = await (await openBrowser(app)).newPage();
  await own.goto(`/verify-email?token=${await mailedToken("lee@example.com", "Confirm your e-mail address")}`);
  await fill(own, { Password: "difference engine" });
  await press(own, "Confirm address");
  await own.getByRole("heading", { name: "E-mail address confirmed" }).waitFor();
  await own.getByRole("link", { name: "Go to estimations" }).click();
  await own.getByRole("button", { name: "Account of lee" }).waitFor();
});

test("signing in leads to the link that was followed, and never to another site", async () => {
  const user = await app.signUp();
  const { data } = await app.request("POST", "/api/estimations", { token: user.token, body: { title: "Deep link" } });
  const browser = await openBrowser(app);
  const page = await browser.newPage();
  await page.goto(`/estimations/${data.estimation?.id}?from=mail`);
  await signIn(page, user);
  await page.getByRole("heading", { name: "Deep link" }).waitFor();
  for (const to of ["https://example.org/", "//example.org/", "/\\example.org/"]) {
    await page.goto(`/sign-in?to=${encodeURIComponent(to)}`);
    await page.getByRole("heading", { name: "Estimations" }).waitFor();
    expect(new URL(page.url()).origin).toBe(app.url);
  }
});

test("one tab renews the session for all, and signing out in one ends it in all", async () => {
  const user = await app.signUp();
  const browser = await openBrowser(app);
  const first = await openSignedIn(browser, user);
  const second = await browser.newPage();
  await second.goto("/estimations");
  await second.getByRole("heading", { name: "No estimations yet" }).waitFor();
  let renewals = 0;
  browser.on("request", (request) => {
    if (request.url().endsWith("/api/auth/renew")) renewals += 1;
  });
  // As if the token were 40 minutes old; a new one differs from it only if its time does.
  const before = await first.evaluate<string>("localStorage.getItem('estimation-session')");
  await app.clock.advance(2_400_000);
  const third = await browser.newPage();
  await third.goto("/sign-in");
  await third.evaluate(
    `{ const s = JSON.parse(localStorage.getItem("estimation-session"));
       localStorage.setItem("estimation-session", JSON.stringify({ ...s, receivedAt: Date.now() - 2_400_000 })); }`,
  );
  await Promise.all([first, second, third].map((page) => page.evaluate("dispatchEvent(new Event('online'))")));
  const tokenOf = (stored: string) => JSON.parse(stored).token as string;
  const renewed = await until(async () => {
    const now = await second.evaluate<string>("localStorage.getItem('estimation-session')");
    return tokenOf(now) !== tokenOf(before) && now;
  });
  await Promise.all([first, second].map((page) => page.evaluate("dispatchEvent(new Event('online'))")));
  await third.close();
  expect(renewals).toBe(1);
  // The first token ends; the renewed one goes on in both tabs.
  await app.clock.advance(1_800_000);
  for (const page of [first, second]) {
    await page.getByRole("link", { name: "Trash" }).click();
    await page.getByText("Trash is empty.").waitFor();
  }
  const { email, password } = user;
  const elsewhere = (await app.request("POST", "/api/auth/login", { body: { email, password } })).data.token as unknown;
  await press(first, `Account of ${user.email.split("@")[0]}`);
  await first.getByRole("menuitem", { name: "Sign out", exact: true }).click();
  for (const page of [first, second]) await page.getByRole("heading", { name: "Sign in" }).waitFor();
  expect(await second.evaluate("localStorage.getItem('estimation-session')")).toBeNull();
  await until(async () => {
    const { body } = await app.request("GET", "/api/auth/me", { token: tokenOf(renewed) });
    return String(body.message) === "token_revoked";
  });
  // Other devices stay signed in.
  expect((await app.request("GET", "/api/auth/me", { token: String(elsewhere) })).status).toBe(200);
});

test("after a session has ended, the application asks to sign in and continues at the same page; it ends offline too", async () => {
  const user = await app.signUp();
  const page = await openSignedIn(await openBrowser(app), user, "/estimations/trash");
  await page.getByText("Trash is empty.").waitFor();
  // It ends when the request of the next page is on its way: the live stream, which ends with it, leads to the form by itself. Nor
  // does the pointer rest on the link, which would load the page ahead.
  const endFirst = async (route: Route) => {
    await app.clock.advance(3_700_000);
    await route.continue();
  };
  await page.route("**/api/estimations?*", endFirst, { times: 1 });
  const main = page.getByRole("navigation", { name: "Main" });
  await main.getByRole("link", { name: "Estimations", exact: true }).dispatchEvent("click");
  await page.getByText("Your session has ended").waitFor();
  await signIn(page, user);
  await page.getByRole("heading", { name: "No estimations yet" }).waitFor();
  await loadedLater(page);
  await page.context().setOffline(true);
  await press(page, `Account of ${user.email.split("@")[0]}`);
  await page.getByRole("menuitem", { name: /^Sign out/ }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  expect(await page.evaluate("localStorage.getItem('estimation-session')")).toBeNull();
});

test("coming back from the provider exchanges the code once, and takes it out of the address", async () => {
  const provider = await startProvider({ redirectUri: REDIRECT_URI });
  const publicApp = await startPublicApp(provider.config, {}, { pages: true });
  provider.accounts.set("grace", { email: "grace@example.com", email_verified: true, name: "Grace Hopper" });
  const atProvider = newBrowser(publicApp);
  const { code } = await finish(
    atProvider,
    await provider.response(atProvider, await begin(publicApp, atProvider), "grace"),
  );
  const browser = await openBrowser(publicApp);
  const page = await browser.newPage();
  let exchanges = 0;
  page.on("request", (request) => {
    if (request.url().endsWith("/api/auth/exchange")) exchanges += 1;
  });
  await page.goto("/sign-in?to=/estimations/trash");
  const google = page.getByRole("link", { name: "Continue with Google" });
  expect(await google.getAttribute("href")).toBe("/api/auth/google");
  // The provider would lead back to the public address of the configuration: here the test does.
  await page.route("**/api/auth/google", (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<script>location.href = "${publicApp.url}/auth/callback?code=${code}"</script>`,
    }),
  );
  await google.click();
  await page.getByText("Trash is empty.").waitFor();
  expect(exchanges).toBe(1);
  await page.goBack();
  expect(page.url()).not.toContain("code=");
  // The code was used: whoever goes back to it after another start is told so.
  await page.goto("/sign-in");
  await page.evaluate(() => localStorage.clear());
  await page.goto("/sign-in");
  await google.click();
  await page.getByText("This sign-in has expired or was already used").waitFor();
  await page.goto("/auth/callback?error=access_denied");
  await page.getByText("Sign-in was cancelled, or the provider declined it.").waitFor();
  await page.getByRole("link", { name: "Try again" }).waitFor();
});

test("a link with somebody else's code signs nobody in, and replaces no session without a question", async () => {
  const provider = await startProvider({ redirectUri: REDIRECT_URI });
  const publicApp = await startPublicApp(provider.config, {}, { pages: true });
  provider.accounts.set("mallory", { email: "mallory@example.com", email_verified: true, name: "Mallory" });
  const freshCode = async () => {
    const atProvider = newBrowser(publicApp);
    return (
      await finish(atProvider, await provider.response(atProvider, await begin(publicApp, atProvider), "mallory"))
    ).code;
  };
  const browser = await openBrowser(publicApp);
  const page = await browser.newPage();
  const exchanged: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/api/auth/exchange")) exchanged.push(String(request.postData()));
  });
  const session = () => page.evaluate(() => JSON.parse(localStorage.getItem("estimation-session") ?? "null")?.email);

  await page.goto(`/auth/callback?code=${await freshCode()}`);
  await page.getByText("This sign-in didn’t start in this tab.").waitFor();
  expect([exchanged, await session(), page.url().includes("code=")]).toEqual([[], undefined, false]);

  const user = await publicApp.signUp();
  const signedIn = await openSignedIn(browser, user);
  await signedIn.goto(`/auth/callback?code=${await freshCode()}`);
  await signedIn.getByText("This sign-in didn’t start in this tab.").waitFor();

  // Begun in this tab, while another one signed in.
  await page.goto("/sign-in");
  await page.evaluate(() =>
    sessionStorage.setItem("return-after-google", JSON.stringify({ path: "/", at: Date.now() })),
  );
  await page.evaluate(
    (text) => localStorage.setItem("estimation-session", text),
    await signedIn.evaluate(() => localStorage.getItem("estimation-session") ?? ""),
  );
  const code = await freshCode();
  await page.goto(`/auth/callback?code=${code}`);
  await page.getByText(`You are signed in as ${user.email}.`).waitFor();
  await expectAccessible(page);
  expect([exchanged, await session()]).toEqual([[], user.email]);
  await press(page, "Sign in with Google");
  await until(async () => (await session()) === "mallory@example.com" || null);
  expect(exchanged).toEqual([JSON.stringify({ code })]);
});

test("users who have not confirmed the address are asked to, unless the instance is local", async () => {
  const provider = await startProvider({ redirectUri: REDIRECT_URI });
  const publicApp = await startPublicApp(provider.config, {}, { pages: true });
  const user = await publicApp.signUp();
  const page = await openSignedIn(await openBrowser(publicApp), user);
  await page.getByText("Confirm your e-mail address with the link we sent you.").waitFor();
  await press(page, "Send again");
  await page.getByText("Sent.").waitFor();
  await publicApp.pool.query("update users set email_verified_at = now() where id = $1", [user.userId]);
  await page.reload();
  await page.getByRole("heading", { name: "No estimations yet" }).waitFor();
  await until(async () => (await page.getByText("Confirm your e-mail address").count()) === 0);
});
