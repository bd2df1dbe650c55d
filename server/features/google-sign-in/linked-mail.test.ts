import { afterAll, expect, it } from "vitest";
import type { TestUser } from "../../../tests/harness.ts";
import { startMailServer } from "../../../tests/support/mail-server.ts";
import { begin, finish, newBrowser, REDIRECT_URI, startPublicApp, WEB_URL } from "./testing/app.ts";
import { startProvider } from "./testing/real-provider.ts";

const mail = await startMailServer();
const provider = await startProvider({ redirectUri: REDIRECT_URI });
const app = await startPublicApp(provider.config, { smtpUrl: mail.url }, { worker: true });
afterAll(mail.stop);

/** An account whose address is proved; its mail to confirm that has come. */
async function signUp(): Promise<TestUser> {
  const user = await app.signUp();
  await mail.mailTo(user.email);
  await app.pool.query("update users set email_verified_at = now() where id = $1", [user.userId]);
  return user;
}

/** Comes with the identity at the provider that has this address. */
async function signIn(email: string) {
  provider.accounts.set(email, { email, email_verified: true });
  const browser = newBrowser(app);
  return finish(browser, await provider.response(browser, await begin(app, browser), email));
}

const linkedMails = (email: string) =>
  mail.mails.filter(({ to, headers }) => to.includes(email) && headers.subject === "Another way to sign in was added");

it("the owner is notified by mail of an identity that joins the account: who, when, and what else gives access", async () => {
  const user = await signUp();
  await app.makeKey(user, ["admin"]);
  const webhook = { url: "https://example.com/hook", events: [] };
  expect((await app.request("POST", "/api/webhooks", { token: user.token, body: webhook })).status).toBe(201);
  expect(await signIn(user.email)).toEqual({ code: expect.any(String) });
  const { headers, body } = await mail.mailTo(user.email, 2);
  expect(headers.subject).toBe("Another way to sign in was added");
  for (const told of [
    user.email,
    new URL(provider.config.issuer).host,
    app.clock.now().toISOString(),
    "has been signed out",
    "it was removed",
    `${WEB_URL}/forgot-password`,
    "1 API key and 1 webhook,",
  ])
    expect(body).toContain(told);
  expect(body).not.toContain("token=");
});

it("a password that was set through a mailed link stays valid, and the mail says so", async () => {
  const user = await signUp();
  await app.pool.query("update users set password_proved = true where id = $1", [user.userId]);
  await signIn(user.email);
  const { body } = await mail.mailTo(user.email, 2);
  expect(body).toContain("also has a password, which keeps working");
  expect(body).not.toContain("removed");
});

it("the mail does not mention a password if there is none, and later sign-ins send no mail", async () => {
  const user = await signUp();
  await app.pool.query("update users set password_hash = null where id = $1", [user.userId]);
  await signIn(user.email);
  expect((await mail.mailTo(user.email, 2)).body).not.toMatch(/password|API key/);
  await signIn(user.email);
  const next = await signUp();
  await signIn(next.email);
  await mail.mailTo(next.email, 2);
  expect(linkedMails(user.email)).toHaveLength(1);
});

it("no mail is sent for an account that the sign-in itself created, nor for a refused sign-in", async () => {
  await signIn("newcomer@example.com");
  const unproved = await app.signUp();
  expect(await signIn(unproved.email)).toEqual({ error: "account_not_verified" });
  const last = await signUp();
  await signIn(last.email);
  await mail.mailTo(last.email, 2);
  expect([...linkedMails("newcomer@example.com"), ...linkedMails(unproved.email)]).toEqual([]);
});

it("the mail is requested in the transaction that joins the identity: both are stored, or neither", async () => {
  const user = await signUp();
  await app.pool.query("alter table exchange_codes rename to gone");
  expect(await signIn(user.email)).toEqual({ error: "service_unavailable" });
  await app.pool.query("alter table gone rename to exchange_codes");
  expect((await app.pool.query("select 1 from identities where user_id = $1", [user.userId])).rows).toEqual([]);
  expect(await signIn(user.email)).toEqual({ code: expect.any(String) });
  await mail.mailTo(user.email, 2);
  expect(linkedMails(user.email)).toHaveLength(1);
});
