import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { scopeNames } from "../../../contract/scopes.ts";
import { start, type TestUser } from "../../../tests/harness.ts";
import { plansOf } from "../../../tests/support/plans.ts";
import { retentionJobs } from "../../worker.ts";
import { removeRevoked } from "./store.ts";

const app = await start();
const owner = await app.signUp();
const QUOTA = app.services.config.quotas.apiKeys;

const keys = (method: string, path: string, body?: unknown, { token }: TestUser = owner) =>
  app.request(method, `/api/api-keys${path}`, { token, body });
const create = async (fields: Record<string, unknown> = {}, user = owner) => {
  const { status, data, text } = await keys("POST", "", { name: "CI", scopes: ["estimations:read"], ...fields }, user);
  expect(status, text).toBe(201);
  return { id: String(data.apiKey?.id), plaintext: String(data.plaintext), apiKey: data.apiKey };
};
const works = async (plaintext: string) => (await app.request("GET", "/api/auth/me", { token: plaintext })).status;
const pathsOf = (response: Awaited<ReturnType<typeof keys>>) =>
  [...(response.body.errors as unknown as { path: string }[])].map(({ path }) => path);

describe("creating a key", () => {
  it("returns its metadata and, only this time, its plaintext", async () => {
    const { apiKey, plaintext } = await create({ name: "Nightly export", scopes: ["tasks:read", "tasks:export"] });
    expect(plaintext).toMatch(/^svc_live_[A-Za-z0-9_-]{44}$/);
    expect(apiKey).toEqual({
      id: expect.stringMatching(/^key_[0-9a-z]{26}$/),
      name: "Nightly export",
      prefix: plaintext.slice(0, 12),
      scopes: ["tasks:read", "tasks:export"],
      expiresAt: null,
      revokedAt: null,
      lastUsedAt: null,
      createdAt: app.clock.now().toISOString(),
      rotatedAt: null,
    });
    const read = await keys("GET", `/${apiKey?.id}`);
    expect([read.status, read.body]).toEqual([200, { success: true, data: { apiKey } }]);
    expect(await works(plaintext)).toBe(200);
  });

  it("accepts every scope, no scope at all, and names of up to 80 characters of any script", async () => {
    expect((await create({ scopes: scopeNames })).apiKey?.scopes).toEqual(scopeNames);
    expect((await create({ scopes: [] })).apiKey?.scopes).toEqual([]);
    const name = "🐎".repeat(80);
    expect((await create({ name })).apiKey?.name).toBe(name);
    expect((await create({ name: " x" })).apiKey?.name).toBe(" x");
  });

  it.each([
    ["2099-01-02T03:04:05Z", "2099-01-02T03:04:05.000Z"],
    ["2099-01-02T03:04:05.678901+05:30", "2099-01-01T21:34:05.678Z"],
    ["2099-01-02t03:04:05.5-08:00", "2099-01-02T11:04:05.500Z"],
    ["2001-01-01T00:00:00.000Z", "2001-01-01T00:00:00.000Z"],
    [null, null],
  ])("accepts %j as an expiry, past ones too", async (expiresAt, read) => {
    expect((await create({ expiresAt })).apiKey?.expiresAt).toBe(read);
  });

  it.each([
    ["no name", { name: undefined }, "/name"],
    ["an empty name", { name: "" }, "/name"],
    ["a name of white space", { name: " \t\u2003" }, "/name"],
    ["a name of 81 characters", { name: "🐎".repeat(81) }, "/name"],
    ["a name with a NUL character", { name: "a\u0000b" }, "/name"],
    ["no scopes", { scopes: undefined }, "/scopes"],
    ["scopes that are not a list", { scopes: "admin" }, "/scopes"],
    ["an unknown scope", { scopes: ["estimations:read", "estimations:destroy"] }, "/scopes/1"],
    ["a scope in another case", { scopes: ["Admin"] }, "/scopes/0"],
    ["a scope twice", { scopes: ["admin", "admin"] }, "/scopes/1"],
    ["an expiry without an offset", { expiresAt: "2099-01-01T00:00:00" }, "/expiresAt"],
    ["an expiry on a day that does not exist", { expiresAt: "2099-02-30T00:00:00Z" }, "/expiresAt"],
    ["an expiry in seconds", { expiresAt: 4_070_908_800 }, "/expiresAt"],
    ["a plaintext chosen by the caller", { plaintext: "svc_live_mine" }, "/plaintext"],
  ])("refuses %s and stores nothing", async (_, fields, path) => {
    const response = await keys("POST", "", { name: "CI", scopes: ["admin"], ...fields });
    expect([response.status, response.body.message]).toEqual([400, "validation_failed"]);
    expect(pathsOf(response)).toContain(path);
  });

  it("stores only hash and prefix of a plaintext, also in the idempotency records", async () => {
    const headers = { "idempotency-key": randomBytes(8).toString("hex") };
    const body = { name: "once", scopes: [] };
    const first = await app.request("POST", "/api/api-keys", { token: owner.token, body, headers });
    const plaintext = String(first.data.plaintext);
    const rotated = await keys("POST", `/${first.data.apiKey?.id}/rotate`);
    const again = await app.request("POST", "/api/api-keys", { token: owner.token, body, headers });
    expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([201, "true"]);
    expect(again.data).toEqual({ apiKey: first.data.apiKey });
    const { rows: tables } = await app.pool.query("select tablename from pg_tables where schemaname = 'public'");
    let dump = "";
    for (const { tablename } of tables) {
      dump += JSON.stringify((await app.pool.query(`select t::text from public."${tablename}" t`)).rows);
    }
    expect(dump).toContain(plaintext.slice(0, 12));
    for (const secret of [plaintext, String(rotated.data.plaintext), owner.token, owner.password]) {
      expect(dump).not.toContain(secret.slice(-20));
    }
  });

  it("is refused beyond the limit of keys that are not revoked; revoking one makes room", async () => {
    const user = await app.signUp();
    const { id } = await create({}, user);
    await app.pool.query(
      `insert into api_keys (id, user_id, name, prefix, hash, scopes, created_at)
       select 'key_' || lpad(n::text, 26, '0'), $1, 'bulk', 'svc_live_abc', sha256(n::text::bytea), '{}', now()
       from generate_series(1, $2::int) n`,
      [user.userId, QUOTA - 2],
    );
    await create({}, user);
    const refused = await keys("POST", "", { name: "one more", scopes: [] }, user);
    expect([refused.status, refused.body.message, refused.body.details]).toEqual([
      409,
      "limit_reached",
      { quota: "apiKeys", limit: QUOTA },
    ]);
    await keys("DELETE", `/${id}`, undefined, user);
    const responses = await Promise.all([1, 2, 3].map(() => keys("POST", "", { name: "race", scopes: [] }, user)));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  });
});

