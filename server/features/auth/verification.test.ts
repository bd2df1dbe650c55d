import { randomBytes } from "node:crypto";
import { afterAll, describe, expect, it } from "vitest";
import { type Response, start, type TestUser, until } from "../../../tests/harness.ts";
import { startMailServer, tokenIn } from "../../../tests/support/mail-server.ts";
import { countsAsVerified } from "./index.ts";

const mail = await startMailServer();
const app = await start({
  worker: true,
  config: { smtpUrl: mail.url, webUrl: "https://app.example.org", rateLimitAuthPerMinute: 1_000 },
});
afterAll(mail.stop);

const verify = (token: string) => app.request("POST", "/api/auth/verify-email", { body: { token } });
const resend = ({ token }: TestUser) => app.request("POST", "/api/auth/verify-email/resend", { token });
const verifiedAt = async ({ token }: TestUser) =>
  (await app.request("GET", "/api/auth/me", { token })).data.user?.emailVerifiedAt;
const expectRefused = ({ status, body }: Response) =>
  expect([status, body.message]).toEqual([400, "invalid_verification_token"]);

describe("the mail to confirm an address", () => {
  it("is sent on registration, and its link confirms the address without a session (V6.3.6, V6.6.2)", async () => {
    const user = await app.signUp();
    const received = await mail.mailTo(user.email);
    const { to, headers, body } = received;
    expect([to, headers.subject]).toEqual([[user.email], "Confirm your e-mail address"]);
    expect(body).toMatch(/^https:\/\/app\.example\.org\/verify-email\?token=[\w-]{43}$/m);
    expect(body).toMatch(
      /did not create the account, do not open .* https:\/\/app\.example\.org\/forgot-password instead/,
    );
    expect(await verifiedAt(user)).toBeNull();
    await app.clock.advance(1_000);
    const response = await verify(tokenIn(received));
    expect([response.status, response.body]).toEqual([200, { success: true, data: {} }]);
    expect(await verifiedAt(user)).toBe(app.clock.now().toISOString());
  });

  it("contains nothing that the person who registered could choose, except the address", async () => {
    const email = `${randomBytes(6).toString("hex")}@example.com`;
    const name = "You have won: https://evil.example";
    await app.request("POST", "/api/auth/register", { body: { email, name, password: "correct horse battery" } });
    const { headers, body } = await mail.mailTo(email);
    expect(JSON.stringify(headers) + body).not.toContain("evil");
  });

  it("has a link that works once, even if it is opened twenty times at the same moment (V6.5.1)", async () => {
    const user = await app.signUp();
    const token = tokenIn(await mail.mailTo(user.email));
    const responses = await Promise.all(Array.from({ length: 20 }, () => verify(token)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(400)]);
    expectRefused(await verify(token));
  });

  it("has a link that works until exactly 30 minutes and not a millisecond longer (V6.4.1)", async () => {
    const [user, late] = [await app.signUp(), await app.signUp()];
    const tokens = [tokenIn(await mail.mailTo(user.email)), tokenIn(await mail.mailTo(late.email))];
    await app.clock.advance(1_800_000);
    expect((await verify(tokens[0] ?? "")).status).toBe(200);
    await app.clock.advance(1);
    expectRefused(await verify(tokens[1] ?? ""));
    expect(await verifiedAt(late)).toBeNull();
  });

  it("can be requested again, and the newer link replaces the older (V6.5.1)", async () => {
    const user = await app.signUp();
    const older = tokenIn(await mail.mailTo(user.email));
    const response = await resend(user);
    expect([response.status, response.body]).toEqual([202, { success: true, data: {} }]);
    const newer = tokenIn(await mail.mailTo(user.email, 2));
    expectRefused(await verify(older));
    expect((await verify(newer)).status).toBe(200);
  });

  it("is not sent again once the address is confirmed", async () => {
    const user = await app.signUp();
    await verify(tokenIn(await mail.mailTo(user.email)));
    expect((await resend(user)).status).toBe(202);
    const jobs = "select 1 from job_leases where name = 'send-mail'";
    await until(async () => (await app.pool.query(jobs)).rowCount === 0);
    expect(mail.mails.filter(({ to }) => to.includes(user.email))).toHaveLength(1);
  });

  it.each(["", "x", "a".repeat(43), "a".repeat(10_000)])("has no link with the token %j (V6.6.2)", async (token) => {
    expectRefused(await verify(token));
  });
});

