import { expect, it } from "vitest";
import { begin, finish, newBrowser, REDIRECT_URI, signsNobodyIn, startPublicApp } from "./testing/app.ts";
import { startProvider } from "./testing/real-provider.ts";

const provider = await startProvider({ redirectUri: REDIRECT_URI });
const app = await startPublicApp(provider.config);
const EXPIRED = { error: "sign_in_expired" };
const MINUTE_MS = 60_000;
let people = 0;

/** A person at the provider, in a browser that has just been sent back, with where to. */
async function sentBack(browser = newBrowser(app)) {
  people += 1;
  const subject = `person-${people}`;
  provider.accounts.set(subject, { email: `${subject}@example.com`, email_verified: true });
  const authorization = await begin(app, browser);
  return { browser, authorization, callback: await provider.response(browser, authorization, subject) };
}

/** Comes back with a `Cookie` header of one's own making. */
const comeBackWith = async (callback: URL, cookie: string) => {
  const response = await fetch(`${app.url}${callback.pathname}${callback.search}`, {
    redirect: "manual",
    headers: cookie === "" ? {} : { cookie },
  });
  const { searchParams } = new URL(response.headers.get("location") ?? "");
  return { status: response.status, outcome: Object.fromEntries(searchParams) };
};

/** Shows that `attempt` ends as expired and writes nothing. */
async function refusedAsExpired(attempt: () => Promise<unknown>) {
  await signsNobodyIn(app, async () => {
    expect(await attempt()).toEqual(EXPIRED);
  });
}

it("the cookie is short-lived, out of reach of pages and sibling domains, and removed at the end (V3.3.1)", async () => {
  const browser = newBrowser(app);
  const { setCookie } = await browser.visit("https://estimates.example.com/api/auth/google");
  expect(setCookie).toEqual([
    expect.stringMatching(/^__Host-google-sign-in=[\w-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax; Secure$/),
  ]);
  const { callback } = await sentBack(browser);
  const page = await browser.visit(callback);
  expect(page.setCookie).toEqual(["__Host-google-sign-in=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax; Secure"]);
  expect(browser.cookiesFor("https://estimates.example.com/")).toBe("");
});

it("over plain HTTP the cookie is sent only to the sign-in", async () => {
  const baseUrl = "http://127.0.0.1:3000/estimates";
  const at = await startProvider({ redirectUri: `${baseUrl}/api/auth/google/callback` });
  const local = await startPublicApp(at.config, { baseUrl });
  at.accounts.set("ada", { email: "ada@example.com", email_verified: true });
  // What stands in front of the service takes the folder away.
  const browser = newBrowser(local);
  const { setCookie, location } = await browser.visit(`${baseUrl}/api/auth/google`);
  expect(setCookie).toEqual([
    expect.stringMatching(
      /^google-sign-in=[\w-]+; Max-Age=600; Path=\/estimates\/api\/auth\/google; HttpOnly; SameSite=Lax$/,
    ),
  ]);
  for (const path of ["/", "/estimates/api/auth/login", "/estimates/api/auth/google-other"]) {
    expect(browser.cookiesFor(new URL(path, baseUrl))).toBe("");
  }
  const callback = await at.response(browser, location as URL, "ada");
  expect(await finish(browser, callback)).toEqual({ code: expect.any(String) });
  expect(browser.cookiesFor(callback)).not.toContain("google-sign-in");
});

it("neither the provider nor a person who reads the cookie can finish the sign-in with what they see (V3.3.1)", async () => {
  const browser = newBrowser(app);
  const authorization = await begin(app, browser);
  const cookie = browser.cookiesFor(REDIRECT_URI);
  for (const name of ["state", "nonce", "code_challenge"]) {
    expect(Buffer.from(cookie.split("=")[1] ?? "", "base64url").toString("latin1")).not.toContain(
      authorization.searchParams.get(name),
    );
  }
});

it("a browser that did not begin the sign-in is refused, and the browser that did can still finish it (V10.1.2)", async () => {
  const { browser, callback } = await sentBack();
  await refusedAsExpired(() => finish(newBrowser(app), callback));
  await refusedAsExpired(async () => {
    const other = newBrowser(app);
    await begin(app, other);
    return finish(other, callback);
  });
  expect(await finish(browser, callback)).toEqual({ code: expect.any(String) });
});

it("state, nonce and challenge differ each time (V10.1.2)", async () => {
  const seen = new Set<string | null>();
  for (let at = 0; at < 5; at += 1) {
    const { searchParams } = await begin(app, newBrowser(app));
    for (const name of ["state", "nonce", "code_challenge"]) seen.add(searchParams.get(name));
  }
  expect(seen.size).toBe(15);
});

it("a sign-in can be finished once, even if the browser keeps the cookie (V10.1.2)", async () => {
  const { browser, callback } = await sentBack();
  const cookie = browser.cookiesFor(callback);
  expect(await finish(browser, callback)).toEqual({ code: expect.any(String) });
  await refusedAsExpired(() => finish(browser, callback));
  await refusedAsExpired(async () => (await comeBackWith(callback, cookie)).outcome);
});

it("of twenty simultaneous returns with one sign-in, one gets a code", async () => {
  const { browser, callback } = await sentBack();
  const cookie = browser.cookiesFor(callback);
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => comeBackWith(callback, cookie)));
  expect(outcomes.filter(({ outcome }) => outcome.code)).toHaveLength(1);
  expect(outcomes.filter(({ outcome }) => outcome.error === EXPIRED.error)).toHaveLength(19);
});

