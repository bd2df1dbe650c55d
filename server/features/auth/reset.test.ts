import { createHash, randomBytes } from "node:crypto";
import { afterAll, describe, expect, it } from "vitest";
import { type Response, start, type TestUser, until } from "../../../tests/harness.ts";
import { makeJobsDue } from "../../../tests/support/jobs.ts";
import { startMailServer, tokenIn } from "../../../tests/support/mail-server.ts";

const mail = await startMailServer();
const app = await start({
  worker: true,
  config: {
    smtpUrl: mail.url,
    mailFrom: "Estimations <no-reply@example.org>",
    webUrl: "https://app.example.org/base",
    rateLimitAuthPerMinute: 1_000,
  },
});
afterAll(mail.stop);

const NEW = "another fine password";
const MINUTES_30 = 1_800_000;

/** Requests a link, whose mail is sent at once instead of at some moment of the next seconds. */
async function ask(email: string, headers: Record<string, string> = {}): Promise<Response> {
  const response = await app.request("POST", "/api/auth/forgot-password", { body: { email }, headers });
  await makeJobsDue(app.pool);
  return response;
}
const reset = (token: string, password = NEW) =>
  app.request("POST", "/api/auth/reset-password", { body: { token, password } });
const logIn = (email: string, password: string) =>
  app.request("POST", "/api/auth/login", { body: { email, password } });
const me = (token: string) => app.request("GET", "/api/auth/me", { token });

const storedUser = async ({ userId }: TestUser) =>
  (await app.pool.query("select * from users where id = $1", [userId])).rows[0];

/** A user who has received the first mail, to confirm the address. */
async function signUp(): Promise<TestUser> {
  const user = await app.signUp();
  await mail.mailTo(user.email);
  return user;
}

/** Requests a link and returns its token; `count` is the number of the mail. */
async function askFor(user: TestUser, count = 2): Promise<string> {
  expect((await ask(user.email)).status).toBe(202);
  return tokenIn(await mail.mailTo(user.email, count));
}

const expectRefused = ({ status, body }: Response) =>
  expect([status, body]).toEqual([
    400,
    { success: false, message: "invalid_reset_token", docUrl: expect.any(String), requestId: expect.any(String) },
  ]);

describe("requesting a link", () => {
  it("is mailed to the account's address, and built only from the configured address of the web application (V6.4.3)", async () => {
    const user = await signUp();
    const response = await ask(` ${user.email.toUpperCase()}`, {
      host: "evil.example",
      "x-forwarded-host": "evil.example",
      origin: "https://evil.example",
      referer: "https://evil.example/",
    });
    expect([response.status, response.body]).toEqual([202, { success: true, data: {} }]);
    const { from, to, headers, body } = await mail.mailTo(user.email, 2);
    expect([from, to]).toEqual(["no-reply@example.org", [user.email]]);
    expect(headers).toMatchObject({
      from: "Estimations <no-reply@example.org>",
      to: user.email,
      subject: "Reset your password",
      "auto-submitted": "auto-generated",
    });
    expect(body).toMatch(/^https:\/\/app\.example\.org\/base\/reset-password\?token=[\w-]{43}$/m);
    expect(body).not.toContain("evil");
  });

  it("has the same response for an address without an account, and writes as much (V6.3.8)", async () => {
    const waiting = await start();
    const user = await waiting.signUp();
    const unknown = `${randomBytes(6).toString("hex")}@example.com`;
    const askThere = async (email: string) => {
      const before = await written();
      const { status, headers, body } = await waiting.request("POST", "/api/auth/forgot-password", { body: { email } });
      const after = await written();
      return {
        status,
        body,
        headers: [...headers.keys()].sort(),
        added: after.map((rows, at) => rows - (before[at] ?? 0)),
      };
    };
    const written = async (): Promise<number[]> => {
      const counts = ["audit_events", "job_leases", "try_counts"].map(
        async (table) => (await waiting.pool.query(`select count(*)::int as rows from ${table}`)).rows[0].rows,
      );
      return Promise.all(counts);
    };
    await askThere("first@example.com");
    const response = await askThere(user.email);
    expect([response.status, response.added]).toEqual([202, [1, 1, 6]]);
    expect(await askThere(unknown)).toEqual(response);
  });

  it("sends the mail at a random moment of the next seconds, so that no other request is noticeably slower", async () => {
    const waiting = await start();
    const user = await waiting.signUp();
    for (let at = 0; at < 10; at += 1)
      await waiting.request("POST", "/api/auth/forgot-password", { body: { email: user.email } });
    const { rows } = await waiting.pool.query(
      "select extract(epoch from due_at) as delay from job_leases where payload->>'kind' = 'reset-password'",
    );
    const delays = rows.map(({ delay }) => Number(delay));
    expect(delays).toHaveLength(10);
    // Ten moments of one second are all within a tenth of it once in a hundred million times.
    expect(Math.max(...delays) - Math.min(...delays)).toBeGreaterThan(0.1);
  });

  it("mails nothing to an address without an account (V6.3.8)", async () => {
    const nobody = `${randomBytes(6).toString("hex")}@example.com`;
    expect((await ask(nobody)).status).toBe(202);
    const jobs = "select 1 from job_leases where name = 'send-mail'";
    await until(async () => (await app.pool.query(jobs)).rowCount === 0);
    expect(mail.mails.filter(({ to }) => to.includes(nobody))).toEqual([]);
  });

  it.each(["", "nobody", "a@b, c@d", "a@b\r\nBcc: c@d", "<a@b>", '"a"@b'])(
    "refuses %j as an address (V6.4.3)",
    async (email) => {
      expect((await ask(email)).status).toBe(400);
    },
  );
});

