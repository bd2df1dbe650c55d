import { createHash, createHmac, generateKeyPairSync } from "node:crypto";
import { exportSPKI, type JWTPayload } from "jose";
import { beforeEach, expect, test } from "vitest";
import {
  BASE_URL,
  begin,
  finish,
  newBrowser,
  REDIRECT_URI,
  startPublicApp,
  WEB_URL,
} from "../../../server/features/google-sign-in/testing/app.ts";
import { startForgingProvider } from "../../../server/features/google-sign-in/testing/forging-provider.ts";
import { changesNothing, dump } from "../../support/dump.ts";
import { accountCalls } from "./account.ts";
import { encode } from "./forge.ts";

const forger = await startForgingProvider();
const forged = await startPublicApp(forger.config, { rateLimitAuthPerMinute: 1_000_000 });
const stranger = generateKeyPairSync("rsa", { modulusLength: 2048 });
const FAILED = { error: "sign_in_failed" };
let people = 0;

beforeEach(() => forger.responses.clear());

/** Signs in with the ID token that `make` builds from valid claims; returns the result and the token. */
async function signInWith(make: (claims: JWTPayload) => Promise<string> | string, subject = `forged-${people}`) {
  people += 1;
  const browser = newBrowser(forged);
  const authorization = await begin(forged, browser);
  let idToken = "";
  forger.responses.set("/token", async () => {
    idToken = await make(forger.claims(String(authorization.searchParams.get("nonce")), subject));
    return { body: { access_token: "at-the-provider", token_type: "Bearer", id_token: idToken } };
  });
  const state = authorization.searchParams.get("state");
  return { outcome: await finish(browser, `${REDIRECT_URI}?code=any&state=${state}`), idToken };
}

/** Checks that such an ID token signs nobody in and creates no account. */
async function expectRefused(makes: readonly ((claims: JWTPayload) => Promise<string> | string)[]): Promise<void> {
  expect((await signInWith((claims) => forger.sign(claims))).outcome).toEqual({ code: expect.any(String) });
  const signInWithAll = async () => {
    for (const make of makes) expect((await signInWith(make)).outcome, String(make)).toEqual(FAILED);
  };
  // What begins a sign-in serves once, whatever becomes of it.
  await changesNothing(forged, signInWithAll, ["public.finished_sign_ins"]);
}

const changed = (changes: Record<string, unknown>) => (claims: JWTPayload) =>
  forger.sign(JSON.parse(JSON.stringify({ ...claims, ...changes })));
const without = (name: string) => changed({ [name]: undefined });

test("V10.1.1 nothing that the provider returns is stored", async () => {
  const { idToken } = await signInWith((claims) => forger.sign(claims));
  const text = await dump(forged.pool);
  expect(text).toContain(`forged-${people - 1}`);
  expect(text).not.toContain(idToken.split(".")[2]);
  expect(text).not.toContain("at-the-provider");
});

test("V10.2.1 the PKCE verifier is sent only to the provider, in a body", async () => {
  const posted: URLSearchParams[] = [];
  const browser = newBrowser(forged);
  const authorization = await begin(forged, browser);
  forger.responses.set("/token", async (form) => {
    posted.push(form);
    return { status: 400, body: { error: "invalid_grant" } };
  });
  await finish(browser, `${REDIRECT_URI}?code=any&state=${authorization.searchParams.get("state")}`);
  const verifier = String(posted[0]?.get("code_verifier"));
  expect(createHash("sha256").update(verifier).digest("base64url")).toBe(
    authorization.searchParams.get("code_challenge"),
  );
  expect(authorization.href).not.toContain(verifier);
});

test("V10.5.1 an ID token of another sign-in is refused: its nonce is not the one that was sent", async () => {
  const first = await signInWith((claims) => forger.sign(claims));
  await expectRefused([changed({ nonce: "another" }), changed({ nonce: "" }), without("nonce"), () => first.idToken]);
});

