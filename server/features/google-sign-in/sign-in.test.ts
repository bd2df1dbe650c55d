import { describe, expect, it } from "vitest";
import type { TestApp } from "../../../tests/harness.ts";
import { addUser } from "../auth/index.ts";
import {
  BASE_URL,
  begin,
  finish,
  newBrowser,
  REDIRECT_URI,
  signsNobodyIn,
  startPublicApp,
  WEB_URL,
} from "./testing/app.ts";
import type { Browser } from "./testing/browser.ts";
import type { Account } from "./testing/provider.ts";
import { startProvider } from "./testing/real-provider.ts";

const provider = await startProvider({ redirectUri: REDIRECT_URI });
const app = await startPublicApp(provider.config);
let people = 0;

/** A new person at the provider. */
function newPerson(claims: Account = {}, at = provider) {
  people += 1;
  const subject = `person-${people}`;
  const email = claims.email ?? `person-${people}@example.com`;
  at.accounts.set(subject, { email, email_verified: true, name: `Person ${people}`, ...claims });
  return { subject, email };
}

/** Goes the whole way to the web application. */
async function signIn(subject: string, on: TestApp = app, at = provider, browser: Browser = newBrowser(on)) {
  return finish(browser, await at.response(browser, await begin(on, browser), subject));
}

const exchange = (code: string | undefined, on: TestApp = app) =>
  on.request("POST", "/api/auth/exchange", { body: { code } });

/** Signs in and returns the user. */
async function userOf(subject: string, on: TestApp = app, at = provider) {
  const outcome = await signIn(subject, on, at);
  if (!outcome.code) throw new Error(JSON.stringify(outcome));
  const { data, status, text } = await exchange(outcome.code, on);
  if (status !== 200) throw new Error(text);
  return { ...data.user, token: String(data.token) } as Record<string, unknown> & { id: string; token: string };
}

const eventsOf = async (userId: string, on: TestApp = app): Promise<string[]> => {
  const { rows } = await on.pool.query("select event from audit_events where user_id = $1 order by id", [userId]);
  return rows.map(({ event }) => event);
};

async function signUp(on: TestApp, verified: boolean) {
  const user = await on.signUp();
  if (verified) await on.pool.query("update users set email_verified_at = now() where id = $1", [user.userId]);
  return user;
}

