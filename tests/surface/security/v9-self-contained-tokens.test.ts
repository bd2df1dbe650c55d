import { createHmac, createSign, generateKeyPairSync, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, test } from "vitest";
import { type Response, start } from "../../harness.ts";
import { makeWorld, sampleConfig } from "../samples.ts";
import { accountCalls, signUpWithLinks } from "./account.ts";
import { encode, type Forgery, forge, unsigned } from "./forge.ts";

const app = await start({ config: { ...sampleConfig, rateLimitAuthPerMinute: 1_000_000 } });
const user = await app.signUp();
const other = await app.signUp();
const { me, reset, verify, exchange } = accountCalls(app);
const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const seconds = Math.floor(app.clock.now().getTime() / 1000);

const expectRefused = ({ status, body, headers }: Response, what = "") =>
  expect([status, body.message, headers.get("www-authenticate")], what).toEqual([
    401,
    "Invalid or expired token",
    "Bearer",
  ]);
/** Checks that the unchanged token is accepted, so that each changed one is refused because of its change. */
async function refuseEach(forgeries: readonly Forgery[]): Promise<void> {
  expect((await me(forge(app, user.token))).data.user?.id).toBe(user.userId);
  for (const forgery of forgeries) expectRefused(await me(forge(app, user.token, forgery)), JSON.stringify(forgery));
}

/** A server from which foreign keys could be fetched; records its requests. */
const asked: string[] = [];
const keyServer = createServer((request, response) => {
  asked.push(request.url ?? "");
  response.end(JSON.stringify({ keys: [rsa.publicKey.export({ format: "jwk" })] }));
});
await new Promise<void>((resolve) => keyServer.listen(0, "127.0.0.1", resolve));
afterAll(() => keyServer.close());
const keysAt = `http://127.0.0.1:${(keyServer.address() as AddressInfo).port}/keys`;

const byRsa = (input: string) => `${input}.${createSign("RSA-SHA256").update(input).sign(rsa.privateKey, "base64url")}`;

test("V9.1.1 a token in which any character was changed is refused", async () => {
  for (let at = 0; at < user.token.length; at += 5) {
    const character = user.token[at] === "A" ? "B" : "A";
    expectRefused(await me(user.token.slice(0, at) + character + user.token.slice(at + 1)), `character ${at}`);
  }
});

test("V9.1.1 claims cannot be replaced under a genuine signature", async () => {
  const [head, body, mark] = user.token.split(".");
  const [, foreign, foreignMark] = other.token.split(".");
  for (const token of [`${head}.${foreign}.${mark}`, `${head}.${body}.${foreignMark}`]) expectRefused(await me(token));
  for (const claims of [{ sub: other.userId }, { tokenVersion: 7 }, { exp: seconds + 1e9 }, { admin: true }])
    expectRefused(await me(`${unsigned(user.token, { claims })}.${mark}`));
});

test("V9.1.1 a token without its signature, or with more than one, is refused", async () => {
  const [head, body, mark] = user.token.split(".");
  for (const token of [
    `${head}.${body}`,
    `${head}.${body}.`,
    `${user.token}.${mark}`,
    `${user.token}=`,
    `.${body}.${mark}`,
    mark ?? "",
  ])
    expectRefused(await me(token), token);
});

test("V9.1.1 a token signed with another secret is refused, also with an empty, a guessable or another service's one", async () => {
  for (const secret of ["", "secret", "estimation-service", "\0", randomBytes(32)])
    expectRefused(await me(forge(app, user.token, { secret })));
  const elsewhere = await start();
  const stranger = await elsewhere.signUp();
  expectRefused(await me(stranger.token));
  expectRefused(await me(forge(elsewhere, user.token)));
});

test("V9.1.2 `alg: none` is refused in every spelling, with and without a signature", async () => {
  for (const alg of ["none", "None", "NONE", "nOnE", "", null]) {
    const input = unsigned(user.token, { header: { alg } });
    const mark = createHmac("sha256", app.services.sessionKeys.valid[0] ?? "")
      .update(input)
      .digest("base64url");
    for (const token of [`${input}.`, `${input}.${mark}`]) expectRefused(await me(token), String(alg));
  }
});

