import { createHash, randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { start, type TestUser } from "../../../tests/harness.ts";
import { retentionJobs } from "../../worker.ts";
import { issueExchangeCode } from "./exchange-code.ts";

const app = await start();
const user = await app.signUp();

const issue = async ({ userId }: TestUser = user) => {
  const { rows } = await app.pool.query("select token_version from users where id = $1", [userId]);
  const { token_version: tokenVersion } = rows[0];
  return issueExchangeCode(app.services.pool, { id: userId, tokenVersion }, app.clock.now());
};
const exchange = (body: unknown, headers: Record<string, string> = {}) =>
  app.request("POST", "/api/auth/exchange", { body, headers });

const REFUSAL = {
  success: false,
  message: "invalid_exchange_code",
  code: "INVALID_EXCHANGE_CODE",
  error: { code: "INVALID_EXCHANGE_CODE", message: "invalid_exchange_code" },
  docUrl: expect.any(String),
  requestId: expect.any(String),
};

describe("an exchange code", () => {
  it("gives a session of an hour for the user it was made for (V10.3.3)", async () => {
    const { status, data } = await exchange({ code: await issue() });
    expect(status).toBe(200);
    expect(data.user?.id).toBe(user.userId);
    const { sub, tokenVersion, iat, exp } = JSON.parse(
      Buffer.from(String(data.token).split(".")[1] ?? "", "base64url").toString(),
    );
    expect([sub, tokenVersion, exp - iat]).toEqual([user.userId, 0, 3600]);
    expect(Date.parse(String(data.expiresAt))).toBe(exp * 1000);
    expect((await app.request("GET", "/api/auth/me", { token: String(data.token) })).status).toBe(200);
  });

  it("is 32 random bytes, of which only the SHA-256 is stored", async () => {
    const code = await issue();
    expect(Buffer.from(code, "base64url")).toHaveLength(32);
    const hash = createHash("sha256").update(code).digest();
    const { rows } = await app.pool.query(
      "select *, exchange_codes::text as line from exchange_codes where hash = $1",
      [hash],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0].line).not.toContain(code);
    expect(rows[0].line).not.toContain(Buffer.from(code, "base64url").toString("hex"));
  });

  it("is valid until exactly 60 seconds and not a millisecond longer (V10.4.3)", async () => {
    const [inTime, late] = [await issue(), await issue()];
    await app.clock.advance(60_000);
    expect((await exchange({ code: inTime })).status).toBe(200);
    await app.clock.advance(1);
    const refused = await exchange({ code: late });
    expect([refused.status, refused.body]).toEqual([400, REFUSAL]);
  });

  it("can be used once", async () => {
    const code = await issue();
    expect((await exchange({ code })).status).toBe(200);
    const { rows } = await app.pool.query("select used_at from exchange_codes where hash = sha256($1)", [
      Buffer.from(code),
    ]);
    expect(rows[0].used_at).toEqual(app.clock.now());
    const again = await exchange({ code });
    expect([again.status, again.body]).toEqual([400, REFUSAL]);
  });

  it("gives a session to exactly one of fifty simultaneous requests (V10.4.2)", async () => {
    const code = await issue();
    const responses = await Promise.all(Array.from({ length: 50 }, () => exchange({ code })));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    const refused = responses.filter(({ status }) => status === 400);
    expect(refused).toHaveLength(49);
    for (const { body } of refused) expect(body).toEqual(REFUSAL);
  });

  it("is void once the user's sessions are revoked (V7.4.1, V10.4.3)", async () => {
    const other = await app.signUp();
    const code = await issue(other);
    await app.request("POST", "/api/auth/logout", { token: other.token });
    const refused = await exchange({ code });
    expect([refused.status, refused.body]).toEqual([400, REFUSAL]);
    expect((await exchange({ code: await issue(other) })).status).toBe(200);
  });

  it("is not a credential, and a credential is not a code", async () => {
    const code = await issue();
    const asBearer = await app.request("GET", "/api/auth/me", { token: code });
    expect([asBearer.status, asBearer.body.message]).toEqual([401, "Invalid or expired token"]);
    for (const wrong of [user.token, await app.makeKey(user, ["admin"])]) {
      expect((await exchange({ code: wrong })).body).toEqual(REFUSAL);
    }
    expect((await exchange({ code })).status).toBe(200);
  });

  it("decides the refusal, whatever the Authorization header and the Idempotency-Key are", async () => {
    for (const authorization of ["Bearer nonsense", "Basic dXNlcjpwYXNz", `Bearer svc_live_${"A".repeat(44)}`, ""]) {
      expect((await exchange({ code: await issue() }, { authorization })).status).toBe(200);
    }
    const [code, headers] = [await issue(), { "idempotency-key": "exchange" }];
    expect((await exchange({ code }, headers)).status).toBe(200);
    expect((await exchange({ code }, headers)).body).toEqual(REFUSAL);
    expect((await app.pool.query("select 1 from idempotency_keys where key = 'exchange'")).rows).toEqual([]);
  });

  it("is recorded in the audit log, with the address where it was redeemed and without the code", async () => {
    const other = await app.signUp();
    const code = await issue(other);
    await exchange({ code }, { "user-agent": "Browser/1.0" });
    const { rows } = await app.pool.query("select * from audit_events where user_id = $1 order by id desc limit 1", [
      other.userId,
    ]);
    expect(rows).toEqual([
      expect.objectContaining({ event: "google.signed_in", ip: "127.0.0.1", user_agent: "Browser/1.0" }),
    ]);
    expect(JSON.stringify(rows)).not.toContain(code);
  });
});

