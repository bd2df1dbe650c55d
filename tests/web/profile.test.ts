import { execFileSync } from "node:child_process";
import { createHmac } from "node:crypto";
import type { Page, Route } from "playwright-core";
import { expect, test } from "vitest";
import { start, until } from "../harness.ts";
import { makeJobsDue } from "../support/jobs.ts";
import { startReceiver } from "../support/receiver.ts";
import { press } from "./actions.ts";
import { expectAccessible, openBrowser, openSignedIn } from "./browser.ts";
import { tabTo } from "./keyboard.ts";

const app = await start({ pages: true, worker: true });

/** Returns everything that the browser keeps for the page, and what the page shows. */
const everythingKept = (page: Page) =>
  page.evaluate<string>(
    "JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href, history.state, document.documentElement.outerHTML])",
  );

test("by keyboard alone a key is created, seen once, used, replaced and revoked", async () => {
  const user = await app.signUp();
  const page = await openSignedIn(await openBrowser(app), user);
  const statusWith = async (token: string, path = "/api/estimations") =>
    (await app.request("GET", path, { token })).status;
  await tabTo(page, `Account of ${user.email.split("@")[0]}`);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Account and security" }).waitFor();
  await tabTo(page, "API keys");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "No API keys yet" }).waitFor();
  await tabTo(page, "New API key");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor();
  await page.keyboard.type("Build server");
  await tabTo(page, "estimations:read");
  await page.keyboard.press("Space");
  await page.getByText("View estimations and their versions").waitFor();
  await expectAccessible(page);
  // While the key is being made, nobody can close what is about to show it.
  const held = Promise.withResolvers<void>();
  await page.route("**/api/api-keys", async (route: Route) => {
    if (route.request().method() === "POST") await held.promise;
    await route.continue();
  });
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Cancel" }).and(page.locator("[aria-disabled=true]")).waitFor();
  await page.keyboard.press("Escape");
  held.resolve();
  const secret = page.getByRole("dialog").locator("code");
  const plaintext = await secret.innerText();
  expect(plaintext).toMatch(/^svc_live_[\w-]{44}$/);
  // What shows only once is not closed by mistake, not even by a second Escape.
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await expectAccessible(page);
  expect(await page.getByRole("button", { name: "Done" }).isDisabled()).toBe(true);
  await tabTo(page, "I have saved it");
  await page.keyboard.press("Space");
  await tabTo(page, "Done");
  await page.keyboard.press("Enter");
  const row = page.getByRole("row", { name: /^Build server/ });
  await row.getByText(plaintext.slice(0, 12)).waitFor();
  expect(await everythingKept(page)).not.toContain(plaintext);
  expect(await statusWith(plaintext)).toBe(200);
  expect(await statusWith(plaintext, "/api/webhooks")).toBe(403);
  await app.clock.advance(5_000);
  await until(async () => {
    const { data } = await app.request("GET", "/api/api-keys", { token: user.token });
    return data.apiKeys?.[0]?.lastUsedAt !== null;
  });
  await page.reload();
  await row.waitFor();
  expect(await row.innerText()).not.toContain("Never used");
  const act = async (name: string) => {
    await row.getByRole("button", { name: "Actions for Build server" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("menuitem", { name }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
  };
  await act("Replace key");
  await tabTo(page, "Replace key");
  // The response with the new key is lost: it cannot be shown again, and another one has to be made.
  const lose = async (route: Route) => {
    await route.fetch();
    await route.abort();
  };
  await page.route("**/rotate", lose, { times: 1 });
  const replace = page.getByRole("dialog").getByRole("button", { name: "Replace key" });
  for (const said of ["Can’t reach the service.", "It worked, but the response with the key or secret was lost"]) {
    await replace.press("Enter");
    await page.getByRole("alert").getByText(said).waitFor();
  }
  await replace.press("Enter");
  await until(async () => (await secret.count()) === 1 && (await secret.innerText()) !== plaintext);
  const replaced = await secret.innerText();
  await tabTo(page, "I have saved it");
  await page.keyboard.press("Space");
  await tabTo(page, "Done");
  await page.keyboard.press("Enter");
  expect([await statusWith(plaintext), await statusWith(replaced)]).toEqual([401, 200]);
  await act("Revoke key");
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  // The focus is where it was before.
  expect(await page.locator(":focus").getAttribute("aria-label")).toBe("Actions for Build server");
  await act("Revoke key");
  await tabTo(page, "Revoke key");
  await page.keyboard.press("Enter");
  await page.getByText("All keys are revoked.").waitFor();
  expect(await statusWith(replaced)).toBe(401);
  await page.getByLabel("Show revoked keys").focus();
  await page.keyboard.press("Space");
  await row.getByText(/^Revoked/).waitFor();
});

/** Returns the arguments that a shell gives to curl. */
const argumentsOf = (command: string) =>
  execFileSync("sh", ["-c", `curl() { printf '%s\\0' "$@"; }\n${command}`], { encoding: "utf8" }).split("\0");

test("a webhook is created and tested, its log is read, and what failed is sent again", async () => {
  let status = 200;
  const receiver = await startReceiver((_, response) => response.writeHead(status).end("Thanks"));
  receiver.trustedBy(app.services.config.dataDir);
  const user = await app.signUp();
  const permissions = ["clipboard-read", "clipboard-write"];
  const page = await openSignedIn(await openBrowser(app, { permissions }), user, "/profile/webhooks");
  await press(page, "New webhook");
  await page.getByLabel("Address", { exact: true }).fill(receiver.url.replace("https:", "http:"));
  await page.getByText("A reviewer approves").click();
  await expectAccessible(page);
  await press(page, "Create webhook");
  await page.getByText("Must start with https://").waitFor();
  await page.getByLabel("Address", { exact: true }).fill(`${receiver.url}/hook`);
  await page.getByLabel("Description (optional)").fill("Planning board");
  await press(page, "Create webhook");
  const secret = await page.getByRole("dialog").locator("code").innerText();
  await page.getByLabel("I have saved it").check();
  await press(page, "Done");
  await page.getByRole("heading", { name: `${receiver.url}/hook` }).waitFor();
  await page.getByText("Nothing sent yet").waitFor();
  expect(await everythingKept(page)).not.toContain(secret);
  await press(page, "Send test");
  await page.getByText(/Test: response 200 after/).waitFor();
  await page.getByText("Thanks").waitFor();
  await expectAccessible(page);
  const [sent] = receiver.requests;
  const signature = `sha256=${createHmac("sha256", secret)
    .update(sent?.body ?? "")
    .digest("hex")}`;
  expect(sent?.headers["x-service-signature"]).toBe(signature);
  await page.getByRole("link", { name: "View delivery" }).click();
  await page.getByText("Response 200").waitFor();
  const [headers, body] = [page.getByLabel("Headers", { exact: true }), page.getByLabel("Body", { exact: true })];
  expect(await headers.inputValue()).toContain(`X-Service-Signature: ${signature}`);
  expect(await body.inputValue()).toBe(sent?.body);
  await page.getByText("Response", { exact: true }).click();
  await expectAccessible(page);
  await press(page, "Copy as curl");
  await page.getByText("Copied").waitFor();
  const copied = argumentsOf(await page.evaluate<string>("navigator.clipboard.readText()"));
  expect(copied).toEqual(
    expect.arrayContaining([`${receiver.url}/hook`, `X-Service-Signature: ${signature}`, sent?.body]),
  );
  const first = page.url();
  status = 503;
  await press(page, "Resend");
  await page.getByText("Response 503").first().waitFor();
  expect(page.url()).not.toBe(first);
  expect(await page.getByRole("button", { name: "Resend", exact: true }).isDisabled()).toBe(true);
  await until(async () => {
    await makeJobsDue(app.pool);
    return (await page.getByText("Attempt 3").count()) === 1;
  });
  expect(receiver.requests.map((request) => request.body)).toEqual(Array(4).fill(sent?.body));
  await page.getByRole("link", { name: `${receiver.url}/hook` }).click();
  await page.getByText("1 delivery failed in a row").waitFor();
  const log = page.getByRole("region", { name: "Deliveries" });
  await log.getByRole("combobox", { name: "Status" }).selectOption("failed");
  await page.getByText("1 delivery", { exact: true }).waitFor();
  expect(new URL(page.url()).search).toBe("?status=failed");
  await log.getByRole("combobox", { name: "Event" }).selectOption("estimation.approved");
  await page.getByText("No deliveries match.").waitFor();
  await page.reload();
  await page.getByText("No deliveries match.").waitFor();
  status = 200;
  await press(page, "Resend failed…");
  await expectAccessible(page);
  await press(page, "Resend");
  await page.getByText("1 delivery will be resent.").waitFor();
  expect(await page.getByRole("dialog").getByRole("button").allInnerTexts()).toEqual(["Close"]);
  await press(page, "Close");
  await until(() => receiver.requests.length === 5);
  await press(page, "Pause");
  await page.getByText(/^Paused: events/).waitFor();
  await press(page, `Actions for ${receiver.url}/hook`);
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await press(page, "Delete");
  await page.getByRole("heading", { name: "No webhooks yet" }).waitFor();
  await page.goto(first);
  await page.getByRole("heading", { name: "Delivery not found" }).waitFor();
  await receiver.close();
});

test("connections are checked, mails switched off, the account renamed, its password changed, all sessions ended", async () => {
  const signOn = "/orgs/acme/sso?authorization_request=AZSCKL4B7WQ";
  let asksSignOn = true;
  const tracker = await startReceiver((_, response) => {
    const headers = { "x-github-sso": `required; url=${tracker.url}${signOn}` };
    response.writeHead(asksSignOn ? 403 : 401, asksSignOn ? headers : {}).end("{}");
  });
  tracker.trustedBy(app.services.config.dataDir);
  const user = await app.signUp();
  const browser = await openBrowser(app);
  const page = await openSignedIn(browser, user, "/profile/connections");
  await press(page, "New connection");
  await page.getByLabel("Name").fill("Acme");
  await page.getByLabel("API address (optional)").fill("ftp://nowhere");
  await page.getByLabel("Access token").fill("ghp_token");
  await press(page, "Create connection");
  await page.locator("input[name=baseUrl][aria-invalid=true]").waitFor();
  await page.getByLabel("API address (optional)").fill(`${tracker.url}/api/v3`);
  await press(page, "Create connection");
  await page.getByText(`${tracker.url}/api/v3`).waitFor();
  expect(await everythingKept(page)).not.toContain("ghp_token");
  await press(page, "Check");
  await page.getByLabel("Repository (optional)").fill("acme/shop");
  const check = page.getByRole("dialog").getByRole("button", { name: "Check" });
  await check.click();
  // The page that authorizes the token is a link.
  await page.getByRole("link", { name: `${tracker.url}${signOn}`, exact: true }).waitFor();
  asksSignOn = false;
  await check.click();
  await page.getByRole("listitem").getByText("GitHub does not accept the token.").waitFor();
  await expectAccessible(page);
  await press(page, "Close");
  await page.getByText(/^Rejected/).waitFor();
  const jira = { target: "jira", name: "Our Jira", baseUrl: "https://acme.atlassian.net", email: "ada@example.com" };
  const { data } = await app.request("POST", "/api/connections", { token: user.token, body: { ...jira, token: "t" } });
  await page.reload();
  await page.getByRole("row").filter({ hasText: "Our Jira" }).getByRole("button").last().click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  const dropped = page.getByLabel("Resolutions of work that wasn’t done");
  expect(await dropped.inputValue()).toMatch(/^Won't Do\nDuplicate\n/);
  await dropped.fill("Wird nicht erledigt\n\n Duplikat");
  await expectAccessible(page);
  await press(page, "Save");
  await until(async () => (await page.getByRole("dialog").count()) === 0);
  const kept = await app.request("GET", `/api/connections/${data.connection?.id}`, { token: user.token });
  expect(kept.data.connection?.droppedResolutions).toEqual(["Wird nicht erledigt", "Duplikat"]);
  await page.goto("/profile/notifications");
  await page.getByRole("switch", { name: "Review comments" }).click();
  await page.getByText("Saved").waitFor();
  await page.reload();
  await page.getByRole("switch", { name: "Review comments" }).waitFor();
  expect(await page.getByRole("switch").evaluateAll((all) => all.map((one) => one.ariaChecked))).toEqual([
    "true",
    "true",
    "true",
    "true",
    "false",
    "true",
    "true",
    "true",
  ]);
  await page.getByRole("link", { name: "Account and security" }).click();
  await page.getByLabel("Name").fill("Ada Moreau");
  await press(page, "Save");
  await page.getByRole("button", { name: "Account of Ada Moreau" }).waitFor();
  await page.getByLabel("Current password").fill("not the password");
  await page.getByLabel("New password").fill("another battery horse");
  await press(page, "Change password");
  await page.getByText("That isn’t your current password.").waitFor();
  await page.getByLabel("Current password").fill(user.password);
  await press(page, "Change password");
  await page.getByText("Password changed. All other sessions have ended.").waitFor();
  expect((await app.request("GET", "/api/auth/me", { token: user.token })).body.message).toBe("token_revoked");
  await page.getByRole("cell", { name: "Password changed" }).waitFor();
  await page.getByRole("cell", { name: "Wrong current password" }).waitFor();
  expect(await everythingKept(page)).not.toContain("another battery horse");
  await expectAccessible(page);
  await press(page, "Sign out everywhere");
  await page.getByRole("dialog").getByRole("button", { name: "Sign out everywhere" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await tracker.close();
});

test("where it is narrow, a menu leads to the pages of the profile", async () => {
  const browser = await openBrowser(app, { viewport: { width: 320, height: 800 } });
  const page = await openSignedIn(browser, await app.signUp(), "/profile/notifications");
  await page.getByRole("switch", { name: "Review comments" }).waitFor();
  await page.getByRole("button", { name: "Profile: Notifications" }).click();
  await expectAccessible(page, ["color-contrast", "target-size"]);
  await page.getByRole("menuitem", { name: "API keys" }).click();
  await page.getByRole("heading", { name: "API keys" }).waitFor();
});

test("a key without scopes is asked about before it is created, and a webhook that does not exist is said to be missing", async () => {
  const user = await app.signUp();
  const page = await openSignedIn(await openBrowser(app), user, "/profile/api-keys");
  const count = async () => (await app.request("GET", "/api/api-keys", { token: user.token })).data.apiKeys?.length;
  await press(page, "New API key");
  await page.getByLabel("Name").fill("Build server");
  await press(page, "Create key");
  const question = page.getByText("This key can do nothing: create it anyway?");
  await question.waitFor();
  await expectAccessible(page);
  expect(await count()).toBe(0);
  // With a scope nothing is asked, until it is taken away again.
  for (const isAsked of [0, 0]) {
    await page.getByRole("checkbox", { name: /^estimations:read/ }).click();
    await until(async () => (await question.count()) === isAsked);
  }
  await press(page, "Create key");
  await press(page, "Create it anyway");
  await page.getByRole("dialog").locator("code").waitFor();
  expect(await count()).toBe(1);

  await page.goto("/profile/webhooks/xx");
  await page.getByRole("heading", { name: "Webhook not found" }).waitFor();
});
