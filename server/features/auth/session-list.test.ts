import { pino } from "pino";
import { expect, test } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { request, start, type TestUser, until } from "../../../tests/harness.ts";
import { startService } from "../../app.ts";
import { createSessionVerifier, forgetSessions } from "./index.ts";

const app = await start({ config: { rateLimitAuthPerMinute: 1_000, trustProxy: ["127.0.0.1/32"] } });
const DAY_MS = 86_400_000;
const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

const logIn = async ({ email, password }: TestUser, headers: Record<string, string> = {}) =>
  String((await app.request("POST", "/api/auth/login", { body: { email, password }, headers })).data.token);
const list = async (token: string, query = "") => {
  const { data } = await app.request("GET", `/api/auth/sessions${query}`, { token });
  return data.sessions as unknown as { id: string; current: boolean; signedInAt: string; lastUsedAt: string }[];
};
const end = (token: string, id: string) => app.request("DELETE", `/api/auth/sessions/${id}`, { token });
const me = async (token: string) => {
  const { status, body } = await app.request("GET", "/api/auth/me", { token });
  return status === 200 ? 200 : [status, body.code ?? body.message];
};
const REVOKED = [401, "TOKEN_REVOKED"];
const expiresAt = (token: string) =>
  JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()).exp * 1_000;

test("a user sees each session with device and address, the own one marked, and nobody else's (V7.5.2)", async () => {
  const [user, other] = [await app.signUp(), await app.signUp()];
  await app.clock.advance(1_000);
  const headers = { "user-agent": FIREFOX, "x-forwarded-for": "198.51.100.7" };
  const token = await logIn(user, headers);
  const at = app.clock.now();
  const [newest, first, ...more] = await list(token);
  expect(more).toEqual([]);
  expect(newest).toEqual({
    id: expect.stringMatching(/^ses_[0-9a-z]{26}$/),
    device: "Firefox on Linux",
    userAgent: FIREFOX,
    ip: "198.51.100.7",
    signedInAt: at.toISOString(),
    lastUsedAt: at.toISOString(),
    endsAt: new Date(at.getTime() + limits.sessionDays * DAY_MS).toISOString(),
    current: true,
  });
  expect(first).toMatchObject({ current: false, ip: "127.0.0.1" });
  expect((await list(user.token)).map(({ current }) => current)).toEqual([false, true]);
  expect(await list(other.token)).toHaveLength(1);
  const page = await list(token, "?limit=1");
  expect(page.map(({ id }) => id)).toEqual([newest?.id]);
});

test("a session is ended in every process at once, and the others stay (V7.4.1, V7.5.2)", async () => {
  const user = await app.signUp();
  const [elsewhere, kept] = [await logIn(user), await logIn(user)];
  const service = await startService({
    config: { ...app.services.config, port: 0 },
    connection: app.connection,
    log: pino({ level: "silent" }),
    only: "api",
    clock: app.clock,
  });
  try {
    const there = async (token: string) => (await request(service.url, "GET", "/api/auth/me", { token })).status;
    expect([await there(elsewhere), await there(user.token)]).toEqual([200, 200]);
    const [, ended] = await list(user.token);
    expect((await end(user.token, String(ended?.id))).status).toBe(200);
    expect([await me(elsewhere), await there(elsewhere)]).toEqual([REVOKED, 401]);
    expect([await me(kept), await me(user.token), await there(kept)]).toEqual([200, 200, 200]);
  } finally {
    await service.stop();
  }
  expect((await app.request("POST", "/api/auth/renew", { token: elsewhere })).status).toBe(401);
  const log = await app.request("GET", "/api/audit-log", { token: user.token });
  expect(log.data.events?.[0]).toMatchObject({ event: "session.ended", actor: null });
});

test("nobody ends another user's session, nor one twice; one's own may be ended, and no key lists them", async () => {
  const [user, other] = [await app.signUp(), await app.signUp()];
  const [theirs] = await list(other.token);
  expect((await end(user.token, String(theirs?.id))).status).toBe(404);
  expect(await me(other.token)).toBe(200);
  const [own] = await list(user.token);
  expect([(await end(user.token, String(own?.id))).status, await me(user.token)]).toEqual([200, REVOKED]);
  const again = await logIn(user);
  expect((await end(again, String(own?.id))).status).toBe(404);
  const key = await app.makeKey({ ...user, token: again }, ["admin"]);
  expect((await app.request("GET", "/api/auth/sessions", { token: key })).status).toBe(403);
});

