import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import type { TestUser } from "../../../tests/harness.ts";
import { makeMailedToken } from "../auth/mailed-tokens.ts";
import { begin, finish, newBrowser, REDIRECT_URI, startPublicApp } from "./testing/app.ts";
import { startProvider } from "./testing/real-provider.ts";

const provider = await startProvider({ redirectUri: REDIRECT_URI });
const app = await startPublicApp(provider.config);
const post = (name: string, body: unknown, token?: string) =>
  app.request("POST", `/api/auth/${name}`, { body, ...(token ? { token } : {}) });
const me = async (token: string) => (await app.request("GET", "/api/auth/me", { token })).status;
const logIn = async (email: string, password: string) => (await post("login", { email, password })).status;

/** What a person with the mailbox of the account does with a link that was mailed there. */
async function followLink({ userId }: TestUser, purpose: "verify-email" | "reset-password", password?: string) {
  const token = await makeMailedToken(
    app.services.pool,
    await app.services.linkKeys.account(),
    { userId, purpose, cause: randomUUID() },
    app.clock.now(),
  );
  expect((await post(purpose, { token, password })).status).toBe(200);
}

/** Signs in with the identity of this address; the session token. */
async function signInWithGoogle(email: string): Promise<string> {
  provider.accounts.set(email, { email, email_verified: true });
  const browser = newBrowser(app);
  const { code } = await finish(browser, await provider.response(browser, await begin(app, browser), email));
  const { data } = await post("exchange", { code });
  return String(data.token);
}

const eventsOf = async ({ userId }: TestUser) =>
  (await app.pool.query("select event from audit_events where user_id = $1 order by id", [userId])).rows.map(
    ({ event }) => event,
  );

it("a person who registers another's address loses access once its owner confirms it and signs in with Google", async () => {
  const stranger = await app.signUp();
  await followLink(stranger, "verify-email");
  expect(await me(stranger.token)).toBe(200);
  const owner = await signInWithGoogle(stranger.email);
  expect(await me(owner)).toBe(200);
  expect(await me(stranger.token)).toBe(401);
  expect(await logIn(stranger.email, stranger.password)).toBe(401);
  expect((await eventsOf(stranger)).slice(-4)).toEqual([
    "google.linked",
    "password.removed",
    "google.signed_in",
    "session.login_failed",
  ]);
});

it("also if the stranger changed the password after it was confirmed", async () => {
  const stranger = await app.signUp();
  await followLink(stranger, "verify-email");
  const newPassword = "changed by the stranger";
  const changed = await post("change-password", { currentPassword: stranger.password, newPassword }, stranger.token);
  expect(changed.status).toBe(200);
  await signInWithGoogle(stranger.email);
  expect(await me(String(changed.data.token))).toBe(401);
  expect(await logIn(stranger.email, newPassword)).toBe(401);
});

it("a password that was set through a mailed link stays, even if it is changed later; sessions end", async () => {
  const owner = await app.signUp();
  const password = "set through the mailed link";
  await followLink(owner, "reset-password", password);
  const { data } = await post("login", { email: owner.email, password });
  const newPassword = "changed by its owner";
  const changed = await post("change-password", { currentPassword: password, newPassword }, String(data.token));
  const session = await signInWithGoogle(owner.email);
  expect([await me(session), await me(String(changed.data.token))]).toEqual([200, 401]);
  expect(await logIn(owner.email, newPassword)).toBe(200);
  expect(await eventsOf(owner)).not.toContain("password.removed");
});

it("signing in again with the same identity ends nothing", async () => {
  const owner = await app.signUp();
  await followLink(owner, "verify-email");
  const first = await signInWithGoogle(owner.email);
  const second = await signInWithGoogle(owner.email);
  expect([await me(first), await me(second)]).toEqual([200, 200]);
});