test("V9.1.2 no other HMAC is accepted, even with the service's own secret", async () => {
  await refuseEach([
    { header: { alg: "HS384" }, hash: "sha384" },
    { header: { alg: "HS512" }, hash: "sha512" },
    { header: { alg: "HS512" } },
    { hash: "sha512" },
    { header: { alg: undefined } },
    { header: { alg: ["HS256"] } },
    { header: { alg: "hs256" } },
  ]);
});

test("V9.1.2 neither an RSA signature nor an HMAC declared as RSA is accepted", async () => {
  for (const alg of ["RS256", "PS256", "ES256", "EdDSA"]) {
    expectRefused(await me(byRsa(unsigned(user.token, { header: { alg } }))), alg);
    expectRefused(await me(forge(app, user.token, { header: { alg } })), alg);
  }
});

test("V9.1.2 a public key used as an HMAC secret is not accepted", async () => {
  const { publicKey } = rsa;
  const spellings = [
    publicKey.export({ format: "pem", type: "spki" }),
    publicKey.export({ format: "pem", type: "pkcs1" }),
    publicKey.export({ format: "der", type: "spki" }),
    JSON.stringify(publicKey.export({ format: "jwk" })),
  ];
  for (const secret of spellings) expectRefused(await me(forge(app, user.token, { secret })));
});

test("V9.1.3 a key inside the token (`jwk`, `x5c`) is not used", async () => {
  const own = randomBytes(32);
  const jwk = { kty: "oct", k: own.toString("base64url"), alg: "HS256" };
  expectRefused(await me(forge(app, user.token, { header: { jwk }, secret: own })));
  const publicJwk = rsa.publicKey.export({ format: "jwk" });
  const x5c = [rsa.publicKey.export({ format: "der", type: "spki" }).toString("base64")];
  for (const header of [{ jwk: publicJwk }, { x5c }])
    expectRefused(await me(byRsa(unsigned(user.token, { header: { alg: "RS256", ...header } }))));
});

test("V9.1.3 an address of keys (`jku`, `x5u`) is refused, and no request is sent to it", async () => {
  for (const name of ["jku", "x5u"]) {
    const header = { [name]: keysAt, kid: "1" };
    expectRefused(await me(byRsa(unsigned(user.token, { header: { alg: "RS256", ...header } }))));
    expectRefused(await me(forge(app, user.token, { header, secret: "theirs" })));
  }
  expect(asked).toEqual([]);
});

test("V9.1.3 a `kid` has no effect, whether it is a path, an SQL statement or an address", async () => {
  for (const kid of ["../../../../dev/null", "' union select ''--", keysAt, "session-secret", "", 0])
    for (const secret of ["", "\0", String(kid)])
      expectRefused(await me(forge(app, user.token, { header: { kid }, secret })), String(kid));
  expect(asked).toEqual([]);
});

test("V9.1.3 a token with an unknown critical header (`crit`) is refused", async () => {
  await refuseEach([
    { header: { crit: ["unknown"], unknown: true } },
    { header: { crit: ["b64"], b64: false } },
    { header: { crit: [] } },
  ]);
});

test("V9.2.1 a token is valid until the last millisecond of its hour and not after", async () => {
  const elsewhere = await start();
  const somebody = await elsewhere.signUp();
  const calls = accountCalls(elsewhere);
  const expiresAt = Number(JSON.parse(Buffer.from(somebody.token.split(".")[1] ?? "", "base64url").toString()).exp);
  await elsewhere.clock.advance(expiresAt * 1000 - 1 - elsewhere.clock.now().getTime());
  expect((await calls.me(somebody.token)).status).toBe(200);
  await elsewhere.clock.advance(1);
  expectRefused(await calls.me(somebody.token));
});

test("V9.2.1 a token that is not valid yet, has expired or has no times is refused", async () => {
  await refuseEach([
    { claims: { nbf: seconds + 600 } },
    { claims: { nbf: "now" } },
    { claims: { exp: seconds - 1 } },
    { claims: { exp: 0 } },
    { claims: { exp: undefined } },
    { claims: { exp: String(seconds + 600) } },
    { claims: { exp: null } },
    { claims: { iat: undefined } },
    { claims: { iat: "now" } },
  ]);
});

