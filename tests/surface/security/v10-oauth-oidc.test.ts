import { createHash, randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import {
  BASE_URL,
  begin,
  finish,
  newBrowser,
  REDIRECT_URI,
  signsNobodyIn,
  startPublicApp,
  WEB_URL,
} from "../../../server/features/google-sign-in/testing/app.ts";
import { startProvider } from "../../../server/features/google-sign-in/testing/real-provider.ts";
import { changesNothing } from "../../support/dump.ts";
import { accountCalls } from "./account.ts";

const provider = await startProvider({ redirectUri: REDIRECT_URI });
const app = await startPublicApp(provider.config, { rateLimitAuthPerMinute: 1_000_000 });
const { me, exchange, logOut, logIn } = accountCalls(app);
const EXPIRED = { error: "sign_in_expired" };
const FAILED = { error: "sign_in_failed" };
let people = 0;

/** A person at the real provider, whose browser has just been redirected back, and the address of the redirect. */
async function sentBack(browser = newBrowser(app), email?: string) {
  people += 1;
  const subject = `person-${people}`;
  provider.accounts.set(subject, { email: email ?? `${subject}@example.com`, email_verified: true });
  const authorization = await begin(app, browser);
  return { browser, authorization, subject, callback: await provider.response(browser, authorization, subject) };
}

/** Returns a one-time code as the browser gets it. */
async function codeOf(): Promise<string> {
  const { browser, callback } = await sentBack();
  return String((await finish(browser, callback)).code);
}

test("V10.1.1 tokens stay in the service: the browser gets only a one-time code", async () => {
  const { browser, callback } = await sentBack();
  const page = await browser.visit(callback);
  const location = page.location ?? new URL("about:blank");
  expect([...location.searchParams.keys()]).toEqual(["code"]);
  expect(location.hash).toBe("");
  expect(page.text).toBe("");
  expect([location.href, page.text, ...page.setCookie].join()).not.toMatch(/eyJ|access_token|id_token/);
});

test("V10.1.2 a browser that did not begin the sign-in cannot finish it", async () => {
  const { browser, callback } = await sentBack();
  await changesNothing(app, async () => {
    expect(await finish(newBrowser(app), callback)).toEqual(EXPIRED);
    const began = newBrowser(app);
    await begin(app, began);
    expect(await finish(began, callback)).toEqual(EXPIRED);
  });
  expect(await finish(browser, callback)).toEqual({ code: expect.any(String) });
});

test("V10.1.2 state, nonce and challenge are long, and differ each time", async () => {
  const seen = new Set<string>();
  for (let at = 0; at < 5; at += 1) {
    const { searchParams } = await begin(app, newBrowser(app));
    for (const name of ["state", "nonce", "code_challenge"]) {
      const value = String(searchParams.get(name));
      expect(Buffer.from(value, "base64url").length, name).toBeGreaterThanOrEqual(32);
      seen.add(value);
    }
  }
  expect(seen.size).toBe(15);
});

test("V10.1.2 a sign-in can be finished once, within ten minutes", async () => {
  const { browser, callback } = await sentBack();
  const cookie = browser.cookiesFor(callback);
  expect(await finish(browser, callback)).toEqual({ code: expect.any(String) });
  const replay = await fetch(`${app.url}${callback.pathname}${callback.search}`, {
    redirect: "manual",
    headers: { cookie },
  });
  expect(replay.headers.get("location")).toBe(`${WEB_URL}/auth/callback?error=sign_in_expired`);
  const late = await sentBack();
  await app.clock.advance(600_001);
  expect(await finish(late.browser, late.callback)).toEqual(EXPIRED);
});

test("V10.2.1 a response without the state that was sent, or with another, is refused unread", async () => {
  const { browser, callback } = await sentBack();
  await changesNothing(app, async () => {
    for (const state of [null, "", "other", `${callback.searchParams.get("state")}x`]) {
      const url = new URL(callback);
      if (state === null) url.searchParams.delete("state");
      else url.searchParams.set("state", state);
      expect(await finish(browser, url)).toEqual(EXPIRED);
    }
  });
  expect(await finish(browser, callback)).toEqual({ code: expect.any(String) });
});

test("V10.2.1 a code that was requested with another PKCE challenge, or for another sign-in, is refused", async () => {
  const browser = newBrowser(app);
  const authorization = await begin(app, browser);
  expect(authorization.searchParams.get("code_challenge_method")).toBe("S256");
  authorization.searchParams.set("code_challenge", createHash("sha256").update("attacker").digest("base64url"));
  provider.accounts.set("attacker", { email: "attacker@example.com", email_verified: true });
  expect(await finish(browser, await provider.response(browser, authorization, "attacker"))).toEqual(FAILED);
  const [victim, attacker] = [await sentBack(), await sentBack()];
  const injected = new URL(victim.callback);
  injected.searchParams.set("code", String(attacker.callback.searchParams.get("code")));
  expect(await finish(victim.browser, injected)).toEqual(FAILED);
  expect((await app.pool.query("select 1 from users where email = 'attacker@example.com'")).rows).toEqual([]);
});

test("V10.2.2 a response of another provider is refused (mix-up), and so is one that does not name its issuer", async () => {
  for (const iss of ["https://accounts.google.com", `${provider.config.issuer}/`, null]) {
    const { browser, callback } = await sentBack();
    if (iss === null) callback.searchParams.delete("iss");
    else callback.searchParams.set("iss", iss);
    await signsNobodyIn(app, async () => {
      expect(await finish(browser, callback)).toEqual(FAILED);
    });
  }
});

test("V10.2.3 only the identity is requested from the provider", async () => {
  const { searchParams } = await begin(app, newBrowser(app));
  expect(searchParams.get("scope")).toBe("openid email profile");
  expect(searchParams.get("response_type")).toBe("code");
  expect([...searchParams.keys()].sort()).toEqual([
    "client_id",
    "code_challenge",
    "code_challenge_method",
    "nonce",
    "redirect_uri",
    "response_type",
    "scope",
    "state",
  ]);
});

test("V10.3.3 a caller is identified by an id that is never used for another user, whatever happens to the address", async () => {
  const code = await codeOf();
  const { data } = await exchange(code);
  await app.pool.query("update users set email = 'renamed-' || email where id = $1", [data.user?.id]);
  await app.request("POST", "/api/auth/register", {
    body: { email: data.user?.email, password: "correct horse battery" },
  });
  expect((await me(String(data.token))).data.user?.id).toBe(data.user?.id);
});

test("V10.4.1 redirects lead to fixed addresses, which no parameter and no header can change", async () => {
  const evil = "https://evil.example";
  const headers = { host: "evil.example", "x-forwarded-host": "evil.example", origin: evil, referer: evil };
  for (const name of ["redirect_uri", "redirect", "returnTo", "next", "callback"]) {
    const refused = await fetch(`${app.url}/api/auth/google?${name}=${evil}`, { redirect: "manual" });
    expect([refused.status, refused.headers.get("location")], name).toEqual([400, null]);
    const back = await fetch(`${app.url}/api/auth/google/callback?${name}=${evil}&state=x`, { redirect: "manual" });
    expect(back.headers.get("location"), name).toBe(`${WEB_URL}/auth/callback?error=sign_in_expired`);
  }
  const started = await fetch(`${app.url}/api/auth/google`, { redirect: "manual", headers });
  const location = new URL(started.headers.get("location") ?? "");
  expect(location.origin).toBe(provider.config.issuer);
  expect(location.searchParams.get("redirect_uri")).toBe(REDIRECT_URI);
});

test("V10.4.2 a one-time code gives one session, however many requests use it at once", async () => {
  const code = await codeOf();
  const responses = await Promise.all(Array.from({ length: 20 }, () => exchange(code)));
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  const refusals = responses.filter(({ status }) => status !== 200).map(({ body }) => body.code);
  expect(refusals).toEqual(Array(19).fill("INVALID_EXCHANGE_CODE"));
});

test("V10.4.3 a one-time code is valid for 60 seconds and not a millisecond longer", async () => {
  const [inTime, late] = [await codeOf(), await codeOf()];
  await app.clock.advance(60_000);
  expect((await exchange(inTime)).status).toBe(200);
  await app.clock.advance(1);
  expect((await exchange(late)).body.code).toBe("INVALID_EXCHANGE_CODE");
});

test("V10.4.3 a one-time code is invalid after a logout", async () => {
  const { browser, callback, subject } = await sentBack();
  const { data } = await exchange(String((await finish(browser, callback)).code));
  const again = await begin(app, browser);
  const code = String((await finish(browser, await provider.response(browser, again, subject))).code);
  await logOut(String(data.token));
  expect((await exchange(code)).body.code).toBe("INVALID_EXCHANGE_CODE");
});

test("V10.5.2 a user is identified by the provider's subject, even if the address has changed", async () => {
  const { browser, callback, subject } = await sentBack();
  const first = await exchange(String((await finish(browser, callback)).code));
  provider.accounts.set(subject, { email: "moved@example.com", email_verified: true });
  const again = await begin(app, browser);
  const second = await exchange(String((await finish(browser, await provider.response(browser, again, subject))).code));
  expect(second.data.user?.id).toBe(first.data.user?.id);
  const heir = await sentBack(newBrowser(app), String(first.data.user?.email));
  expect(await finish(heir.browser, heir.callback)).toEqual({ error: "account_linked" });
});

test("V10.5.2 an address that one side has not verified is not linked to an account", async () => {
  const squatter = await app.signUp();
  const victim = await sentBack(newBrowser(app), squatter.email);
  expect(await finish(victim.browser, victim.callback)).toEqual({ error: "account_not_verified" });
  const owner = await app.signUp();
  await app.pool.query("update users set email_verified_at = now() where id = $1", [owner.userId]);
  provider.accounts.set("claimant", { email: owner.email, email_verified: false });
  const browser = newBrowser(app);
  const callback = await provider.response(browser, await begin(app, browser), "claimant");
  expect(await finish(browser, callback)).toEqual({ error: "email_not_verified" });
  expect((await app.pool.query("select 1 from identities where user_id = $1", [owner.userId])).rows).toEqual([]);
});

test("V3.3.1 the cookie of a sign-in is limited to HTTPS and this host, cannot be read by pages, and is short-lived", async () => {
  const browser = newBrowser(app);
  const { setCookie } = await browser.visit(`${BASE_URL}/api/auth/google`);
  expect(setCookie).toEqual([
    expect.stringMatching(/^__Host-google-sign-in=[\w-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax; Secure$/),
  ]);
  expect(setCookie[0]?.length).toBeLessThan(4_096);
  const { callback } = await sentBack(browser);
  const page = await browser.visit(callback);
  expect(page.setCookie).toEqual([expect.stringMatching(/^__Host-google-sign-in=; Max-Age=0; /)]);
});

test("V3.3.1 the cookie cannot be read or changed, nor set by a neighbouring host", async () => {
  const { browser, callback, authorization } = await sentBack();
  const cookie = browser.cookiesFor(callback);
  const [name, value = ""] = cookie.split("=");
  const bytes = Buffer.from(value, "base64url");
  for (const secret of ["state", "nonce"])
    expect(bytes.includes(String(authorization.searchParams.get(secret)))).toBe(false);
  const flipped = Buffer.from(bytes);
  flipped[bytes.length - 1] = (flipped.at(-1) ?? 0) ^ 1;
  for (const made of [
    `${name}=${flipped.toString("base64url")}`,
    `${name}=${randomBytes(200).toString("base64url")}`,
    `${cookie}; ${cookie}`,
    `google-sign-in=${value}`,
    "",
  ]) {
    const response = await fetch(`${app.url}${callback.pathname}${callback.search}`, {
      redirect: "manual",
      headers: made === "" ? {} : { cookie: made },
    });
    expect(response.headers.get("location"), made).toBe(`${WEB_URL}/auth/callback?error=sign_in_expired`);
  }
  expect(await finish(browser, callback)).toEqual({ code: expect.any(String) });
});

test("V7.6.2 returning from the provider opens no session by itself: the web application has to request it", async () => {
  const sessions = "select count(*)::int as n from audit_events where event = 'google.signed_in'";
  const { rows: before } = await app.pool.query(sessions);
  const code = await codeOf();
  expect((await app.pool.query(sessions)).rows).toEqual(before);
  expect((await exchange(code)).status).toBe(200);
  expect((await app.pool.query(sessions)).rows[0].n).toBe(before[0].n + 1);
});

test("V6.3.4 an account made through Google has no password that could be guessed", async () => {
  const { data } = await exchange(await codeOf());
  for (const password of ["", "null", "undefined", "password1"]) {
    const { status, body } = await logIn(String(data.user?.email), password);
    expect([status, body.message]).toEqual([401, "invalid_credentials"]);
  }
});