describe("the link", () => {
  it("sets the password, revokes every session, leaves keys alone, proves the address and tells the owner (V6.3.6, V6.3.7, V7.4.3)", async () => {
    const user = await signUp();
    const key = await app.makeKey(user, ["estimations:read"]);
    const elsewhere = String((await logIn(user.email, user.password)).data.token);
    expect(elsewhere).not.toBe(user.token);
    const response = await reset(await askFor(user));
    expect([response.status, response.body]).toEqual([200, { success: true, data: {} }]);
    for (const token of [user.token, elsewhere]) {
      const stale = await me(token);
      expect([stale.status, stale.body.code]).toEqual([401, "TOKEN_REVOKED"]);
    }
    expect((await me(key)).status).toBe(200);
    expect((await logIn(user.email, user.password)).status).toBe(401);
    const fresh = await logIn(user.email, NEW);
    expect(fresh.data.user?.emailVerifiedAt).toBe(app.clock.now().toISOString());
    const stored = await storedUser(user);
    expect([stored.token_version, stored.password_hash.slice(0, 9)]).toEqual([1, "$argon2id"]);
    const { headers, body } = await mail.mailTo(user.email, 3);
    expect(headers.subject).toBe("Your password was changed");
    expect(body).toContain(app.clock.now().toISOString());
    expect(body).toContain("https://app.example.org/base/forgot-password");
    expect(body).not.toMatch(/token=/);
  });

  it("sends a mail that says what else still gives access to the account, if anything does", async () => {
    const [user, plain] = [await signUp(), await signUp()];
    const [, revoked] = [await app.makeKey(user, ["admin"]), await app.makeKey(user, ["admin"])];
    const { data } = await app.request("GET", "/api/api-keys?limit=1", { token: user.token });
    await app.request("DELETE", `/api/api-keys/${data.apiKeys?.[0]?.id}`, { token: user.token });
    expect((await me(revoked)).status).toBe(401);
    const expiresAt = app.clock.now().toISOString();
    await app.request("POST", "/api/api-keys", { token: user.token, body: { name: "old", scopes: [], expiresAt } });
    for (const host of ["one", "two"]) {
      const body = { url: `https://${host}.example/in`, events: ["estimation.tasks_generated"] };
      expect((await app.request("POST", "/api/webhooks", { token: user.token, body })).status).toBe(201);
    }
    await reset(await askFor(user));
    const { body } = await mail.mailTo(user.email, 3);
    expect(body).toContain("1 API key and 2 webhooks");
    for (const call of [
      "GET /api/api-keys",
      "DELETE /api/api-keys/:id",
      "GET /api/webhooks",
      "DELETE /api/webhooks/:id",
    ])
      expect(body).toContain(call);
    await reset(await askFor(plain));
    expect((await mail.mailTo(plain.email, 3)).body).not.toContain("webhook");
  });

  it("works once, even if it is opened fifty times at the same moment (V6.4.3)", async () => {
    const user = await signUp();
    const token = await askFor(user);
    const responses = await Promise.all(Array.from({ length: 50 }, (_, at) => reset(token, `password number ${at}`)));
    const statuses = responses.map(({ status }) => status);
    expect([...statuses].sort()).toEqual([200, ...Array(49).fill(400)]);
    expect((await storedUser(user)).token_version).toBe(1);
    expect((await logIn(user.email, `password number ${statuses.indexOf(200)}`)).status).toBe(200);
    expectRefused(await reset(token));
  });

  it("works until exactly 30 minutes and not a millisecond longer (V6.4.1)", async () => {
    const [user, late] = [await signUp(), await signUp()];
    const [token, stale] = [await askFor(user), await askFor(late)];
    await app.clock.advance(MINUTES_30);
    expect((await reset(token)).status).toBe(200);
    await app.clock.advance(1);
    expectRefused(await reset(stale));
  });

  it("has a token of 256 random bits, another one each time (V6.4.1)", async () => {
    const user = await signUp();
    const tokens = [await askFor(user), await askFor(user, 3), await askFor(user, 4), await askFor(user, 5)];
    const bytes = tokens.map((token) => Buffer.from(token, "base64url"));
    expect(bytes.map(({ length }) => length)).toEqual([32, 32, 32, 32]);
    expect(new Set(tokens).size).toBe(4);
    const ones = [...Buffer.concat(bytes)].reduce((sum, byte) => sum + byte.toString(2).replaceAll("0", "").length, 0);
    // Of 1,024 random bits 512 ± 16 are set; six standard deviations never occur.
    expect(Math.abs(ones - 512)).toBeLessThan(96);
  });

  it("is void once a newer one is sent, which works (V6.4.3)", async () => {
    const user = await signUp();
    const older = await askFor(user);
    const newer = await askFor(user, 3);
    expect(newer).not.toBe(older);
    expectRefused(await reset(older));
    expect((await reset(newer)).status).toBe(200);
  });

  it("is void once the password is changed (V6.4.3)", async () => {
    const user = await signUp();
    const token = await askFor(user);
    const body = { currentPassword: user.password, newPassword: "changed meanwhile" };
    expect((await app.request("POST", "/api/auth/change-password", { token: user.token, body })).status).toBe(200);
    expectRefused(await reset(token));
    expect((await logIn(user.email, "changed meanwhile")).status).toBe(200);
  });

  it("is not used up by a refused password (V6.2.1, V6.2.4, V7.4.3)", async () => {
    const user = await signUp();
    const token = await askFor(user);
    const weak = ["1234567", "a".repeat(129), "e\u0301".repeat(7), "Password123", user.email.toUpperCase()];
    for (const password of weak) {
      const { status, body } = await reset(token, password);
      expect([status, body.message, body.errors?.[0]?.path]).toEqual([400, "validation_failed", "/password"]);
    }
    expect((await reset(token)).status).toBe(200);
  });

  it("is refused in the same way whatever is wrong with it, and nothing is changed (V6.5.2, V6.6.2)", async () => {
    const user = await signUp();
    const verification = tokenIn(await mail.mailTo(user.email));
    const token = await askFor(user);
    const bad = [
      "",
      " ",
      "x",
      randomBytes(32).toString("base64url"),
      `${token} `,
      token.slice(1),
      `${token}A`,
      "é".repeat(43),
      "a".repeat(16_000),
      user.token,
      // What is stored instead of a token.
      createHash("sha256").update(token).digest("base64url"),
      createHash("sha256").update(token).digest("hex"),
    ];
    for (const wrong of [...bad, verification]) expectRefused(await reset(wrong));
    expect((await app.request("POST", "/api/auth/verify-email", { body: { token } })).status).toBe(400);
    expect((await reset(token)).status).toBe(200);
  });

  it("lets the owner sign in at once, whatever others have tried", async () => {
    const careful = await start({ config: { rateLimitAuthPerMinute: 3, trustProxy: ["127.0.0.1/32"] } });
    const user = await careful.signUp();
    const at = (ip: string) => ({ "x-forwarded-for": ip });
    const attempt = (password: string, ip: string) =>
      careful.request("POST", "/api/auth/login", { body: { email: user.email, password }, headers: at(ip) });
    for (let host = 1; host <= 4; host += 1) await attempt("wrong", `192.0.2.${host}`);
    expect((await attempt(user.password, "198.51.100.7")).status).toBe(429);
    const token = randomBytes(32).toString("base64url");
    await careful.pool.query("insert into mailed_tokens values ($1, 'reset-password', sha256($2), $3)", [
      user.userId,
      Buffer.from(token),
      careful.clock.now(),
    ]);
    const body = { token, password: NEW };
    const done = await careful.request("POST", "/api/auth/reset-password", { body, headers: at("198.51.100.7") });
    expect(done.status).toBe(200);
    for (let host = 1; host <= 4; host += 1) await attempt("wrong", `192.0.2.${host}`);
    expect((await attempt(NEW, "192.0.2.9")).status).toBe(429);
    expect((await attempt(NEW, "198.51.100.7")).status).toBe(200);
  });
});