describe("anything that is not a valid code", () => {
  type Bodies = readonly (readonly [string, (good: string) => unknown])[];
  const codes: Bodies = [
    ["an unknown code", () => ({ code: randomBytes(32).toString("base64url") })],
    ["an empty code", () => ({ code: "" })],
    ["a blank code", () => ({ code: " " })],
    ["a cut code", (good) => ({ code: good.slice(1) })],
    ["a padded code", (good) => ({ code: `${good}=` })],
    ["a code with space", (good) => ({ code: ` ${good}` })],
    ["a code in other letters", (good) => ({ code: good.toUpperCase() })],
    ["a code in another spelling", (good) => ({ code: Buffer.from(good, "base64url").toString("hex") })],
    ["the longest body", () => ({ code: "a".repeat(16_000) })],
    ["a hash", (good) => ({ code: createHash("sha256").update(good).digest("base64url") })],
    ["no code", () => ({})],
    ["nothing", () => undefined],
    ["null", () => ({ code: null })],
    ["a number", () => ({ code: 7 })],
    ["a truth", () => ({ code: true })],
    ["a list", (good) => ({ code: [good] })],
    ["an object", () => ({ code: { $ne: null } })],
  ];

  const malformed: Bodies = [
    ["a field beside it", (good) => ({ code: good, extra: 1 })],
    ["a list for a body", (good) => [good]],
    ["text for a body", (good) => JSON.stringify(good)],
    ["null for a body", () => "null"],
    ["a code with a NUL", (good) => ({ code: `${good}\0` })],
    ["half a surrogate pair", () => '{"code":"\\ud800"}'],
    ["a deep body", () => `{"code":${"[".repeat(200)}${"]".repeat(200)}}`],
  ];

  it.each(codes)("%s is refused with the same response and uses nothing up", async (_, make) => {
    const good = await issue();
    const refused = await exchange(make(good));
    expect([refused.status, refused.body]).toEqual([400, REFUSAL]);
    expect((await exchange({ code: good })).status).toBe(200);
  });

  it.each(malformed)("%s is refused as in any other body, and uses nothing up", async (_, make) => {
    const good = await issue();
    const refused = await exchange(make(good));
    expect([refused.status, refused.body.message]).toEqual([400, "validation_failed"]);
    expect((await exchange({ code: good })).status).toBe(200);
  });
});

describe("expired codes and finished sign-ins", () => {
  it("are removed in batches, used or not, and no others", async () => {
    const now = app.clock.now();
    await app.pool.query("delete from exchange_codes");
    await app.pool.query(
      `insert into exchange_codes select sha256(n::text::bytea), $1, 0, $2::timestamptz, case when n % 2 = 0 then $2::timestamptz end from generate_series(1, 2500) n`,
      [user.userId, new Date(now.getTime() - 1)],
    );
    await app.pool.query(
      "insert into finished_sign_ins select sha256(n::text::bytea), $1 from generate_series(1, 1500) n",
      [new Date(now.getTime() - 1)],
    );
    await app.pool.query("insert into finished_sign_ins values ('\\x00', $1)", [now]);
    const valid = await issueExchangeCode(
      app.services.pool,
      { id: user.userId, tokenVersion: 0 },
      new Date(now.getTime() - 60_000),
    );
    const job = retentionJobs(app.services).find(({ name }) => name === "remove-expired-sign-ins");
    await job?.run({}, { lease: { key: "1", token: "p" }, signal: new AbortController().signal });
    expect((await app.pool.query("select hash from exchange_codes")).rows).toEqual([
      { hash: createHash("sha256").update(valid).digest() },
    ]);
    expect((await app.pool.query("select hash from finished_sign_ins")).rows).toEqual([{ hash: Buffer.from([0]) }]);
    expect((await exchange({ code: valid })).status).toBe(200);
  });
});

it("a database dump contains no code that could be used", async () => {
  const code = await issue();
  const tables = await app.pool.query(
    "select table_schema s, table_name t from information_schema.tables where table_type = 'BASE TABLE' and table_schema in ('public', 'graphile_worker')",
  );
  for (const { s, t } of tables.rows) {
    const { rows } = await app.pool.query(`select x::text as line from "${s}"."${t}" x`);
    expect(rows.filter(({ line }) => line.includes(code))).toEqual([]);
  }
});