describe("signing in at a real OpenID provider", () => {
  it("creates an account and returns a valid session token", async () => {
    const { subject, email } = newPerson({ name: "Ada Lovelace", picture: "https://pictures.example.com/ada.png" });
    const outcome = await signIn(subject);
    expect(outcome).toEqual({ code: expect.stringMatching(/^[\w-]{43}$/) });
    const { status, data } = await exchange(outcome.code);
    expect(status).toBe(200);
    expect(data.user).toMatchObject({
      email,
      name: "Ada Lovelace",
      avatarUrl: "https://pictures.example.com/ada.png",
      emailVerifiedAt: app.clock.now().toISOString(),
    });
    const me = await app.request("GET", "/api/auth/me", { token: String(data.token) });
    expect([me.status, me.data.user]).toEqual([200, data.user]);
    expect(await eventsOf(String(data.user?.id))).toEqual(["user.registered", "google.linked", "google.signed_in"]);
  });

  it("works with a provider that signs with ES256, accepts the secret in a header and puts all claims into the ID token", async () => {
    const other = await startProvider({
      redirectUri: REDIRECT_URI,
      clientAuthentication: "client_secret_basic",
      claimsInIdToken: true,
      signature: "ES256",
    });
    const on = await startPublicApp(other.config);
    const { subject, email } = newPerson({}, other);
    expect(await userOf(subject, on, other)).toMatchObject({ email });
  });

  it("finds the same account again, whatever its address is at the provider by then (V10.5.2)", async () => {
    const { subject, email } = newPerson();
    const first = await userOf(subject);
    const neighbour = newPerson();
    const next = await userOf(neighbour.subject);
    provider.accounts.set(subject, { email: "moved@example.com", email_verified: true, name: "Other" });
    expect(await userOf(subject)).toMatchObject({ id: first.id, email, name: first.name });
    provider.accounts.set(subject, { email: neighbour.email, email_verified: true });
    expect(await userOf(subject)).toMatchObject({ id: first.id, email });
    expect(await userOf(neighbour.subject)).toMatchObject({ id: next.id });
    expect(await eventsOf(first.id)).toEqual([
      "user.registered",
      "google.linked",
      "google.signed_in",
      "google.signed_in",
      "google.signed_in",
    ]);
  });

  it("creates one account for a new person who signs in with ten browsers at once", async () => {
    const { subject, email } = newPerson();
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => signIn(subject)));
    expect(outcomes.map(({ error }) => error)).toEqual(Array(10).fill(undefined));
    const users = await Promise.all(outcomes.map(({ code }) => exchange(code)));
    expect(new Set(users.map(({ data }) => data.user?.id)).size).toBe(1);
    const { rows } = await app.pool.query("select count(*)::int n from users where email = $1", [email]);
    expect(rows).toEqual([{ n: 1 }]);
  });

  const profiles: [string, Account, { name?: string; avatarUrl: string | null }][] = [
    ["a picture over plain http", { picture: "http://x.example/a.png" }, { avatarUrl: null }],
    ["a picture that is a script", { picture: "javascript:alert(1)" }, { avatarUrl: null }],
    ["a picture with a password", { picture: "https://a:b@x.example/a.png" }, { avatarUrl: null }],
    ["a picture beyond the limit", { picture: `https://x.example/${"a".repeat(2_048)}` }, { avatarUrl: null }],
    ["a blank name", { name: " \t " }, { name: "local.part", avatarUrl: null }],
    ["an invisible name", { name: "\u200b\u3164" }, { name: "local.part", avatarUrl: null }],
    ["a name surrounded by spaces", { name: "  Ada  " }, { name: "Ada", avatarUrl: null }],
    ["a name beyond the limit", { name: "😀".repeat(300) }, { name: "😀".repeat(200), avatarUrl: null }],
    ["a name that cannot be stored", { name: "A\0da" }, { name: "local.part", avatarUrl: null }],
  ];

  it.each(profiles)("uses %s as far as it is valid", async (name, claims, expected) => {
    const { subject } = newPerson({
      email: `local.part@${profiles.findIndex(([one]) => one === name)}.example`,
      ...claims,
    });
    expect(await userOf(subject)).toMatchObject(expected);
  });

  it("requests a code with PKCE, state and nonce, and never with an address from the request (V10.2.1, V10.2.3, V10.4.1)", async () => {
    const response = await fetch(`${app.url}/api/auth/google`, {
      redirect: "manual",
      headers: { "x-forwarded-host": "evil.example", "x-forwarded-proto": "http", referer: "https://evil.example" },
    });
    const { origin, searchParams } = new URL(response.headers.get("location") ?? "");
    expect(origin).toBe(provider.config.issuer);
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: provider.config.clientId,
      response_type: "code",
      redirect_uri: REDIRECT_URI,
      scope: "openid email profile",
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: "S256",
    });
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("referrer-policy")).toBe("no-referrer");
    expect(await response.text()).toBe("");
  });

  it("redirects to fixed addresses, which no parameter changes (V10.4.1)", async () => {
    const evil = "https://evil.example";
    for (const name of ["redirect_uri", "redirect", "returnTo", "next", "callback"]) {
      const refused = await fetch(`${app.url}/api/auth/google?${name}=${evil}`, { redirect: "manual" });
      expect([refused.status, refused.headers.get("location")], name).toEqual([400, null]);
      const back = await fetch(`${app.url}/api/auth/google/callback?${name}=${evil}&state=x`, { redirect: "manual" });
      expect(back.headers.get("location"), name).toBe(`${WEB_URL}/auth/callback?error=sign_in_expired`);
    }
  });

  it("passes only a code to the web application, and stores only its hash (V7.6.2, V10.1.1)", async () => {
    const browser = newBrowser(app);
    const page = await browser.visit(await provider.response(browser, await begin(app, browser), newPerson().subject));
    const code = page.location?.searchParams.get("code");
    expect(page.location?.href).toBe(`${WEB_URL}/auth/callback?code=${code}`);
    expect(page.text).toBe("");
    expect(JSON.stringify([...page.headers])).not.toMatch(/eyJ/);
    const { rows } = await app.pool.query(
      "select 1 from exchange_codes where hash = sha256($1) and position($1 in row_to_json(exchange_codes)::text::bytea) = 0",
      [Buffer.from(String(code))],
    );
    expect(rows).toHaveLength(1);
  });
});

