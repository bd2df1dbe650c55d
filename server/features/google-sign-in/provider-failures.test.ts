import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { createFakeClock } from "../../../tests/fake-clock.ts";
import { createLog } from "../../platform/log.ts";
import { createDiscovery } from "./discovery.ts";
import { createSignIn } from "./sign-in.ts";
import { begin, finish, newBrowser, REDIRECT_URI, signsNobodyIn, startPublicApp, WEB_URL } from "./testing/app.ts";
import { DISCOVERY, startForgingProvider } from "./testing/forging-provider.ts";

const forger = await startForgingProvider();
const sharedApp = await startPublicApp(forger.config);
const UNAVAILABLE = { error: "provider_unavailable" };
const HOUR_MS = 3_600_000;

beforeEach(() => {
  forger.responses.clear();
  forger.requests.clear();
});

/** A browser that has started, and a provider that will tell the truth about one person. */
async function begun(app: Awaited<ReturnType<typeof startPublicApp>>) {
  const browser = newBrowser(app);
  const { searchParams } = await begin(app, browser);
  const idToken = await forger.sign(forger.claims(String(searchParams.get("nonce")), crypto.randomUUID()));
  const tokens = { access_token: "a", token_type: "Bearer", id_token: idToken };
  forger.responses.set("/token", { body: tokens });
  return { browser, callback: `${REDIRECT_URI}?code=any&state=${searchParams.get("state")}` };
}

describe("a provider that cannot be used", () => {
  const { issuer } = forger.config;
  const broken: [string, () => void][] = [
    ["responds with 500", () => forger.responses.set(DISCOVERY, { status: 500, body: {} })],
    ["redirects", () => forger.responses.set(DISCOVERY, { status: 302, body: {} })],
    ["responds with invalid metadata", () => forger.responses.set(DISCOVERY, { body: [] })],
    [
      "names another issuer",
      () => forger.responses.set(DISCOVERY, { body: { issuer: "https://accounts.google.com" } }),
    ],
    ["names a similar issuer", () => forger.responses.set(DISCOVERY, { body: { issuer: `${issuer}/x` } })],
    ["names no page for signing in", () => forger.responses.set(DISCOVERY, { body: { issuer } })],
    [
      "names an invalid page",
      () =>
        forger.responses.set(DISCOVERY, {
          body: {
            issuer,
            authorization_endpoint: "javascript:x",
            token_endpoint: `${issuer}/t`,
            jwks_uri: `${issuer}/j`,
          },
        }),
    ],
  ];

  it.each(broken)(
    "because it %s sends the browser to the web application, without a cookie (V10.5.3)",
    async (_, breakIt) => {
      breakIt();
      const app = await startPublicApp(forger.config);
      const { status, location, setCookie } = await newBrowser(app).visit(
        "https://estimates.example.com/api/auth/google",
      );
      expect([status, location?.href]).toEqual([302, `${WEB_URL}/auth/callback?error=provider_unavailable`]);
      expect(setCookie).toEqual([]);
      forger.responses.clear();
      expect((await begin(app, newBrowser(app))).origin).toBe(issuer);
      await app.stop();
    },
  );

  it("because nothing listens does the same", async () => {
    const app = await startPublicApp({ ...forger.config, issuer: "http://127.0.0.1:9" });
    const page = await newBrowser(app).visit("https://estimates.example.com/api/auth/google");
    expect([page.status, page.location?.searchParams.get("error")]).toEqual([302, "provider_unavailable"]);
  });
});

describe("the provider's metadata", () => {
  it("is requested once for all simultaneous sign-ins, and cached for an hour", async () => {
    const app = await startPublicApp(forger.config);
    await Promise.all(Array.from({ length: 10 }, () => begin(app, newBrowser(app))));
    await app.clock.advance(HOUR_MS - 1);
    await begin(app, newBrowser(app));
    expect(forger.requests.get(DISCOVERY)).toBe(1);
    await app.clock.advance(1);
    await begin(app, newBrowser(app));
    expect(forger.requests.get(DISCOVERY)).toBe(2);
  });

  it("stays in use if it cannot be loaded again, and is requested again a minute later", async () => {
    const app = await startPublicApp(forger.config);
    await begin(app, newBrowser(app));
    forger.responses.set(DISCOVERY, { status: 503, body: {} });
    await app.clock.advance(HOUR_MS);
    for (let times = 0; times < 3; times += 1) await begin(app, newBrowser(app));
    expect(forger.requests.get(DISCOVERY)).toBe(2);
    await app.clock.advance(60_000);
    await begin(app, newBrowser(app));
    expect(forger.requests.get(DISCOVERY)).toBe(3);
  });

  it("is not waited for beyond the timeout", async () => {
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    afterAll(() => silent.close());
    const issuer = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const services = { clock: createFakeClock(), log: pino({ level: "silent" }) };
    const discover = createDiscovery({ ...forger.config, issuer }, services, 0.1);
    await expect(discover()).rejects.toMatchObject(UNAVAILABLE);
    silent.closeAllConnections();
  });
});

