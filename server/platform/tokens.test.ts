import { generateKeyPairSync, randomBytes } from "node:crypto";
import fc from "fast-check";
import { decodeJwt, decodeProtectedHeader, type JWTHeaderParameters, SignJWT, UnsecuredJWT } from "jose";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createFakeClock } from "../../tests/fake-clock.ts";
import { createSessionTokens, type SessionKeys } from "./tokens.ts";

const secret = randomBytes(32);
const start = new Date("2026-03-01T12:00:00.000Z");
const seconds = start.getTime() / 1000;
const clock = createFakeClock(start);
const keysOf = (key: Uint8Array, ...others: Uint8Array[]): SessionKeys => ({
  valid: [key, ...others],
  inUse: async () => key,
});
const tokens = createSessionTokens(keysOf(secret), clock);
const sessionId = "ses_01k6z0c9v3e8rbt5w2yq4nmhxd";
const claims = { userId: "usr_01k6z0c9v3e8rbt5w2yq4nmhxd", tokenVersion: 3, sessionId };

const genuine = {
  sub: claims.userId,
  sid: sessionId,
  tokenVersion: 3,
  iss: "estimation-service",
  aud: "estimation-service:api",
  iat: seconds,
  exp: seconds + 3600,
};

/** A token signed with the service's own secret, its claims or header changed. */
const forge = (changes: Record<string, unknown>, header: Partial<JWTHeaderParameters> = {}) => {
  const payload = Object.fromEntries(
    Object.entries({ ...genuine, ...changes }).filter(([, value]) => value !== undefined),
  );
  return new SignJWT(payload).setProtectedHeader({ alg: "HS256", typ: "JWT", ...header }).sign(secret);
};

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

describe("issue", () => {
  it("signs user, session, version, exactly one hour and a random id, and nothing else", async () => {
    const { token, expiresAt } = await tokens.issue(claims);
    expect(decodeProtectedHeader(token)).toEqual({ alg: "HS256", typ: "JWT" });
    expect(decodeJwt(token)).toEqual({ ...genuine, jti: expect.stringMatching(/^[\w-]{22}$/) });
    expect(expiresAt.toISOString()).toBe("2026-03-01T13:00:00.000Z");
    expect(await tokens.read(token)).toEqual(claims);
  });

  it("never issues the same token twice, not even within one second (V7.2.4)", async () => {
    const issued = await Promise.all(Array.from({ length: 20 }, () => tokens.issue(claims)));
    expect(new Set(issued.map(({ token }) => token)).size).toBe(20);
  });

  it("issues none that is valid beyond the end of its session, and a whole hour before", async () => {
    const end = (ms: number) => new Date(start.getTime() + ms);
    expect((await tokens.issue(claims, end(3_600_000))).expiresAt).toEqual(end(3_600_000));
    expect((await tokens.issue(claims, end(3_599_999))).expiresAt).toEqual(end(3_599_000));
    expect((await tokens.issue(claims, end(3_600_001))).expiresAt).toEqual(end(3_600_000));
  });

  it("issues tokens that are valid until they expire, and not from then on", async () => {
    const local = createFakeClock(start);
    const own = createSessionTokens(keysOf(secret), local);
    const { token } = await own.issue(claims);
    await local.advance(3_600_000 - 1);
    expect(await own.read(token)).toEqual(claims);
    await local.advance(1);
    expect(await own.read(token)).toBe("expired");
  });
});

