import { describe, expect, it, vi } from "vitest";
import type { auth } from "../../../contract/endpoints/auth.ts";
import { start, type TestUser } from "../../../tests/harness.ts";
import { createPool, drizzleOver } from "../../db/database.ts";
import { Failure } from "../../http/failure.ts";
import type { Call } from "../../http/handler.ts";
import { createSessionTokens } from "../../platform/tokens.ts";
import { fellowReadersOf } from "../estimations/index.ts";
import { isMember } from "../teams/index.ts";
import { createSessionVerifier, createSignIns } from "./index.ts";
import { authRoutes } from "./routes.ts";

const app = await start({ config: { rateLimitAuthPerMinute: 1_000 } });
const { services } = app;

const me = (token: string) => app.request("GET", "/api/auth/me", { token });
const logIn = async ({ email }: TestUser, password: string) =>
  app.request("POST", "/api/auth/login", { body: { email, password } });
const post = (name: string, token: string, body?: unknown) => app.request("POST", `/api/auth/${name}`, { token, body });

const storedUser = async ({ userId }: TestUser) =>
  (await app.pool.query("select * from users where id = $1", [userId])).rows[0];

async function expectRevoked(token: string) {
  const { status, body } = await me(token);
  const error = { code: "TOKEN_REVOKED", message: "token_revoked" };
  expect([status, body]).toEqual([
    401,
    {
      success: false,
      message: "token_revoked",
      code: "TOKEN_REVOKED",
      error,
      hint: "A logout, or a new password, has ended all sessions: sign in again.",
      docUrl: expect.any(String),
      requestId: expect.any(String),
    },
  ]);
}

describe("the session token", () => {
  it("is valid until its hour is over; then it is invalid, not revoked (V7.3.1, V9.2.1)", async () => {
    const user = await app.signUp();
    const { exp } = JSON.parse(Buffer.from(user.token.split(".")[1] ?? "", "base64url").toString());
    await app.clock.advance(exp * 1000 - app.clock.now().getTime() - 1);
    expect((await me(user.token)).status).toBe(200);
    await app.clock.advance(1);
    const expired = await me(user.token);
    expect([expired.status, expired.body.message]).toEqual([401, "Invalid or expired token"]);
    expect((await post("renew", user.token)).status).toBe(401);
  });

  it("costs one query per request if it is genuine, and none otherwise", async () => {
    const user = await app.signUp();
    const pool = createPool(app.connection, services.log);
    const query = vi.spyOn(pool, "query");
    const verify = createSessionVerifier({ ...services, pool: drizzleOver(pool) });
    try {
      const given = await verify(user.token);
      expect(given.userId).toBe(user.userId);
      expect(query).not.toHaveBeenCalled();
      const actor = { userId: user.userId, credential: "session", tokenVersion: 0 };
      expect(await given.prove()).toMatchObject(actor);
      expect(query).toHaveBeenCalledTimes(1);
      const forged = await createSessionTokens(
        { ...services.sessionKeys, inUse: async () => Buffer.alloc(32) },
        app.clock,
      ).issue({
        userId: user.userId,
        tokenVersion: 0,
        sessionId: "ses_01k6z0c9v3e8rbt5w2yq4nmhxd",
      });
      for (const token of [forged.token, `${user.token}x`, "a.b.c", "", "x".repeat(16_000)]) {
        await expect(verify(token)).rejects.toMatchObject({ key: "token_invalid" });
      }
      expect(query).toHaveBeenCalledTimes(1);
    } finally {
      await pool.end();
    }
  });

  it("is invalid once its user is deleted (V7.4.2)", async () => {
    const user = await app.signUp();
    await app.pool.query("delete from users where id = $1", [user.userId]);
    const response = await me(user.token);
    expect([response.status, response.body.message]).toEqual([401, "Invalid or expired token"]);
  });

  it("of a later version is refused like a token of an earlier version", async () => {
    const user = await app.signUp();
    const early = await createSessionTokens(services.sessionKeys, app.clock).issue({
      userId: user.userId,
      tokenVersion: 1,
      sessionId: "ses_01k6z0c9v3e8rbt5w2yq4nmhxd",
    });
    await expectRevoked(early.token);
  });
});

describe("logging out", () => {
  it("revokes every session of the user on every device, and nothing else (V7.4.1)", async () => {
    const [user, other] = [await app.signUp(), await app.signUp()];
    const key = await app.makeKey(user, ["estimations:read"]);
    const elsewhere = String((await logIn(user, user.password)).data.token);
    expect(elsewhere).not.toBe(user.token);
    const response = await post("logout", elsewhere);
    expect([response.status, response.body]).toEqual([200, { success: true, data: {} }]);
    await expectRevoked(user.token);
    await expectRevoked(elsewhere);
    expect((await me(key)).status).toBe(200);
    expect((await me(other.token)).status).toBe(200);
    const fresh = await logIn(user, user.password);
    expect((await me(String(fresh.data.token))).status).toBe(200);
    await expectRevoked(user.token);
  });

  it("counts each logout once, even if several happen at the same moment", async () => {
    const user = await app.signUp();
    const responses = await Promise.all(Array.from({ length: 20 }, () => post("logout", user.token)));
    const done = responses.filter(({ status }) => status === 200).length;
    expect(done).toBeGreaterThan(0);
    expect((await storedUser(user)).token_version).toBe(done);
    expect(responses.every(({ status }) => status === 200 || status === 401)).toBe(true);
  });
});