it("a sign-in that was replaced by a later one in the same browser is refused, and the later one works", async () => {
  const browser = newBrowser(app);
  const first = await sentBack(browser);
  const second = await sentBack(browser);
  await refusedAsExpired(() => finish(browser, first.callback));
  expect(await finish(browser, second.callback)).toEqual({ code: expect.any(String) });
});

it("a state that is missing, empty, changed or repeated is refused (V10.2.1)", async () => {
  const { browser, callback } = await sentBack();
  const state = callback.searchParams.get("state") ?? "";
  for (const query of [
    [],
    [["state", ""]],
    [["state", `${state}x`]],
    [["state", state.toLowerCase()]],
    [
      ["state", state],
      ["state", state],
    ],
  ]) {
    const changed = new URL(`${callback.origin}${callback.pathname}?code=${callback.searchParams.get("code")}`);
    for (const [name, value] of query as [string, string][]) changed.searchParams.append(name, value);
    await refusedAsExpired(() => finish(browser, changed));
  }
  expect(await finish(browser, callback)).toEqual({ code: expect.any(String) });
});

it("a cookie that is empty, cut, changed, repeated or sealed for another purpose is refused (V3.3.1)", async () => {
  const { browser, callback } = await sentBack();
  const cookie = browser.cookiesFor(callback);
  const [name, value = ""] = cookie.split("=");
  const flipped = Buffer.from(value, "base64url");
  flipped[40] = (flipped[40] ?? 0) ^ 1;
  const state = callback.searchParams.get("state") ?? "";
  const pending = { state, nonce: "n", codeVerifier: "v", expiresAtMs: app.clock.now().getTime() + MINUTE_MS };
  const other = (await app.services.sealing.sealBriefly(JSON.stringify(pending), "webhook")).toString("base64url");
  const values = ["", "x", value.slice(0, 20), flipped.toString("base64url"), other, JSON.stringify(pending)];
  for (const made of [...values.map((one) => `${name}=${one}`), `${cookie}; ${cookie}`, `x${cookie}`]) {
    await refusedAsExpired(async () => (await comeBackWith(callback, made)).outcome);
  }
  expect((await comeBackWith(callback, `a=b; ${cookie}; c=d`)).outcome).toEqual({ code: expect.any(String) });
});

it("a sign-in is accepted for ten minutes, and not a millisecond longer (V10.1.2)", async () => {
  const inTime = await sentBack();
  const cookie = inTime.browser.cookiesFor(inTime.callback);
  await app.clock.advance(10 * MINUTE_MS);
  expect((await comeBackWith(inTime.callback, cookie)).outcome).toEqual({ code: expect.any(String) });
  const late = await sentBack();
  await app.clock.advance(10 * MINUTE_MS + 1);
  await refusedAsExpired(() => finish(late.browser, late.callback));
});

it("a code that was requested with another PKCE challenge is refused (V10.2.1)", async () => {
  const browser = newBrowser(app);
  const authorization = await begin(app, browser);
  authorization.searchParams.set("code_challenge", "A".repeat(43));
  provider.accounts.set("attacker", { email: "attacker@example.com", email_verified: true });
  const callback = await provider.response(browser, authorization, "attacker");
  await signsNobodyIn(app, async () => {
    expect(await finish(browser, callback)).toEqual({ error: "sign_in_failed" });
  });
});

it("another sign-in's code is refused, even with the right state (V10.2.1)", async () => {
  const victim = await sentBack();
  const attacker = await sentBack();
  const injected = new URL(victim.callback);
  injected.searchParams.set("code", attacker.callback.searchParams.get("code") ?? "");
  await signsNobodyIn(app, async () => {
    expect(await finish(victim.browser, injected)).toEqual({ error: "sign_in_failed" });
  });
});

it("a response of another provider, a made-up code, a repeated code and a missing code sign nobody in (V10.2.2)", async () => {
  const changes: ((url: URL) => void)[] = [
    (url) => url.searchParams.set("iss", "https://accounts.google.com"),
    (url) => url.searchParams.delete("iss"),
    (url) => url.searchParams.set("code", "made-up"),
    (url) => url.searchParams.append("code", "second"),
    (url) => url.searchParams.delete("code"),
    (url) => url.searchParams.set("error", "something_new"),
    (url) => url.searchParams.set("id_token", "a.b.c"),
    (url) => url.searchParams.set("response", "a.b.c"),
  ];
  for (const change of changes) {
    const { browser, callback } = await sentBack();
    change(callback);
    await signsNobodyIn(app, async () => {
      expect(await finish(browser, callback), String(change)).toEqual({ error: "sign_in_failed" });
    });
  }
});

it("further parameters that a provider adds to the address are ignored", async () => {
  const { browser, callback } = await sentBack();
  for (const name of ["scope", "authuser", "prompt", "hd", "session_state"]) callback.searchParams.set(name, "x");
  expect(await finish(browser, callback)).toEqual({ code: expect.any(String) });
});

it("a user who declines at the provider is redirected with access_denied", async () => {
  const browser = newBrowser(app);
  const callback = await provider.response(browser, await begin(app, browser), "", "decline");
  await signsNobodyIn(app, async () => {
    expect(await finish(browser, callback)).toEqual({ error: "access_denied" });
  });
});