describe("listing keys", () => {
  it("returns the caller's own, newest first, with revoked and expired ones, page by page", async () => {
    const [user, other] = [await app.signUp(), await app.signUp()];
    await create({}, other);
    const made: string[] = [];
    for (let at = 0; at < 5; at += 1)
      made.unshift((await create({ expiresAt: at ? null : "2001-01-01T00:00:00Z" }, user)).id);
    await keys("DELETE", `/${made[1]}`, undefined, user);
    const all = await keys("GET", "", undefined, user);
    const idsOf = (response: typeof all) =>
      [...(response.data.apiKeys as unknown as { id: string }[])].map(({ id }) => id);
    expect([all.status, idsOf(all), all.data.nextCursor]).toEqual([200, made, null]);
    expect(all.data.apiKeys?.[1]?.revokedAt).toBe(app.clock.now().toISOString());
    expect(JSON.stringify(all.body)).not.toContain("plaintext");

    const first = await keys("GET", "?limit=2", undefined, user);
    const newest = await create({}, user);
    const second = await keys("GET", `?limit=2&cursor=${first.data.nextCursor}`, undefined, user);
    const third = await keys("GET", `?limit=2&cursor=${second.data.nextCursor}`, undefined, user);
    expect([...idsOf(first), ...idsOf(second), ...idsOf(third)]).toEqual(made);
    expect(third.data.nextCursor).toBeNull();
    expect(idsOf(await keys("GET", "?limit=1", undefined, user))).toEqual([newest.id]);
  });

  it.each(["?limit=0", "?limit=101", "?limit=x", "?cursor=x", "?cursor=", "?colour=red"])(
    "refuses %s",
    async (query) => {
      expect((await keys("GET", query)).status).toBe(400);
    },
  );

  it("refuses a made-up cursor", async () => {
    for (const place of [
      ["api-keys", "\u0000"],
      ["api-keys", "\ud800"],
      ["api-keys", 7],
      ["api-keys"],
      ["estimations", "a"],
      [],
      {},
    ]) {
      const cursor = Buffer.from(JSON.stringify(place)).toString("base64url");
      expect((await keys("GET", `?cursor=${cursor}`)).status, JSON.stringify(place)).toBe(400);
    }
  });
});