describe("joining an account that exists", () => {
  it("happens if both sides have verified the address, and changes only who can sign in", async () => {
    const user = await signUp(app, true);
    const before = await app.pool.query("select * from users where id = $1", [user.userId]);
    const { subject } = newPerson({ email: user.email.toUpperCase(), name: "Other", picture: "https://x.example/a" });
    expect((await userOf(subject)).id).toBe(user.userId);
    const after = await app.pool.query("select * from users where id = $1", [user.userId]);
    const lastSignIn = { last_sign_in_at: app.clock.now() };
    expect(after.rows).toEqual([{ ...before.rows[0], ...lastSignIn, password_hash: null, token_version: 1 }]);
    expect(await eventsOf(user.userId)).toContain("google.linked");
  });

  it("happens once for a person who signs in with ten browsers at once", async () => {
    const user = await signUp(app, true);
    const { subject } = newPerson({ email: user.email });
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => signIn(subject)));
    const users = await Promise.all(outcomes.map(({ code }) => exchange(code)));
    expect(users.map(({ data }) => data.user?.id)).toEqual(Array(10).fill(user.userId));
    expect((await eventsOf(user.userId)).filter((event) => event === "google.linked")).toHaveLength(1);
  });

  it("is refused if the account has not verified the address, which the owner can see (V10.5.2)", async () => {
    const user = await signUp(app, false);
    const { subject } = newPerson({ email: user.email });
    await signsNobodyIn(
      app,
      async () => {
        expect(await signIn(subject)).toEqual({ error: "account_not_verified" });
      },
      { isTold: true },
    );
    expect((await eventsOf(user.userId)).at(-1)).toBe("google.sign_in_failed");
    await app.pool.query("update users set email_verified_at = now() where id = $1", [user.userId]);
    expect((await userOf(subject)).id).toBe(user.userId);
  });

  it("is refused while the account is disabled, by the identity and by the address, and a code from before opens nothing", async () => {
    const [linked, unlinked] = [newPerson(), newPerson({ email: (await signUp(app, true)).email })];
    const user = await userOf(linked.subject);
    const { code } = await signIn(linked.subject);
    const disable = (at: Date | null) =>
      app.pool.query("update users set disabled_at = $1 where email = any($2)", [at, [linked.email, unlinked.email]]);
    await disable(app.clock.now());
    for (const { subject } of [linked, unlinked])
      await signsNobodyIn(
        app,
        async () => {
          expect(await signIn(subject)).toEqual({ error: "account_disabled" });
        },
        { isTold: true },
      );
    expect((await eventsOf(user.id)).at(-1)).toBe("google.sign_in_failed");
    expect((await exchange(code)).body.message).toBe("invalid_exchange_code");
    await disable(null);
    for (const { subject } of [linked, unlinked]) await userOf(subject);
  });

  it("is refused if the provider has not verified it (V10.5.2)", async () => {
    const user = await signUp(app, true);
    const { subject } = newPerson({ email: user.email, email_verified: false });
    await signsNobodyIn(app, async () => {
      expect(await signIn(subject)).toEqual({ error: "email_not_verified" });
    });
  });

  it("is refused to a second person to whom the provider gives the address of the first (V10.5.2)", async () => {
    const { subject, email } = newPerson();
    const first = await userOf(subject);
    provider.accounts.set(subject, { email: "elsewhere@example.com", email_verified: true });
    const second = newPerson({ email });
    await signsNobodyIn(
      app,
      async () => {
        expect(await signIn(second.subject)).toEqual({ error: "account_linked" });
      },
      { isTold: true },
    );
    expect((await eventsOf(first.id)).at(-1)).toBe("google.sign_in_failed");
    expect((await userOf(subject)).id).toBe(first.id);
  });

  const LOCAL = "http://localhost:3000";

  it("does not require a verified account on a local instance, and stores no verification", async () => {
    const own = await startProvider({ redirectUri: `${LOCAL}/api/auth/google/callback` });
    const local = await startPublicApp(own.config, { smtpUrl: null, baseUrl: LOCAL, webUrl: LOCAL });
    const user = await signUp(local, false);
    const { subject } = newPerson({ email: user.email }, own);
    const browser = newBrowser(local);
    const page = await browser.visit(await own.response(browser, await begin(local, browser), subject));
    const { data } = await exchange(page.location?.searchParams.get("code") ?? undefined, local);
    expect(data.user).toMatchObject({ id: user.userId, emailVerifiedAt: null });
  });

  it.each([
    ["it has a public address", {}],
    ["it is behind a proxy", { baseUrl: LOCAL, webUrl: LOCAL, trustProxy: ["127.0.0.1/32"] }],
  ])("requires a verified account on a loopback address without a mail server if %s", async (_, config) => {
    const baseUrl = "baseUrl" in config ? config.baseUrl : BASE_URL;
    const own = await startProvider({ redirectUri: `${baseUrl}/api/auth/google/callback` });
    const exposed = await startPublicApp(own.config, { smtpUrl: null, host: "127.0.0.1", ...config });
    const squatter = await signUp(exposed, false);
    const { subject } = newPerson({ email: squatter.email }, own);
    const browser = newBrowser(exposed);
    await signsNobodyIn(
      exposed,
      async () => {
        const page = await browser.visit(await own.response(browser, await begin(exposed, browser), subject));
        expect(page.location?.search).toBe("?error=account_not_verified");
      },
      { isTold: true },
    );
    const search = await exposed.request("GET", "/api/users?q=a", { token: squatter.token });
    expect([search.status, search.body.details]).toEqual([403, { reason: "email_not_verified" }]);
  });

  it("is the only possibility while registration is closed", async () => {
    const closed = await startPublicApp(provider.config, { registration: "closed" });
    const { services, clock } = closed;
    const email = "invited@example.com";
    const invited = {
      email,
      name: "Invited",
      passwordHash: null,
      verified: true,
      mailed: false,
      ip: null,
      userAgent: null,
    };
    const user = await addUser(services.pool, services, { ...invited, now: clock.now() });
    await signsNobodyIn(closed, async () => {
      expect(await signIn(newPerson().subject, closed)).toEqual({ error: "registration_closed" });
    });
    const { subject } = newPerson({ email });
    expect((await userOf(subject, closed)).id).toBe(user?.id);
  });

  it("creates accounts only for the domains that may register, and signs in everybody who already has one", async () => {
    const limited = await startPublicApp(provider.config, { registrationDomains: ["xn--bcher-kva.example"] });
    await signsNobodyIn(limited, async () => {
      expect(await signIn(newPerson().subject, limited)).toEqual({ error: "registration_closed" });
    });
    const { subject } = newPerson({ email: "Ada@Bücher.example" });
    expect((await userOf(subject, limited)).email).toBe("ada@xn--bcher-kva.example");
    provider.accounts.set(subject, { email: "ada@example.org", email_verified: true });
    expect((await userOf(subject, limited)).email).toBe("ada@xn--bcher-kva.example");
  });

  it("is refused to a person whose address the provider no longer vouches for", async () => {
    const { subject, email } = newPerson();
    await userOf(subject);
    provider.accounts.set(subject, { email, email_verified: false });
    await signsNobodyIn(app, async () => {
      expect(await signIn(subject)).toEqual({ error: "email_not_verified" });
    });
  });
});

it("a service in a folder of its host sends the browser back to that folder", async () => {
  const baseUrl = `${BASE_URL}/estimates`;
  const redirectUri = `${baseUrl}/api/auth/google/callback`;
  const other = await startProvider({ redirectUri });
  const on = await startPublicApp(other.config, { baseUrl });
  const { searchParams } = new URL(
    (await fetch(`${on.url}/api/auth/google`, { redirect: "manual" })).headers.get("location") ?? "",
  );
  expect(searchParams.get("redirect_uri")).toBe(redirectUri);
});