describe("a provider that fails on the way back", () => {
  const failing: [string, string, string, object][] = [
    ["its token endpoint responds with 500", "provider_unavailable", "/token", { status: 500, body: {} }],
    ["its token endpoint responds with 503", "provider_unavailable", "/token", { status: 503, body: {} }],
    ["its token endpoint redirects", "sign_in_failed", "/token", { status: 307, body: {} }],
    [
      "its token endpoint refuses the code",
      "sign_in_failed",
      "/token",
      { status: 400, body: { error: "invalid_grant" } },
    ],
    [
      "its token endpoint refuses the client",
      "sign_in_failed",
      "/token",
      { status: 401, body: { error: "invalid_client" } },
    ],
    ["its token endpoint responds with an invalid body", "sign_in_failed", "/token", { body: "none" }],
    ["its keys cannot be loaded", "provider_unavailable", "/jwks", { status: 502, body: {} }],
    ["it publishes no keys", "sign_in_failed", "/jwks", { body: { keys: [] } }],
  ];

  it.each(failing)("because %s ends with %s and writes nothing", async (_, error, path, response) => {
    const app = await startPublicApp(forger.config);
    const { browser, callback } = await begun(app);
    forger.responses.set(path, response);
    await signsNobodyIn(app, async () => {
      expect(await finish(browser, callback)).toEqual({ error });
    });
    await app.stop();
  });

  it.each([
    ["temporarily_unavailable", "provider_unavailable"],
    ["server_error", "provider_unavailable"],
    ["access_denied", "access_denied"],
    ["invalid_scope", "sign_in_failed"],
  ])("by saying %s ends with %s", async (said, error) => {
    const { browser, callback } = await begun(sharedApp);
    expect(await finish(browser, callback.replace("code=any", `error=${said}`))).toEqual({ error });
  });

  it("is distinguished from an error of the service itself, which also redirects the browser, and is logged", async () => {
    const lines: string[] = [];
    const app = await startPublicApp(
      forger.config,
      {},
      {
        log: createLog("error", { write: (line) => void lines.push(line) }),
      },
    );
    for (const table of ["exchange_codes", "finished_sign_ins"]) {
      const { browser, callback } = await begun(app);
      await app.pool.query(`alter table ${table} rename to gone`);
      const users = await app.pool.query("select * from users");
      expect(await finish(browser, callback)).toEqual({ error: "service_unavailable" });
      expect((await app.pool.query("select * from users")).rows).toEqual(users.rows);
      await app.pool.query(`alter table gone rename to ${table}`);
      const told = lines.splice(0).map((line) => JSON.parse(line));
      expect(told.map(({ msg, err }) => [msg, err.cause.code])).toEqual([["a sign-in was given up", "42P01"]]);
      // The provider's code is used up: only beginning again helps.
      const again = await begun(app);
      expect(await finish(again.browser, again.callback)).toEqual({ code: expect.any(String) });
    }
  });

  it("leaves no code, token, claim or secret in the log", async () => {
    const lines: string[] = [];
    const log = pino({ level: "trace" }, { write: (line: string) => lines.push(line) });
    const signIn = createSignIn({ ...sharedApp.services, log }, forger.config);
    const now = sharedApp.clock.now();
    const moment = { now, ip: null, userAgent: null };
    const idToken = await forger.sign({ sub: "secret-subject", email: "secret-address" });
    const responses: object[] = [
      { body: { access_token: "secret-access", token_type: "Bearer", id_token: idToken } },
      { status: 400, body: { error: "invalid_grant", error_description: "secret-description" } },
      { status: 500, body: "secret-body" },
    ];
    for (const response of responses) {
      forger.responses.set("/token", response);
      const { location, setCookie = "" } = await signIn.begin(now);
      const cookie = setCookie.split(";", 1)[0] ?? "";
      const state = new URL(location).searchParams.get("state") ?? "none";
      await signIn.finish({ code: "secret-code", state }, cookie, moment);
      const told = lines.splice(0).join("");
      expect(told).toContain("a sign-in was refused");
      for (const secret of ["secret", "eyJ", state, cookie, forger.config.clientSecret]) {
        expect(told).not.toContain(secret);
      }
    }
  });
});