describe("changing a key", () => {
  it("takes effect with the next request (V8.3.2)", async () => {
    const { id, plaintext } = await create({ scopes: ["estimations:read"] });
    const list = () => app.request("GET", "/api/estimations", { token: plaintext });
    expect((await list()).status).toBe(200);
    const narrowed = await keys("PATCH", `/${id}`, { scopes: ["tasks:read"] });
    expect([narrowed.status, narrowed.data.apiKey?.scopes, narrowed.data.apiKey?.name]).toEqual([
      200,
      ["tasks:read"],
      "CI",
    ]);
    expect((await list()).status).toBe(403);
    await keys("PATCH", `/${id}`, { scopes: ["admin"] });
    expect((await list()).status).toBe(200);
    const renamed = await keys("PATCH", `/${id}`, { name: "Deploy" });
    expect([renamed.data.apiKey?.name, renamed.data.apiKey?.scopes]).toEqual(["Deploy", ["admin"]]);
    expect((await keys("PATCH", `/${id}`, {})).data.apiKey).toEqual({ ...renamed.data.apiKey });
  });

  it.each([
    ["a name of 81 characters", { name: "a".repeat(81) }],
    ["an empty name", { name: "" }],
    ["no name", { name: null }],
    ["an unknown scope", { name: "x", scopes: ["everything"] }],
    ["another expiry", { name: "x", expiresAt: "2030-01-01T00:00:00.000Z" }],
    ["another owner", { name: "x", userId: "usr_00000000000000000000000000" }],
    ["no object", []],
  ])("refuses %s and changes nothing (V15.3.3)", async (_, body) => {
    const { id } = await create();
    expect((await keys("PATCH", `/${id}`, body)).status).toBe(400);
  });
});

describe("rotating a key", () => {
  it("keeps the id and everything else, returns a new plaintext, and refuses the old one at once (V8.3.2)", async () => {
    const { id, plaintext, apiKey } = await create({ expiresAt: "2099-01-01T00:00:00Z" });
    await app.clock.advance(1_000);
    const { status, data } = await keys("POST", `/${id}/rotate`);
    const fresh = String(data.plaintext);
    expect(status).toBe(200);
    expect(fresh).not.toBe(plaintext);
    expect(data.apiKey).toEqual({ ...apiKey, prefix: fresh.slice(0, 12), rotatedAt: app.clock.now().toISOString() });
    const old = await app.request("GET", "/api/auth/me", { token: plaintext });
    expect([old.status, old.body.message]).toEqual([401, "api_key_invalid"]);
    const me = await app.request("GET", "/api/auth/me", { token: fresh });
    expect(me.data.apiKey?.id).toBe(id);
  });
});

describe("revoking a key", () => {
  it("is final: the key gives no access, and can be neither rotated nor changed (V8.3.2)", async () => {
    const { id, plaintext, apiKey } = await create();
    const { status, data } = await keys("DELETE", `/${id}`);
    const revoked = { ...apiKey, revokedAt: app.clock.now().toISOString() };
    expect([status, data]).toEqual([200, { apiKey: revoked }]);
    expect(await works(plaintext)).toBe(401);
    for (const [method, path, body] of [
      ["POST", "/rotate"],
      ["PATCH", "", { name: "back" }],
      ["PATCH", "", {}],
    ] as const) {
      const refused = await keys(method, `/${id}${path}`, body);
      expect([refused.status, refused.body.message]).toEqual([409, "api_key_revoked"]);
    }
  });

  it("returns the same if it is repeated later", async () => {
    const { id } = await create();
    const first = await keys("DELETE", `/${id}`);
    await app.clock.advance(5_000);
    const again = await keys("DELETE", `/${id}`);
    expect([again.status, again.data]).toEqual([200, first.data]);
  });
});