test("sessions from before a sign-out are listed no more", async () => {
  const user = await app.signUp();
  await logIn(user);
  await app.request("POST", "/api/auth/logout", { token: user.token });
  expect(await list(await logIn(user))).toHaveLength(1);
});

test("a session ends 30 days after its sign-in to the millisecond, through all renewals (V7.1.1, V7.3.2)", async () => {
  const user = await app.signUp();
  const [begun] = await list(user.token);
  const endMs = Date.parse(String(begun?.signedInAt)) + limits.sessionDays * DAY_MS;
  let token = user.token;
  const renew = async () => {
    const { status, data } = await app.request("POST", "/api/auth/renew", { token });
    expect(status).toBe(200);
    token = String(data.token);
  };
  // A renewal every half an hour would take long here: the clock jumps, and the session's token is issued as then.
  const verify = createSessionVerifier(app.services);
  while (endMs - app.clock.now().getTime() > 3_600_000) {
    const left = endMs - app.clock.now().getTime();
    await app.clock.advance(Math.min(3_500_000, left - 3_600_000 + 1));
    await renew();
  }
  const cut = Math.floor(endMs / 1_000) * 1_000;
  await app.clock.advance(1_000);
  await renew();
  expect(expiresAt(token)).toBe(cut);
  expect((await list(token))[0]?.signedInAt).toBe(begun?.signedInAt);
  await app.clock.advance(cut - app.clock.now().getTime() - 1);
  await renew();
  expect([expiresAt(token), await me(token)]).toEqual([cut, 200]);
  await app.clock.advance(1);
  expect(await me(token)).toEqual([401, "Invalid or expired token"]);
  await expect(verify(token)).rejects.toMatchObject({ key: "token_invalid" });
}, 120_000);

test("the last use is stored once a minute (V7.5.2)", async () => {
  const user = await app.signUp();
  const usedAt = async () => {
    const { rows } = await app.pool.query("select last_used_at from sessions where user_id = $1", [user.userId]);
    return rows[0].last_used_at as Date;
  };
  const began = await usedAt();
  await app.clock.advance(59_999);
  await me(user.token);
  await app.clock.advance(5_001);
  expect(await usedAt()).toEqual(began);
  const used = app.clock.now();
  await me(user.token);
  await app.clock.advance(5_000);
  await until(async () => (await usedAt()) > began);
  expect(await usedAt()).toEqual(used);
});

test("with one session more than the limit, the oldest ends (V7.1.2)", async () => {
  const user = await app.signUp();
  const { tokenVersion } = await (await createSessionVerifier(app.services)(user.token)).prove();
  await app.pool.query(
    `insert into sessions (id, user_id, token_version, signed_in_at, last_used_at, expires_at)
     select 'ses_' || lpad(n::text, 26, '0'), $1, $2, now(), now(), 'infinity' from generate_series(1, $3) n`,
    [user.userId, tokenVersion, limits.sessions - 2],
  );
  const has = async (id: string) => (await app.pool.query("select from sessions where id = $1", [id])).rowCount === 1;
  const oldest = `ses_${"1".padStart(26, "0")}`;
  await logIn(user);
  expect(await has(oldest)).toBe(true);
  await logIn(user);
  expect(await has(oldest)).toBe(false);
  expect(await me(user.token)).toBe(200);
});

test("a session is removed a minute after its last token has expired, not before", async () => {
  const user = await app.signUp();
  const { pool, clock } = app.services;
  const kept = async () =>
    (await app.pool.query("select from sessions where user_id = $1", [user.userId])).rowCount === 1;
  await app.clock.advance(3_600_000 + 60_000);
  await forgetSessions(pool, clock.now(), 1_000);
  expect(await kept()).toBe(true);
  await app.clock.advance(1);
  await forgetSessions(pool, clock.now(), 1_000);
  expect(await kept()).toBe(false);
});