describe("renewing", () => {
  it("gives a new hour, while the token of the request keeps its own (V7.3.2)", async () => {
    const user = await app.signUp();
    await app.clock.advance(1_800_000);
    const { status, data } = await post("renew", user.token);
    expect(status).toBe(200);
    const hourLater = Math.floor(app.clock.now().getTime() / 1000) * 1000 + 3_600_000;
    expect(data).toEqual({ token: expect.any(String), expiresAt: new Date(hourLater).toISOString() });
    expect((await me(user.token)).status).toBe(200);
    await app.clock.advance(1_800_000);
    expect((await me(user.token)).status).toBe(401);
    expect((await me(String(data.token))).status).toBe(200);
  });

  it("does not restore a session that is revoked while it is renewed (V7.4.1)", async () => {
    const user = await app.signUp();
    const actor = await (await createSessionVerifier(services)(user.token)).prove();
    await post("logout", user.token);
    const call: Call<typeof auth.renewSession> = {
      actor,
      params: {},
      query: {},
      body: undefined,
      db: services.pool,
      now: app.clock.now(),
      requestId: "",
      ip: "",
      userAgent: null,
    };
    const { data } = await authRoutes(services, createSignIns(services, []), {
      acquaintancesOf: fellowReadersOf,
      isMember,
      endEarlierAccess: async () => {},
    }).renewSession(call);
    await expectRevoked(data.token);
  });
});

describe("changing the password", () => {
  const change = (token: string, currentPassword: string, newPassword: string) =>
    post("change-password", token, { currentPassword, newPassword });

  it("revokes every earlier session, returns a new one, and leaves keys alone (V6.2.2, V7.2.4, V7.4.3)", async () => {
    const user = await app.signUp();
    const key = await app.makeKey(user, ["estimations:read"]);
    const elsewhere = String((await logIn(user, user.password)).data.token);
    expect(elsewhere).not.toBe(user.token);
    const { status, data } = await change(user.token, user.password, "another fine password");
    expect(status).toBe(200);
    expect(data).toEqual({ token: expect.any(String), expiresAt: expect.any(String) });
    await expectRevoked(user.token);
    await expectRevoked(elsewhere);
    expect((await me(String(data.token))).status).toBe(200);
    expect((await me(key)).status).toBe(200);
    expect((await logIn(user, user.password)).status).toBe(401);
    expect((await logIn(user, "another fine password")).status).toBe(200);
  });

  it.each([
    ["the current one is wrong", "wrong password", "another fine password", 401, "invalid_credentials"],
    ["the new one has 7 characters", "correct horse battery", "1234567", 400, "validation_failed"],
    ["the new one has 129 characters", "correct horse battery", "a".repeat(129), 400, "validation_failed"],
    ["the new one is too short once composed", "correct horse battery", "e\u0301".repeat(7), 400, "validation_failed"],
  ])("changes nothing if %s (V6.2.1, V6.2.3, V7.4.3)", async (_, current, next, status, message) => {
    const user = await app.signUp();
    const response = await change(user.token, current, next);
    expect([response.status, response.body.message]).toEqual([status, message]);
    expect((await me(user.token)).status).toBe(200);
  });

  it("accepts new passwords of 8 and of 128 characters (V6.2.1, V6.2.9)", async () => {
    const user = await app.signUp();
    const first = await change(user.token, user.password, "12345 78");
    const second = await change(String(first.data.token), "12345 78", "🐎".repeat(128));
    expect([first.status, second.status]).toEqual([200, 200]);
  });

  it("happens once for simultaneous requests, and never after a logout in between", async () => {
    const user = await app.signUp();
    const responses = await Promise.all(
      [1, 2, 3, 4, 5].map((at) => change(user.token, user.password, `password number ${at}`)),
    );
    const statuses = responses.map(({ status }) => status);
    expect([...statuses].sort()).toEqual([200, 401, 401, 401, 401]);
    expect((await storedUser(user)).token_version).toBe(1);
    const winner = statuses.indexOf(200) + 1;
    expect((await logIn(user, `password number ${winner}`)).status).toBe(200);
  });

  it("is refused if the token was revoked while the password was checked", async () => {
    const user = await app.signUp();
    const actor = await (await createSessionVerifier(services)(user.token)).prove();
    await post("logout", user.token);
    const call: Call<typeof auth.changePassword> = {
      actor,
      params: {},
      query: {},
      body: { currentPassword: user.password, newPassword: "another fine password" },
      db: services.pool,
      now: app.clock.now(),
      requestId: "",
      ip: "127.0.0.1",
      userAgent: null,
    };
    const refused = await authRoutes(services, createSignIns(services, []), {
      acquaintancesOf: fellowReadersOf,
      isMember,
      endEarlierAccess: async () => {},
    })
      .changePassword(call)
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Failure);
    expect(refused).toMatchObject({ key: "token_revoked" });
  });
});