describe("keys that were revoked long ago", () => {
  const revokedAt = (id: string, time: Date) =>
    app.pool.query("update api_keys set revoked_at = $2 where id = $1", [id, time]);

  it("are removed after their retention, and no others", async () => {
    const [old, recent, good] = [await create(), await create(), await create()];
    const limit = new Date(app.clock.now().getTime() - limits.revokedKeyDays * 86_400_000);
    await revokedAt(old.id, new Date(limit.getTime() - 1));
    await revokedAt(recent.id, limit);
    const removal = retentionJobs(app.services).find(({ name }) => name === "remove-revoked-api-keys");
    await removal?.run(null, { lease: { key: "", token: "" }, signal: new AbortController().signal });
    const statuses = await Promise.all([old, recent, good].map(({ id }) => keys("GET", `/${id}`)));
    expect(statuses.map(({ status }) => status)).toEqual([404, 200, 200]);
    expect([await works(old.plaintext), await works(good.plaintext)]).toEqual([401, 200]);
  });

  it(`are listed as long as they are the user's last ${limits.revokedKeys}`, async () => {
    const other = await app.signUp();
    await app.pool.query(
      `insert into api_keys (id, user_id, name, prefix, hash, scopes, created_at, revoked_at)
       select 'key_yy' || lpad(n::text, 24, '0'), $1, 'bulk', 'svc_live_bulk', sha256(('many ' || n)::bytea), '{}', now(),
              $2::timestamptz - n * interval '1 second' from generate_series(1, $3::int) n`,
      [other.userId, app.clock.now(), limits.revokedKeys],
    );
    const [good, revoked] = [await create({}, other), await create({}, other)];
    const listed = async () => {
      const { rows } = await app.pool.query("select id from api_keys where user_id = $1", [other.userId]);
      return new Set(rows.map(({ id }) => id));
    };
    expect((await listed()).size).toBe(limits.revokedKeys + 2);
    await keys("DELETE", `/${revoked.id}`, undefined, other);
    const left = await listed();
    expect(left.size).toBe(limits.revokedKeys + 1);
    const oldest = `key_yy${String(limits.revokedKeys).padStart(24, "0")}`;
    expect([good.id, revoked.id, oldest].map((id) => left.has(id))).toEqual([true, true, false]);
  });

  it("are removed in batches, by an index, however many keys there are", async () => {
    const other = await app.signUp();
    await app.pool.query(
      `insert into api_keys (id, user_id, name, prefix, hash, scopes, created_at, revoked_at)
       select 'key_zz' || lpad(n::text, 24, '0'), $1, 'bulk', 'svc_live_bulk', sha256(('revoked ' || n)::bytea), '{}', now(),
              case when n <= 25 then timestamptz '2000-01-01' end
         from generate_series(1, 3000) n`,
      [other.userId],
    );
    await app.pool.query("vacuum analyze api_keys");
    const time = new Date("2000-01-02");
    const removed: number[] = [];
    const [plan] = await plansOf(app.pool, async (db) => {
      removed.push(await removeRevoked(db, time, 10));
    });
    for (let n = 0; n < 3; n += 1) removed.push(await removeRevoked(app.services.pool, time, 10));
    expect(removed).toEqual([10, 10, 5, 0]);
    expect(plan).toContain("api_keys_by_revocation");
    expect(plan).not.toContain("Seq Scan");
  });
});

describe("a key of another user", () => {
  it("gets 404 for every method", async () => {
    const { id, plaintext } = await create();
    const stranger = await app.signUp();
    const unknown = `key_${"0".repeat(26)}`;
    for (const target of [id, unknown, "key_x", stranger.userId, "%00"]) {
      for (const [method, path, body] of [
        ["GET", ""],
        ["PATCH", "", { name: "mine" }],
        ["POST", "/rotate"],
        ["DELETE", ""],
      ] as const) {
        const response = await keys(method, `/${target}${path}`, body, stranger);
        expect([response.status, response.body.message], `${method} ${target}${path}`).toEqual([404, "not_found"]);
      }
    }
    expect(await works(plaintext)).toBe(200);
  });
});