describe("changing the password", () => {
  it("notifies the owner by mail (V6.3.7)", async () => {
    const user = await signUp();
    const body = { currentPassword: user.password, newPassword: NEW };
    await app.request("POST", "/api/auth/change-password", { token: user.token, body });
    const notice = await mail.mailTo(user.email, 2);
    expect(notice.headers.subject).toBe("Your password was changed");
    expect(notice.body).toContain("was changed at");
  });

  it("sends no mail if it is refused", async () => {
    const user = await signUp();
    const body = { currentPassword: "wrong password", newPassword: NEW };
    await app.request("POST", "/api/auth/change-password", { token: user.token, body });
    await askFor(user);
    expect(mail.mails.filter(({ to }) => to.includes(user.email)).map(({ headers }) => headers.subject)).toEqual([
      "Confirm your e-mail address",
      "Reset your password",
    ]);
  });
});

describe("while the mail server is unreachable", () => {
  it("the mail is sent later, nothing that waits is a usable token, and the link then works", async () => {
    const user = await signUp();
    mail.refuse(451, user.email);
    expect((await ask(user.email)).status).toBe(202);
    const waiting = await until(async () => {
      const { rows } = await app.pool.query(
        "select row_to_json(j)::text as job, last_error from job_leases j where last_error is not null",
      );
      return rows[0];
    });
    expect(waiting.last_error).toContain("the mail was not sent: EENVELOPE 451");
    expect(JSON.parse(waiting.job).payload).toEqual({
      kind: "reset-password",
      facts: { userId: user.userId },
      cause: expect.stringMatching(/^[0-9a-f-]{36}$/),
      askedAt: app.clock.now().toISOString(),
    });
    const token = tokenIn(await mail.mailTo(user.email, 2));
    expect(waiting.job).not.toContain(token);
    expect((await reset(token)).status).toBe(200);
  });

  it("a mail that is refused permanently is given up", async () => {
    const user = await signUp();
    mail.refuse(550, user.email);
    await ask(user.email);
    await until(async () => {
      const { rows } = await app.pool.query("select 1 from job_leases where name = 'send-mail'");
      return rows.length === 0;
    });
    expect(mail.mails.filter(({ to }) => to.includes(user.email))).toHaveLength(1);
    expect(tokenIn(await mail.mailTo(user.email, 1))).toMatch(/^[\w-]{43}$/);
  });
});

describe("what is stored", () => {
  it("contains no token, in any table, before or after the mail (V6.5.2)", async () => {
    const user = await signUp();
    const token = await askFor(user);
    const tables = await app.pool.query(
      "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'graphile_worker')",
    );
    let text = "";
    for (const { name } of tables.rows) {
      text += (await app.pool.query(`select t::text as row from ${name} t`)).rows.map(({ row }) => row).join("\n");
    }
    expect(text).toContain(user.userId);
    expect(text).not.toContain(token);
    expect(text).not.toContain(Buffer.from(token, "base64url").toString("hex"));
    expect(text).not.toContain(user.password);
  });
});
