import { randomBytes } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { start, type TestUser } from "../../harness.ts";
import { dump } from "../../support/dump.ts";
import { makeJobsDue } from "../../support/jobs.ts";
import { startMailServer, tokenIn } from "../../support/mail-server.ts";
import { accountCalls, newEmail } from "./account.ts";

const mail = await startMailServer();
const app = await start({
  worker: true,
  config: { smtpUrl: mail.url, webUrl: "https://app.example.org", rateLimitAuthPerMinute: 1_000_000 },
});
afterAll(mail.stop);
const { me, logIn, change, askForReset, reset, verify } = accountCalls(app);
const NEW = "another fine password";
const MINUTES_30 = 1_800_000;

/** A user, with the token of the link to confirm the address. */
async function signUp(): Promise<TestUser & { verification: string }> {
  const user = await app.signUp();
  return { ...user, verification: tokenIn(await mail.mailTo(user.email)) };
}

/** Asks for a link and returns the token of mail number `count`. */
async function askFor({ email }: TestUser, count = 2): Promise<string> {
  await askForReset(email);
  await makeJobsDue(app.pool);
  return tokenIn(await mail.mailTo(email, count));
}

const subjectsTo = (email: string) =>
  mail.mails.filter(({ to }) => to.includes(email)).map(({ headers }) => headers.subject);

test("V6.4.3 a link resets the password once", async () => {
  const user = await signUp();
  const token = await askFor(user);
  const responses = await Promise.all(Array.from({ length: 6 }, (_, at) => reset(token, `password number ${at}`)));
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400]);
  expect((await reset(token, NEW)).body.message).toBe("invalid_reset_token");
  expect((await logIn(user.email, user.password)).status).toBe(401);
});

test("V6.4.3 only the newest link works, and none after the password was changed", async () => {
  const user = await signUp();
  const older = await askFor(user);
  const newer = await askFor(user, 3);
  expect((await reset(older, NEW)).body.message).toBe("invalid_reset_token");
  expect((await change(user.token, user.password, "changed by the owner")).status).toBe(200);
  expect((await reset(newer, NEW)).body.message).toBe("invalid_reset_token");
  expect((await logIn(user.email, "changed by the owner")).status).toBe(200);
});

test("V6.4.3 the link leads to the configured web application, whatever host the request names", async () => {
  const user = await signUp();
  const evil = "evil.example";
  await askForReset(user.email, {
    host: evil,
    "x-forwarded-host": evil,
    "x-forwarded-proto": "http",
    forwarded: `host=${evil}`,
    origin: `https://${evil}`,
    referer: `https://${evil}/`,
  });
  await makeJobsDue(app.pool);
  const { body } = await mail.mailTo(user.email, 2);
  expect(body).toMatch(/^https:\/\/app\.example\.org\/reset-password\?token=[\w-]{43}$/m);
  expect(body).not.toContain(evil);
});

test("V6.4.3 a link is sent only to the account's address", async () => {
  const user = await signUp();
  for (const email of [`${user.email}, eve@evil.example`, `${user.email}\r\nBcc: eve@evil.example`, [user.email]])
    expect((await app.request("POST", "/api/auth/forgot-password", { body: { email } })).status).toBe(400);
  await askFor(user);
  expect(mail.mails.filter(({ to }) => !to.every((one) => one.endsWith("@example.com")))).toEqual([]);
});

test("V6.4.1 a link's token has 256 random bits, and differs each time", async () => {
  const user = await signUp();
  const tokens = [user.verification, await askFor(user, 2), await askFor(user, 3), await askFor(user, 4)];
  for (const token of tokens) expect(Buffer.from(token, "base64url")).toHaveLength(32);
  expect(new Set(tokens).size).toBe(tokens.length);
  const bits = Buffer.concat(tokens.map((token) => Buffer.from(token, "base64url")));
  const ones = [...bits].reduce((sum, byte) => sum + byte.toString(2).replaceAll("0", "").length, 0);
  // Of 1,024 random bits 512 ± 16 are set; six standard deviations never occur.
  expect(Math.abs(ones - bits.length * 4)).toBeLessThan(96);
});

