import { randomBytes } from "node:crypto";
import { DrizzleQueryError } from "drizzle-orm";
import { SignJWT } from "jose";
import { expect, test } from "vitest";
import { createLog } from "./log.ts";
import { redact } from "./redact.ts";

/** Returns everything that `write` logs, through a logger and a child of it. */
function written(write: (log: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = [];
  const log = createLog("trace", { write: (line) => void lines.push(line) });
  write(log);
  write(log.child({ requestId: "r" }));
  for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
  return lines.join("");
}

const random = (bytes: number) => randomBytes(bytes).toString("base64url");
const jwt = await new SignJWT({ tokenVersion: 0 })
  .setProtectedHeader({ alg: "HS256" })
  .setSubject("usr_x")
  .sign(randomBytes(32));

/** A text that contains a secret, and the part of it that must not be written. */
const secrets: Record<string, readonly [string, string]> = (() => {
  const [key, hook, token, code, password, hash] = [
    random(33),
    randomBytes(32).toString("base64"),
    random(32),
    random(32),
    random(12),
    random(24),
  ];
  return {
    "an API key": [`refused svc_live_${key}, sorry`, key],
    "an API key that is too short": [`svc_live_${key.slice(0, 20)}`, key.slice(0, 20)],
    "an API key in an address": [`/api/x?key=svc_live_${key}&y=1`, key],
    "a webhook secret": [`signed with whsec_${hook}`, hook.slice(0, 10)],
    "a session token": [`token ${jwt} expired`, jwt.split(".")[2] ?? ""],
    "the claims of a session token": [jwt, jwt.split(".")[1] ?? ""],
    "an authorization header": [`authorization: Bearer ${token}`, token],
    "a link to reset the password": [`see https://app.example/reset-password?token=${token} soon`, token],
    "an exchange code": [`https://app.example/auth/callback?code=${code}`, code],
    "the address of a page for a client": [`see https://app.example/p/${token} soon`, token],
    "such an address with escapes": [`https://app.example/p/%71${token}`, token],
    "what that page asks for": [`GET /api/links/${token}/what-if`, token],
    "a provider's token": [`https://idp.example/?id_token=${token}&state=1`, token],
    "the password of a database": [`postgres://estimation:${password}@db.example/x`, password],
    "the password of a mail server": [`smtps://noor%40example.com:${password}@mail.example:465`, password],
    "a password's hash": [`$argon2id$v=19$m=19456,t=2,p=1$${hash}$${hash}`, hash],
  };
})();

test.each(Object.entries(secrets))("%s is never written, wherever it occurs (V16.2.5)", (_, [text, secret]) => {
  const output = written((log) => {
    log.info(text);
    log.info({ url: text }, "a request");
    log.info({ deep: { in: { a: [{ thing: text }] } } }, "something");
    log.info({ [text]: 1 }, "as a name");
    log.error({ err: new Error(text, { cause: new Error(text) }) }, "a failure");
    log.error({ err: Object.assign(new Error("x"), { address: text, detail: text }) }, "a failure");
    log.error(new Error(text));
    log.warn("%s", text);
  });
  expect(output).toContain("a failure");
  expect(output).not.toContain(secret);
});

test.each(["password", "token", "plaintext", "secret", "authorization", "cookie"])(
  "a field named %s is never written, whatever its value",
  (name) => {
    const output = written((log) => log.info({ [name]: "unmistakable", body: { [name]: "unmistakable" } }, "x"));
    expect(output).not.toContain("unmistakable");
  },
);

test.each([
  "GET /api/estimations/est_01jzzzzzzzzzzzzzzzzzzzzzzz 200",
  "the basic authentication of a bearer of news",
  "token_revoked: a token was revoked",
  "postgres://db.example/estimation at 2026-11-21T02:54:11.123Z",
])("ordinary text is written unchanged: %s", (text) => {
  expect(redact(text)).toBe(text);
  expect(written((log) => log.info(text))).toContain(text);
});

test("of a failed query the statement and the driver's error are written, never the values", () => {
  const cause = Object.assign(new Error('relation "users" does not exist'), {
    code: "42P01",
    detail: "Key (email)=(unmistakable@example.com) already exists.",
    where: "unmistakable",
    parameters: ["unmistakable"],
  });
  const error = new DrizzleQueryError("select * from users where email = $1", ["unmistakable@example.com"], cause);
  const wrapped = new Error("could not look", { cause: error });
  const output = written((log) => {
    log.error({ err: error }, "failed");
    log.error({ error }, "failed");
    log.error(wrapped, "failed");
    log.error({ err: new AggregateError([error], "all failed") }, "failed");
  });
  expect(output).not.toContain("unmistakable");
  expect(output).toContain("select * from users where email = $1");
  expect(output).toContain("42P01");
  expect(output).toContain("log.test.ts");
});

test("a thrown value that is not an error is written without its content", () => {
  expect(written((log) => log.error({ err: { token: "unmistakable" } }, "x"))).not.toContain("unmistakable");
  expect(written((log) => log.error({ err: undefined }, "x"))).toContain('"x"');
});

test("a cycle of causes ends", () => {
  const error = new Error("round");
  error.cause = error;
  expect(written((log) => log.error({ err: error }, "x"))).toContain("round");
});