describe("finding users", () => {
  const search = (token: string, q: string) =>
    app.request("GET", `/api/users?${new URLSearchParams({ q })}`, { token });
  const confirmed = async (email?: string) => {
    const user = await app.signUp(email);
    expect((await verify(tokenIn(await mail.mailTo(user.email)))).status).toBe(200);
    return user;
  };

  it("is allowed for users whose address is confirmed (V6.6.2)", async () => {
    const user = await app.signUp();
    const refused = await search(user.token, user.email);
    expect([refused.status, refused.body.message, refused.body.details]).toEqual([
      403,
      "forbidden",
      { reason: "email_not_verified" },
    ]);
    await verify(tokenIn(await mail.mailTo(user.email)));
    const { status, data } = await search(user.token, user.email);
    expect([status, data]).toEqual([
      200,
      { users: [{ id: user.userId, email: user.email, name: user.email.split("@")[0] }] },
    ]);
  });

  it("returns nobody whose address is not confirmed: it may be another person's", async () => {
    const caller = await confirmed();
    const pretender = await app.signUp("director@corporation.example");
    expect((await search(caller.token, "director")).data.users).toEqual([]);
    await verify(tokenIn(await mail.mailTo(pretender.email)));
    expect((await search(caller.token, "director")).data.users).toHaveLength(1);
  });
});

describe("an address counts as confirmed", () => {
  const local: Parameters<typeof countsAsVerified>[1] = {
    smtpUrl: null,
    host: "127.0.0.1",
    baseUrl: "http://127.0.0.1:3000",
    trustProxy: [],
  };
  const open = { emailVerifiedAt: null };

  it.each([
    {},
    { host: "127.8.0.1" },
    { host: "localhost", baseUrl: "http://localhost:3000" },
    { host: "::1", baseUrl: "http://[::1]:3000" },
    { baseUrl: "https://estimates.localhost/x" },
  ])("while the instance is local, as with %j", (config) => {
    expect(countsAsVerified(open, { ...local, ...config })).toBe(true);
  });

  it.each([
    { smtpUrl: "smtp://mail.example" },
    ...["0.0.0.0", "::", "192.0.2.1", "example.org", "127.example.org"].map((host) => ({ host })),
    ...[
      "https://estimates.example.org",
      "http://192.0.2.1:3000",
      "http://127.example.org",
      "http://localhost.example.org",
    ].map((baseUrl) => ({ baseUrl })),
    { trustProxy: ["127.0.0.1/32"] },
  ])("only if it was confirmed, as with %j", (config) => {
    expect(countsAsVerified(open, { ...local, ...config })).toBe(false);
    expect(countsAsVerified({ emailVerifiedAt: new Date(0) }, { ...local, ...config })).toBe(true);
  });
});

describe("the check of a link to confirm an address", () => {
  const check = (token: string) => app.request("POST", "/api/auth/verify-email/check", { body: { token } });

  it("says which address it confirms, and changes nothing", async () => {
    const user = await app.signUp();
    const token = tokenIn(await mail.mailTo(user.email));
    expect((await check(token)).data).toEqual({ email: user.email, isConfirmed: false });
    expect(await verifiedAt(user)).toBeNull();
    expect((await verify(token)).status).toBe(200);
    expect((await check(token)).data).toEqual({ email: user.email, isConfirmed: true });
  });

  it("refuses a token that is unknown, replaced or expired", async () => {
    const user = await app.signUp();
    const older = tokenIn(await mail.mailTo(user.email));
    await resend(user);
    const newer = tokenIn(await mail.mailTo(user.email, 2));
    for (const token of ["none", "A".repeat(43), older]) expectRefused(await check(token));
    await app.clock.advance(1_800_000);
    expect((await check(newer)).status).toBe(200);
    await app.clock.advance(1);
    expectRefused(await check(newer));
  });
});