test("V10.5.3 a provider that describes itself as another one is not used", async () => {
  const { issuer } = forger.config;
  for (const said of ["https://accounts.google.com", `${issuer}/`, `${issuer}/other`, undefined]) {
    const suspicious = await startForgingProvider();
    suspicious.responses.set("/.well-known/openid-configuration", {
      body: {
        issuer: said,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
      },
    });
    const instance = await startPublicApp(suspicious.config);
    const page = await newBrowser(instance).visit(`${BASE_URL}/api/auth/google`);
    expect(page.location?.href).toBe(`${WEB_URL}/auth/callback?error=provider_unavailable`);
    expect(page.setCookie).toEqual([]);
    await instance.stop();
  }
});

test("V10.5.4 an ID token for another client, for several, or issued to another is refused", async () => {
  await expectRefused([
    changed({ aud: "another" }),
    changed({ aud: ["another"] }),
    changed({ aud: ["estimation", "another"], azp: "estimation" }),
    changed({ aud: ["estimation", "another"] }),
    changed({ azp: "another" }),
    changed({ aud: "" }),
    without("aud"),
  ]);
});

test("V6.8.1 the same subject at another issuer is another user", async () => {
  const subject = "shared-name";
  const { outcome } = await signInWith((claims) => forger.sign(claims), subject);
  const { data } = await accountCalls(forged).exchange(String(outcome.code));
  await forged.pool.query("update identities set issuer = 'https://other.example' where subject = $1", [subject]);
  await forged.pool.query("update users set email = 'first@example.org' where id = $1", [data.user?.id]);
  const second = await signInWith((claims) => forger.sign(claims), subject);
  const { data: other } = await accountCalls(forged).exchange(String(second.outcome.code));
  expect(other.user?.id).not.toBe(data.user?.id);
});

test("V6.8.1 an ID token of another issuer is refused, however similar its name is", async () => {
  await expectRefused([
    changed({ iss: "https://accounts.google.com" }),
    (claims) => forger.sign({ ...claims, iss: `${claims.iss}/` }),
    without("iss"),
  ]);
});

test("V6.8.2 an ID token that is not signed, or not by the provider, is refused", async () => {
  const input = (header: object, claims: JWTPayload) => `${encode(header)}.${encode(claims)}`;
  const hmac = (secret: string, text: string) => createHmac("sha256", secret).update(text).digest("base64url");
  const jwk = stranger.publicKey.export({ format: "jwk" });
  await expectRefused([
    (claims) => `${input({ alg: "none" }, claims)}.`,
    (claims) => `${input({ alg: "nOnE", kid: "rsa" }, claims)}.`,
    (claims) => forger.sign(claims, stranger.privateKey),
    (claims) => forger.sign(claims, stranger.privateKey, { kid: "stranger", jwk }),
    (claims) => forger.sign(claims, stranger.privateKey, { kid: "stranger", jku: `${forger.config.issuer}/evil` }),
    async (claims) => {
      const text = input({ alg: "HS256", kid: "rsa" }, claims);
      return `${text}.${hmac(await exportSPKI(forger.publicRsaKey), text)}`;
    },
    (claims) => {
      const text = input({ alg: "HS256" }, claims);
      return `${text}.${hmac(forger.config.clientSecret, text)}`;
    },
    async (claims) => {
      const [head, , mark] = (await forger.sign(claims)).split(".");
      return `${head}.${encode({ ...claims, sub: "somebody-else" })}.${mark}`;
    },
  ]);
  expect(forger.requests.get("/evil")).toBeUndefined();
});

test("V9.2.1 an ID token that has expired, is from the future or has no times is refused", async () => {
  const now = Math.floor(Date.now() / 1000);
  await expectRefused([
    changed({ exp: now - 60 }),
    without("exp"),
    changed({ iat: now + 600 }),
    without("iat"),
    changed({ nbf: now + 600 }),
  ]);
});

test("V9.2.2 an ID token, a code and an access token of the provider are not accepted as credentials", async () => {
  const { outcome, idToken } = await signInWith((claims) => forger.sign(claims));
  const calls = accountCalls(forged);
  for (const token of [idToken, String(outcome.code), "at-the-provider", "any"]) {
    const { status, body } = await calls.me(token);
    expect([status, body.message]).toEqual([401, "Invalid or expired token"]);
  }
  for (const code of [idToken, "any", "at-the-provider"])
    expect((await calls.exchange(code)).body.code).toBe("INVALID_EXCHANGE_CODE");
  expect((await calls.exchange(String(outcome.code))).status).toBe(200);
});