test("V6.4.1 a link's token works until its 30 minutes are over and not a millisecond longer", async () => {
  const user = await signUp();
  const late = await signUp();
  const [token, stale] = [await askFor(user), await askFor(late)];
  await app.clock.advance(MINUTES_30);
  expect((await reset(token, NEW)).status).toBe(200);
  await app.clock.advance(1);
  expect((await reset(stale, NEW)).body.message).toBe("invalid_reset_token");
  expect((await verify(late.verification)).body.message).toBe("invalid_verification_token");
  expect((await logIn(late.email, late.password)).status).toBe(200);
});

test("V6.5.1 a link to confirm an address works once, and only the newest", async () => {
  const user = await signUp();
  await app.request("POST", "/api/auth/verify-email/resend", { token: user.token });
  const newest = tokenIn(await mail.mailTo(user.email, 2));
  expect((await verify(user.verification)).body.message).toBe("invalid_verification_token");
  expect((await verify(newest)).status).toBe(200);
  expect((await verify(newest)).body.message).toBe("invalid_verification_token");
});

test("V6.5.2 only a hash of a link's token is stored, and the hash does not work as a token", async () => {
  const user = await signUp();
  const token = await askFor(user);
  const { rows } = await app.pool.query("select hash from mailed_tokens where user_id = $1", [user.userId]);
  const text = await dump(app.pool);
  expect(text).toContain(user.userId);
  for (const secret of [token, user.verification]) {
    expect(text).not.toContain(secret);
    expect(text).not.toContain(Buffer.from(secret, "base64url").toString("hex"));
  }
  for (const { hash } of rows)
    for (const passed of [hash.toString("base64url"), hash.toString("hex")]) {
      expect((await reset(passed, NEW)).body.message).toBe("invalid_reset_token");
      expect((await verify(passed)).body.message).toBe("invalid_verification_token");
    }
});

test("V6.6.2 a link is valid only for its own account and purpose", async () => {
  const [user, other] = [await signUp(), await signUp()];
  const token = await askFor(user);
  const { rows: before } = await app.pool.query("select * from users where id = $1", [other.userId]);
  expect((await verify(token)).status).toBe(400);
  expect((await reset(user.verification, NEW)).status).toBe(400);
  expect((await reset(token, NEW)).status).toBe(200);
  expect((await app.pool.query("select * from users where id = $1", [other.userId])).rows).toEqual(before);
  expect((await me(other.token)).status).toBe(200);
});

test("V6.6.2 an address counts as confirmed only after its link was opened", async () => {
  const user = await signUp();
  const verifiedAt = async () => (await me(user.token)).data.user?.emailVerifiedAt;
  for (const guess of [randomBytes(32).toString("base64url"), "", user.userId, user.token]) await verify(guess);
  expect(await verifiedAt()).toBeNull();
  const search = await app.request("GET", "/api/users?q=somebody", { token: user.token });
  expect([search.status, search.body.details?.reason]).toEqual([403, "email_not_verified"]);
  await verify(user.verification);
  expect(await verifiedAt()).toBe(app.clock.now().toISOString());
});

test("V6.3.7 the owner gets a mail about a changed password and about a reset", async () => {
  const changed = await signUp();
  await change(changed.token, changed.password, NEW);
  expect((await mail.mailTo(changed.email, 2)).headers.subject).toBe("Your password was changed");
  const forgotten = await signUp();
  await reset(await askFor(forgotten), NEW);
  expect((await mail.mailTo(forgotten.email, 3)).headers.subject).toBe("Your password was changed");
});

test("V6.3.8 no mail is sent to an address without an account", async () => {
  const nobody = newEmail();
  await askForReset(nobody);
  await makeJobsDue(app.pool);
  await signUp();
  expect(subjectsTo(nobody)).toEqual([]);
});