describe("the owner of an address that somebody else registered", () => {
  const takeOver = (token: string, newPassword: string) =>
    app.request("POST", "/api/auth/verify-email", { body: { token, newPassword } });
  const statusOf = async (token: string) => (await app.request("GET", "/api/auth/me", { token })).status;
  const logIn = ({ email }: TestUser, password: string) =>
    app.request("POST", "/api/auth/login", { body: { email, password } });

  it("takes the account over with a new password, which ends what was made before", async () => {
    const stranger = await app.signUp();
    const key = await app.makeKey(stranger, ["admin"]);
    const hook = { url: "https://hooks.example.com/all", events: ["share.accepted"] };
    const made = await app.request("POST", "/api/webhooks", { token: key, body: hook });
    const connection = { target: "github", name: "Theirs", token: "github_pat_11AAAAAAA0verysecretverysecret" };
    const kept = await app.request("POST", "/api/connections", { token: stranger.token, body: connection });
    expect([made.status, kept.status]).toEqual([201, 201]);
    await app.clock.advance(1_000);
    const token = tokenIn(await mail.mailTo(stranger.email));
    expect((await takeOver(token, "chosen by the true owner")).status).toBe(200);
    expect([await statusOf(stranger.token), await statusOf(key)]).toEqual([401, 401]);
    expect((await logIn(stranger, stranger.password)).status).toBe(401);
    const { data } = await logIn(stranger, "chosen by the true owner");
    const mine = String(data.token);
    expect(data.user?.emailVerifiedAt).toBe(app.clock.now().toISOString());
    expect((await app.request("GET", "/api/webhooks", { token: mine })).data.webhooks).toEqual([]);
    expect((await app.request("GET", "/api/connections", { token: mine })).data.connections).toEqual([]);
    const events = await app.pool.query("select event from audit_events where user_id = $1 order by id", [
      stranger.userId,
    ]);
    const names = events.rows.map(({ event }) => event);
    const at = names.indexOf("password.reset");
    expect(names.slice(at, at + 5)).toEqual([
      "password.reset",
      "api_key.revoked",
      "connection.removed",
      "webhooks.removed",
      "email.verified",
    ]);
    // Later keys are the owner's, and the link confirms nothing more.
    const own = await app.makeKey({ ...stranger, token: mine }, ["estimations:read"]);
    expectRefused(await takeOver(token, "chosen by yet another"));
    expect([await statusOf(mine), await statusOf(own)]).toEqual([200, 200]);
  });

  it("is told of a password that is too weak, and nothing changes", async () => {
    const stranger = await app.signUp();
    const token = tokenIn(await mail.mailTo(stranger.email));
    for (const weak of ["password1", "short", stranger.email]) {
      const { status, body } = await takeOver(token, weak);
      expect([status, body.message, body.errors?.[0]?.path]).toEqual([400, "validation_failed", "/newPassword"]);
    }
    expect([await verifiedAt(stranger), await statusOf(stranger.token)]).toEqual([null, 200]);
    expect((await takeOver(token, "chosen by the true owner")).status).toBe(200);
  });

  it("takes over once, even if twenty requests arrive at the same moment", async () => {
    const stranger = await app.signUp();
    const token = tokenIn(await mail.mailTo(stranger.email));
    const passwords = Array.from({ length: 20 }, (_, index) => `chosen by the true owner ${index}`);
    const responses = await Promise.all(passwords.map((password) => takeOver(token, password)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(400)]);
    const chosen = responses.findIndex(({ status }) => status === 200);
    expect((await logIn(stranger, passwords[chosen] ?? "")).status).toBe(200);
  });
});