test("V9.2.1 a token from the future, or for longer than an hour, is refused", async () => {
  await refuseEach([
    { claims: { iat: seconds + 600, exp: seconds + 3_600 } },
    { claims: { exp: seconds + 3_700 } },
    { claims: { iat: 0 } },
    { claims: { exp: 1e15 } },
  ]);
});

test("V9.2.2 a token of another type is not accepted", async () => {
  await refuseEach(["at+jwt", "id_token", "logout+jwt", "JOSE", "", undefined].map((typ) => ({ header: { typ } })));
});

test("V9.2.2 a token with other claims is not accepted", async () => {
  await refuseEach([
    { claims: { sub: undefined } },
    { claims: { sub: { $ne: null } } },
    { claims: { sub: [user.userId] } },
    { claims: { sub: "" } },
    { claims: { sub: "usr_00000000000000000000000000" } },
    { claims: { sub: "usr_0000000000000000000000000\0" } },
    { claims: { sub: "\0" } },
    { claims: { tokenVersion: undefined } },
    { claims: { tokenVersion: "0" } },
    { claims: { tokenVersion: 0.5 } },
    { claims: { tokenVersion: true } },
  ]);
  const list = `${encode({ alg: "HS256", typ: "JWT" })}.${encode([user.userId])}`;
  expectRefused(
    await me(
      `${list}.${createHmac("sha256", app.services.sessionKeys.valid[0] ?? "")
        .update(list)
        .digest("base64url")}`,
    ),
  );
});

test("V9.2.2 secrets for other purposes are not accepted as bearer credentials", async () => {
  const world = await makeWorld(app);
  const { data } = await app.request("POST", `/api/webhooks/${world.webhook}/rotate-secret`, {
    token: world.user.token,
  });
  const sealed = await app.services.sealing.sealBriefly(
    JSON.stringify({ userId: world.user.userId }),
    "google-sign-in",
  );
  const others = [
    world.exchangeCode,
    world.resetToken,
    world.verificationToken,
    String(data.secret),
    sealed.toString("base64url"),
    world.user.userId,
    world.apiKey,
  ];
  for (const token of others) expectRefused(await me(token), token);
});

test("V9.2.2 a secret for one purpose works for no other, and trying does not use it up", async () => {
  const { user: owner, exchangeCode, resetToken, verificationToken } = await signUpWithLinks(app);
  const key = await app.makeKey(owner, ["admin"]);
  const password = "another fine password";
  for (const wrong of [owner.token, key, resetToken, verificationToken])
    expect((await exchange(wrong)).body.code).toBe("INVALID_EXCHANGE_CODE");
  for (const wrong of [owner.token, key, exchangeCode, verificationToken])
    expect((await reset(wrong, password)).body.message).toBe("invalid_reset_token");
  for (const wrong of [owner.token, key, exchangeCode, resetToken])
    expect((await verify(wrong)).body.message).toBe("invalid_verification_token");
  expect([
    (await exchange(exchangeCode)).status,
    (await verify(verificationToken)).status,
    (await reset(resetToken, password)).status,
  ]).toEqual([200, 200, 200]);
});

test("V9.2.3 a token for another audience, or for none, is refused", async () => {
  await refuseEach(
    ["estimation-service", "estimation-service:api/", "https://example.com", "", [], ["other"], null, undefined].map(
      (aud) => ({ claims: { aud } }),
    ),
  );
});

test("V9.2.4 a token with another issuer or another audience is refused, although it has the right signature", async () => {
  await refuseEach(
    ["https://accounts.google.com", "estimation-service:api", "", null, undefined, ["estimation-service"]].map(
      (iss) => ({ claims: { iss } }),
    ),
  );
  const { aud, iss } = JSON.parse(Buffer.from(user.token.split(".")[1] ?? "", "base64url").toString());
  expect([typeof aud, typeof iss, aud === iss]).toEqual(["string", "string", false]);
});
