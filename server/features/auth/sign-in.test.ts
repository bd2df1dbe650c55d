import { describe, expect, it } from "vitest";
import { start } from "../../../tests/harness.ts";
import { createPasswords, currentCost } from "../../platform/passwords.ts";

const app = await start({ fullPasswordCost: true, config: { rateLimitAuthPerMinute: 1_000 } });
const logIn = (email: string, password: string) =>
  app.request("POST", "/api/auth/login", { body: { email, password } });
const hashOf = async (userId: string) =>
  (await app.pool.query("select password_hash from users where id = $1", [userId])).rows[0].password_hash;

describe("signing in", () => {
  it("returns the user, a token and when it expires", async () => {
    const user = await app.signUp();
    const { status, data } = await logIn(user.email, user.password);
    expect(status).toBe(200);
    expect(data.user?.id).toBe(user.userId);
    const me = await app.request("GET", "/api/auth/me", { token: String(data.token) });
    expect([me.status, me.data.user]).toEqual([200, data.user]);
    const { sub, tokenVersion, iat, exp } = JSON.parse(
      Buffer.from(String(data.token).split(".")[1] ?? "", "base64url").toString(),
    );
    expect([sub, tokenVersion, exp - iat]).toEqual([user.userId, 0, 3600]);
    expect(Date.parse(String(data.expiresAt))).toBe(exp * 1000);
  });

  it("finds the account by its address in any spelling", async () => {
    const user = await app.signUp("Spelled@Example.com");
    expect((await logIn(" sPELLED@eXAMPLE.com\t", user.password)).status).toBe(200);
  });

  it("has the same response for a wrong password and an unknown address (V6.3.8)", async () => {
    const user = await app.signUp();
    const responses = [await logIn(user.email, "wrong password"), await logIn("nobody@example.com", user.password)];
    for (const response of responses) {
      expect(response.status).toBe(401);
      expect(response.body).toEqual({
        success: false,
        message: "invalid_credentials",
        docUrl: expect.any(String),
        requestId: expect.any(String),
      });
      expect(response.headers.get("www-authenticate")).toBe("Bearer");
    }
    const namesOf = (headers: Headers) => [...headers.keys()].sort();
    expect(namesOf(responses[0]?.headers as Headers)).toEqual(namesOf(responses[1]?.headers as Headers));
  });

  it("a password that is too short is wrong, and one that is too long is invalid", async () => {
    const user = await app.signUp();
    expect((await logIn(user.email, "")).status).toBe(401);
    // Four code points at most are composed to one character, of which a password has up to 128.
    expect((await logIn(user.email, "a".repeat(4 * 128))).status).toBe(401);
    expect((await logIn(user.email, "a".repeat(4 * 128 + 1))).status).toBe(400);
  });

  it("returns a new token, whatever credential the request has (V7.2.4)", async () => {
    const [attacker, user] = [await app.signUp(), await app.signUp()];
    // Within the same second, so that they do not differ only by their time.
    const { data } = await app.request("POST", "/api/auth/login", {
      body: { email: user.email, password: user.password },
      headers: { authorization: `Bearer ${attacker.token}`, cookie: `token=${attacker.token}` },
    });
    expect([attacker.token, user.token]).not.toContain(data.token);
    const me = (token: string) => app.request("GET", "/api/auth/me", { token });
    expect((await me(String(data.token))).data.user?.id).toBe(user.userId);
    expect((await me(attacker.token)).data.user?.id).toBe(attacker.userId);
  });

  it("works however old the password is (V6.2.10)", async () => {
    const user = await app.signUp();
    await app.pool.query("update users set created_at = created_at - interval '10 years' where id = $1", [user.userId]);
    expect((await logIn(user.email, user.password)).status).toBe(200);
  });

  it("lets nobody in on a new instance, which has no accounts (V6.3.2)", async () => {
    const fresh = await start();
    expect((await fresh.pool.query("select 1 from users")).rows).toEqual([]);
    for (const name of ["admin", "root", "sa", "test", "postgres"]) {
      const body = { email: `${name}@localhost`, password: name };
      expect((await fresh.request("POST", "/api/auth/login", { body })).status).toBe(401);
    }
  });

  it("never lets a user without a password sign in (V6.3.4)", async () => {
    const user = await app.signUp();
    await app.pool.query("update users set password_hash = null where id = $1", [user.userId]);
    expect((await logIn(user.email, user.password)).status).toBe(401);
    expect((await logIn(user.email, "")).status).toBe(401);
  });

  it("makes the hash again if its cost was raised since, and only then", async () => {
    const user = await app.signUp();
    const before = await hashOf(user.userId);
    await logIn(user.email, user.password);
    expect(await hashOf(user.userId)).toBe(before);

    const cheap = await createPasswords({ cost: { ...currentCost, memoryKib: 256 } }).hash(user.password);
    await app.pool.query("update users set password_hash = $2 where id = $1", [user.userId, cheap]);
    expect((await logIn(user.email, "wrong password")).status).toBe(401);
    expect(await hashOf(user.userId)).toBe(cheap);
    expect((await logIn(user.email, user.password)).status).toBe(200);
    expect(await hashOf(user.userId)).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect((await logIn(user.email, user.password)).status).toBe(200);
    expect((await app.request("GET", "/api/auth/me", { token: user.token })).status).toBe(200);
  });
});

describe("while too many passwords wait to be hashed", () => {
  it("responds with 503 at once and changes nothing; then continues as before", async () => {
    const user = await app.signUp();
    let free = () => {};
    const freed = new Promise<void>((resolve) => {
      free = resolve;
    });
    // Holds the places of this process, and all that may wait for one, without hashing anything.
    const refused = () => Promise.reject(new Error("done"));
    const held = Array.from({ length: 400 }, () =>
      createPasswords()
        .verify("", null, () => freed.then(refused))
        .catch((error: Error) => error.message),
    );
    try {
      const attempts: [string, Record<string, string>, string?][] = [
        ["login", { email: user.email, password: user.password }],
        ["register", { email: "crowd@example.com", password: user.password }],
        ["change-password", { currentPassword: user.password, newPassword: "another password" }, user.token],
      ];
      for (const [name, body, token] of attempts) {
        const response = await app.request("POST", `/api/auth/${name}`, { body, ...(token ? { token } : {}) });
        expect([response.status, response.body.message], name).toEqual([503, "service_unavailable"]);
        expect(response.headers.get("retry-after")).toBe("1");
      }
    } finally {
      free();
    }
    expect(new Set(await Promise.all(held))).toContain("done");
    expect((await logIn(user.email, user.password)).status).toBe(200);
  });
});