describe("read", () => {
  it("checks a genuine token's signature once and its period every time, and a forged token's signature every time", async () => {
    const verify = vi.spyOn(crypto.subtle, "verify");
    onTestFinished(() => verify.mockRestore());
    const local = createFakeClock(start);
    const own = createSessionTokens(keysOf(secret), local);
    const { token } = await own.issue(claims);
    for (let times = 0; times < 3; times += 1) expect(await own.read(token)).toEqual(claims);
    expect(verify).toHaveBeenCalledTimes(1);
    const { token: forged } = await createSessionTokens(keysOf(randomBytes(32)), local).issue(claims);
    for (let times = 0; times < 3; times += 1) expect(await own.read(forged)).toBeNull();
    expect(verify).toHaveBeenCalledTimes(4);
    await local.advance(3_600_000);
    expect(await own.read(token)).toBe("expired");
  });

  it("refuses a token that it has read before if it is not issued yet by the clock", async () => {
    const local = createFakeClock(start);
    const own = createSessionTokens(keysOf(secret), local);
    const { token } = await own.issue(claims);
    expect(await own.read(token)).toEqual(claims);
    await local.advance(-61_000);
    expect(await own.read(token)).toBeNull();
    await local.advance(61_000);
    expect(await own.read(token)).toEqual(claims);
  });

  it("forgets the tokens that were used least recently", async () => {
    const verify = vi.spyOn(crypto.subtle, "verify");
    onTestFinished(() => verify.mockRestore());
    const own = createSessionTokens(keysOf(secret), clock, 2);
    const issued = await Promise.all([0, 1, 2].map(() => own.issue(claims)));
    const read = (at: number) => own.read(issued[at]?.token ?? "");
    for (const at of [0, 1, 0, 2, 0]) expect(await read(at)).toEqual(claims);
    expect(verify).toHaveBeenCalledTimes(3);
    expect(await read(1)).toEqual(claims);
    expect(verify).toHaveBeenCalledTimes(4);
  });

  it("accepts tokens of another process with the same secret, and none of another secret (V9.1.1)", async () => {
    const { token } = await createSessionTokens(keysOf(secret), createFakeClock(start)).issue(claims);
    expect(await tokens.read(token)).toEqual(claims);
    expect(
      await tokens.read((await createSessionTokens(keysOf(randomBytes(32)), clock).issue(claims)).token),
    ).toBeNull();
  });

  it("accepts tokens that a former secret has signed, and signs with the one in use", async () => {
    const [former, next] = [secret, randomBytes(32)];
    const { token } = await tokens.issue(claims);
    const changing = createSessionTokens({ valid: [next, former], inUse: async () => former }, clock);
    const changed = createSessionTokens(keysOf(next, former), clock);
    expect([await changing.read(token), await changed.read(token)]).toEqual([claims, claims]);
    expect(await tokens.read((await changing.issue(claims)).token)).toEqual(claims);
    const { token: later } = await changed.issue(claims);
    expect([await tokens.read(later), await changing.read(later)]).toEqual([null, claims]);
    const { token: foreign } = await createSessionTokens(keysOf(randomBytes(32)), clock).issue(claims);
    expect(await changed.read(foreign)).toBeNull();
  });

  it("accepts the unchanged token that the refusals below start from", async () => {
    expect(await tokens.read(await forge({}))).toEqual(claims);
  });

  it.each([
    ["another issuer", { iss: "someone-else" }],
    ["no issuer", { iss: undefined }],
    ["another audience", { aud: "estimation-service:mail" }],
    ["no audience", { aud: undefined }],
    ["no expiry", { exp: undefined }],
    ["an expiry that is past", { exp: seconds }],
    ["an expiry that is no number", { exp: "2099-01-01" }],
    ["no time of issue", { iat: undefined }],
    ["a time of issue that is to come", { iat: seconds + 600 }],
    ["more than an hour of validity", { exp: seconds + 3_700 }],
    ["a start that is to come", { nbf: seconds + 60 }],
    ["no subject", { sub: undefined }],
    ["a subject that is no string", { sub: { $ne: null } }],
    ["no session", { sid: undefined }],
    ["a session that is no id", { sid: "x" }],
    ["no version", { tokenVersion: undefined }],
    ["a version as text", { tokenVersion: "3" }],
    ["a version with a fraction", { tokenVersion: 3.5 }],
    ["a version that is null", { tokenVersion: null }],
  ])(
    "refuses a token with %s, though it is signed with the right secret (V9.2.1, V9.2.2, V9.2.3, V9.2.4)",
    async (fault, changes) => {
      const payload = Object.fromEntries(
        Object.entries({ ...genuine, ...changes }).filter(([, value]) => value !== undefined),
      );
      expect(await tokens.read(await signRaw(payload))).toBe(fault === "an expiry that is past" ? "expired" : null);
    },
  );

  it("refuses another type of token, and a token without a type (V9.2.2)", async () => {
    expect(await tokens.read(await forge({}, { typ: "at+jwt" }))).toBeNull();
    expect(await tokens.read(await forge({}, { typ: undefined }))).toBeNull();
  });

  it("refuses every algorithm but its own (V9.1.2)", async () => {
    expect(await tokens.read(new UnsecuredJWT(genuine).encode())).toBeNull();
    for (const alg of ["none", "NONE", "nOnE"]) {
      expect(await tokens.read(`${part({ alg, typ: "JWT" })}.${part(genuine)}.`)).toBeNull();
    }
    for (const alg of ["HS384", "HS512", "RS256", "PS256", "ES256", "EdDSA", "hs256", ["HS256"], undefined])
      expect(await tokens.read(await signRaw(genuine, { alg, typ: "JWT" })), String(alg)).toBeNull();
    const wide = createSessionTokens(keysOf(Buffer.alloc(64, 7)), clock);
    const signer = new SignJWT(genuine).setProtectedHeader({ alg: "HS512", typ: "JWT" });
    expect(await wide.read(await signer.sign(Buffer.alloc(64, 7)))).toBeNull();
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const rsa = await new SignJWT(genuine).setProtectedHeader({ alg: "RS256", typ: "JWT" }).sign(privateKey);
    expect(await tokens.read(rsa)).toBeNull();
  });

  it("ignores keys that the token brings along (V9.1.3)", async () => {
    const own = randomBytes(32);
    const jwk = { kty: "oct", k: own.toString("base64url") };
    for (const header of [{ jwk }, { jku: "https://keys.example.com" }, { kid: "../../dev/null" }]) {
      const signer = new SignJWT(genuine).setProtectedHeader({
        alg: "HS256",
        typ: "JWT",
        ...header,
      } as JWTHeaderParameters);
      expect(await tokens.read(await signer.sign(own))).toBeNull();
    }
  });

  it("refuses a token with any one character changed (V9.1.1)", async () => {
    const { token } = await tokens.issue(claims);
    for (let at = 0; at < token.length; at += 1) {
      for (const character of at < token.length - 1 ? "A_" : "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_") {
        const changed = token.slice(0, at) + character + token.slice(at + 1);
        expect((await tokens.read(changed)) !== null, `${character} at ${at}`).toBe(changed === token);
      }
    }
  });

  it("returns null for anything else, however it is made (V9.1.1, V9.1.3)", async () => {
    const { token } = await tokens.issue(claims);
    const [head = "", body = "", mark = ""] = token.split(".");
    const oddities = [
      "",
      ".",
      "..",
      "...",
      `${head}.${body}`,
      `${head}.${body}.`,
      `${head}.${body}.${mark}.${mark}`,
      `${token}=`,
      `.${body}.${mark}`,
      `${part({ alg: "HS256", typ: "JWT", crit: ["b64"], b64: false })}.${body}.${mark}`,
      `${part({ alg: "HS256", typ: "JWT", crit: ["unknown"], unknown: 1 })}.${body}.${mark}`,
      `${part(null)}.${body}.${mark}`,
      `${part([])}.${body}.${mark}`,
      `${part({ alg: ["HS256"], typ: {} })}.${body}.${mark}`,
      "a".repeat(1_000_000),
      `${"a".repeat(15_000)}.${body}.${mark}`,
    ];
    for (const text of oddities) expect(await tokens.read(text), text.slice(0, 80)).toBeNull();
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(fc.string({ unit: "binary" }), { maxLength: 4 }).map((parts) => parts.join(".")),
      fc
        .tuple(fc.json(), fc.json())
        .map(([a, b]) => `${Buffer.from(a).toString("base64url")}.${Buffer.from(b).toString("base64url")}.${mark}`),
    );
    await fc.assert(fc.asyncProperty(text, async (given) => (await tokens.read(given)) === null));
  });
});

/** Signs any payload, those that a well-behaved signer would refuse included. */
async function signRaw(payload: object, header: object = { alg: "HS256", typ: "JWT" }): Promise<string> {
  const key = await crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const signed = `${part(header)}.${part(payload)}`;
  const mark = await crypto.subtle.sign("HMAC", key, Buffer.from(signed));
  return `${signed}.${Buffer.from(mark).toString("base64url")}`;
}

it("reads no token whose subject cannot be a user's id (V9.2.2)", async () => {
  for (const sub of ["a\0b", "usr_\0", "", "x".repeat(300), `${claims.userId}\0`])
    expect(await tokens.read(await forge({ sub }))).toBeNull();
});
