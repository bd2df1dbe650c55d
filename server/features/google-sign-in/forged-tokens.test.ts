import { createHmac, generateKeyPairSync } from "node:crypto";
import { exportSPKI, type JWTPayload } from "jose";
import { beforeEach, describe, expect, it } from "vitest";
import { begin, finish, newBrowser, REDIRECT_URI, signsNobodyIn, startPublicApp } from "./testing/app.ts";
import { startForgingProvider } from "./testing/forging-provider.ts";

const forger = await startForgingProvider();
const app = await startPublicApp(forger.config);
let people = 0;

beforeEach(() => {
  people += 1;
  forger.responses.clear();
});

/** Signs in with the ID token, or the whole response of the token endpoint, that `make` makes of the right claims. */
async function signInWith(make: (claims: JWTPayload) => Promise<string | object> | string | object) {
  const browser = newBrowser(app);
  const authorization = await begin(app, browser);
  const claims = forger.claims(String(authorization.searchParams.get("nonce")), `person-${people}`);
  forger.responses.set("/token", async () => {
    const made = await make(claims);
    const tokens = typeof made === "string" ? { id_token: made } : made;
    return { body: { access_token: "for-userinfo", token_type: "Bearer", ...tokens } };
  });
  return finish(browser, `${REDIRECT_URI}?code=any&state=${authorization.searchParams.get("state")}`);
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const unsigned = (header: object, claims: object) => `${encode(header)}.${encode(claims)}`;
const hmac = (secret: string, input: string) => createHmac("sha256", secret).update(input).digest("base64url");
const without = (claims: JWTPayload, name: string) =>
  Object.fromEntries(Object.entries(claims).filter(([key]) => key !== name));
const nowSeconds = () => Math.floor(Date.now() / 1_000);
const stranger = generateKeyPairSync("rsa", { modulusLength: 2048 });
const strangerJwk = stranger.publicKey.export({ format: "jwk" });

describe("an ID token", () => {
  it("is accepted if it is correct and signed with either of the provider's keys", async () => {
    expect(await signInWith((claims) => forger.sign(claims))).toEqual({ code: expect.any(String) });
    const byEc = await signInWith((claims) => forger.sign(claims, forger.keys.ec, { alg: "ES256", kid: "ec" }));
    expect(byEc).toEqual({ code: expect.any(String) });
    const listed = await signInWith((claims) => forger.sign({ ...claims, aud: ["estimation"], azp: "estimation" }));
    expect(listed).toEqual({ code: expect.any(String) });
  });

  const changed: [string, (claims: JWTPayload) => Record<string, unknown>][] = [
    ["for another client", (claims) => ({ ...claims, aud: "another" })],
    ["for other clients", (claims) => ({ ...claims, aud: ["another", "third"] })],
    ["for another client beside us", (claims) => ({ ...claims, aud: ["estimation", "another"], azp: "estimation" })],
    ["for nobody", (claims) => without(claims, "aud")],
    ["issued to another client", (claims) => ({ ...claims, azp: "another" })],
    ["of another issuer", (claims) => ({ ...claims, iss: "https://accounts.google.com" })],
    ["of nearly the same issuer", (claims) => ({ ...claims, iss: `${claims.iss}/` })],
    ["without an issuer", (claims) => without(claims, "iss")],
    ["with another sign-in's nonce", (claims) => ({ ...claims, nonce: "another" })],
    ["without a nonce", (claims) => without(claims, "nonce")],
    ["that has expired", (claims) => ({ ...claims, exp: nowSeconds() - 60 })],
    ["that never expires", (claims) => without(claims, "exp")],
    ["whose expiry is not a number", (claims) => ({ ...claims, exp: "tomorrow" })],
    ["from the future", (claims) => ({ ...claims, iat: nowSeconds() + 120 })],
    ["without a time of issue", (claims) => without(claims, "iat")],
    ["that is not valid yet", (claims) => ({ ...claims, nbf: nowSeconds() + 120 })],
    ["about nobody", (claims) => without(claims, "sub")],
    ["about an empty name", (claims) => ({ ...claims, sub: "" })],
    ["about a number", (claims) => ({ ...claims, sub: 7 })],
    ["about a name that is too long", (claims) => ({ ...claims, sub: "s".repeat(256) })],
    ["about a name that cannot be stored", (claims) => ({ ...claims, sub: "a\0b" })],
    ["with an invalid address", (claims) => ({ ...claims, email: "not an address" })],
    ["with an address that is too long", (claims) => ({ ...claims, email: `${"a".repeat(250)}@example.com` })],
    ["with an address that cannot be stored", (claims) => ({ ...claims, email: "a\0@example.com" })],
    ["with an address of half a character", (claims) => ({ ...claims, email: "a\ud800@example.com" })],
    ["with an address of another type", (claims) => ({ ...claims, email: ["a@example.com"] })],
  ];

  it.each(changed)("%s signs nobody in and writes nothing (V6.8.1, V9.2.1, V10.5.1, V10.5.4)", async (_, change) => {
    await signsNobodyIn(app, async () => {
      expect(await signInWith((claims) => forger.sign(change(claims) as JWTPayload))).toEqual({
        error: "sign_in_failed",
      });
    });
  });

  const forged: [string, (claims: JWTPayload) => Promise<string | object> | string | object][] = [
    ["signed by another key under the id of the provider's key", (claims) => forger.sign(claims, stranger.privateKey)],
    [
      "signed by a key that it contains",
      (claims) => forger.sign(claims, stranger.privateKey, { kid: "stranger", jwk: strangerJwk }),
    ],
    [
      "signed by a key that it refers to",
      (claims) => forger.sign(claims, stranger.privateKey, { kid: "stranger", jku: "http://127.0.0.1:9/jwks" }),
    ],
    [
      "signed by a key that the provider does not publish",
      (claims) => forger.sign(claims, undefined, { kid: "third" }),
    ],
    ["signed by one key under the id of the other", (claims) => forger.sign(claims, undefined, { kid: "ec" })],
    ["that is not signed", (claims) => `${unsigned({ alg: "none" }, claims)}.`],
    ["that is not signed, in other letters", (claims) => `${unsigned({ alg: "nOnE", kid: "rsa" }, claims)}.`],
    [
      "signed with the public key as a secret",
      async (claims) => {
        const input = unsigned({ alg: "HS256", kid: "rsa" }, claims);
        return `${input}.${hmac(await exportSPKI(forger.publicRsaKey), input)}`;
      },
    ],
    [
      "signed with the client's secret",
      (claims) => {
        const input = unsigned({ alg: "HS256" }, claims);
        return `${input}.${hmac(forger.config.clientSecret, input)}`;
      },
    ],
    [
      "changed after it was signed",
      async (claims) => {
        const [header, , signature] = (await forger.sign(claims)).split(".");
        return `${header}.${encode({ ...claims, sub: "admin" })}.${signature}`;
      },
    ],
    ["whose signature was cut off", async (claims) => (await forger.sign(claims)).replace(/[^.]*$/, "")],
    [
      "with an extension that must be understood",
      (claims) => {
        const header = { alg: "RS256", kid: "rsa", crit: ["x"], x: 1 };
        return `${unsigned(header, claims)}.AAAA`;
      },
    ],
    ["that is encrypted", () => "a.b.c.d.e"],
    ["that is not a token", () => "none"],
    ["that is missing", () => ({})],
    ["that is not text", () => ({ id_token: 7 })],
  ];

  it.each(forged)("%s signs nobody in and writes nothing (V6.8.2)", async (_, make) => {
    await signsNobodyIn(app, async () => {
      expect(await signInWith(make)).toEqual({ error: "sign_in_failed" });
    });
  });

  const unproved: [string, unknown][] = [
    ["false", false],
    ["not said", undefined],
    ["text", "true"],
    ["a number", 1],
  ];

  it.each(unproved)("whose email_verified is %s signs nobody in and writes nothing", async (_, verified) => {
    await signsNobodyIn(app, async () => {
      const outcome = await signInWith((claims) => forger.sign({ ...claims, email_verified: verified }));
      expect(outcome).toEqual({ error: "email_not_verified" });
    });
  });
});

describe("what the provider returns", () => {
  it("is not accepted as a credential, and not as a code (V9.2.2)", async () => {
    let idToken = "";
    const { code } = await signInWith(async (claims) => {
      idToken = await forger.sign(claims);
      return idToken;
    });
    const exchange = (given: string) => app.request("POST", "/api/auth/exchange", { body: { code: given } });
    for (const token of [idToken, String(code), "for-userinfo"])
      expect((await app.request("GET", "/api/auth/me", { token })).status).toBe(401);
    for (const wrong of [idToken, "for-userinfo"])
      expect((await exchange(wrong)).body.code).toBe("INVALID_EXCHANGE_CODE");
    expect((await exchange(String(code))).status).toBe(200);
  });

  it("identifies a user by issuer and subject: the same subject at another issuer is another user (V6.8.1)", async () => {
    const userOf = async ({ code }: Record<string, string>) =>
      (await app.request("POST", "/api/auth/exchange", { body: { code } })).data.user?.id;
    const signInAs = () =>
      signInWith((claims) => forger.sign({ ...claims, sub: "shared-name", email: "shared@example.com" }));
    const first = await userOf(await signInAs());
    await app.pool.query("update identities set issuer = 'https://other.example' where subject = 'shared-name'");
    await app.pool.query("update users set email = 'first@example.org' where id = $1", [first]);
    expect(await userOf(await signInAs())).not.toBe(first);
  });
});

describe("if the ID token does not contain the address", () => {
  const userInfo = (body: object) => forger.responses.set("/userinfo", { body });
  const bare = (claims: JWTPayload) => forger.sign(without(without(claims, "email"), "email_verified"));

  it("the UserInfo endpoint is trusted only for the same subject", async () => {
    userInfo({ sub: `person-${people}`, email: "told@example.com", email_verified: true });
    expect(await signInWith(bare)).toEqual({ code: expect.any(String) });
    const { rows } = await app.pool.query("select name from users where email = 'told@example.com'");
    expect(rows).toEqual([{ name: "told" }]);
  });

  it.each([
    ["about another person", { sub: "another", email: "x@example.com", email_verified: true }, "sign_in_failed"],
    ["about nobody", { email: "x@example.com", email_verified: true }, "sign_in_failed"],
    ["that is not verified", { email: "x@example.com", email_verified: false }, "email_not_verified"],
    ["without an address", { email_verified: true }, "sign_in_failed"],
  ])("a response %s signs nobody in and writes nothing", async (name, body, error) => {
    userInfo(name.startsWith("about") ? body : { sub: `person-${people}`, ...body });
    await signsNobodyIn(app, async () => {
      expect(await signInWith(bare)).toEqual({ error });
    });
  });

  it("it is not called if the ID token does", async () => {
    userInfo({ sub: `person-${people}`, email: "other@example.com", email_verified: true });
    await signInWith((claims) => forger.sign(claims));
    const { rows } = await app.pool.query("select 1 from users where email = 'other@example.com'");
    expect(rows).toEqual([]);
  });
});
