import { expect, test } from "vitest";
import { start } from "../../harness.ts";
import { changesNothing } from "../../support/dump.ts";
import { responsesAreNotStored } from "../loops/responses-not-stored.ts";
import { keysInAddressesAreRefused } from "../loops/useless-credentials.ts";
import { makeWorld, sampleConfig } from "../samples.ts";
import { accountCalls, newEmail } from "./account.ts";
import { expectLooped, idsOf } from "./looped.ts";
import { sendRaw } from "./raw-request.ts";

const app = await start({ config: { ...sampleConfig, rateLimitAuthPerMinute: 1_000_000 } });
const world = await makeWorld(app);
const other = await makeWorld(app);
const { register } = accountCalls(app);
const { token } = world.user;
const estimation = `/api/estimations/${world.estimation}`;
const bearer = (credential: string) => ["authorization", `Bearer ${credential}`] as const;

test("V15.3.3 registering accepts no fields that only the service sets", async () => {
  const fields = [
    { id: "usr_00000000000000000000000000" },
    { role: "admin" },
    { isAdmin: true },
    { scopes: ["admin"] },
    { emailVerifiedAt: "2026-01-01T00:00:00.000Z" },
    { tokenVersion: 7 },
    { passwordHash: "$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$AAAAAAAAAAAAAAAAAAAAAA" },
    { createdAt: "2020-01-01T00:00:00.000Z" },
  ];
  await changesNothing(app, async () => {
    for (const more of fields) {
      const { status, body } = await register(newEmail(), "correct horse battery", more);
      expect([status, body.errors?.[0]?.path, body.errors?.[0]?.code], JSON.stringify(more)).toEqual([
        400,
        `/${Object.keys(more)[0]}`,
        "unknown_field",
      ]);
    }
  });
});

test("V15.3.3 a change accepts no fields that only the service sets", async () => {
  const attempts: [string, string, object][] = [
    ["PATCH", "/api/auth/me", { name: "x", role: "admin" }],
    ["PATCH", "/api/auth/me", { name: "x", tokenVersion: 0 }],
    ["PATCH", "/api/auth/me", { name: "x", emailVerifiedAt: "2026-01-01T00:00:00.000Z" }],
    ["PATCH", `/api/api-keys/${world.apiKey}`, { name: "x", userId: other.user.userId }],
    ["PATCH", `/api/api-keys/${world.apiKey}`, { name: "x", revokedAt: "2026-01-01T00:00:00.000Z" }],
    ["PATCH", `/api/api-keys/${world.apiKey}`, { name: "x", expiresAt: "2999-01-01T00:00:00.000Z" }],
    ["PATCH", `/api/api-keys/${world.apiKey}`, { name: "x", hash: "00" }],
    ["PATCH", `/api/webhooks/${world.webhook}`, { secret: "whsec_mine" }],
    ["POST", "/api/auth/change-password", { currentPassword: "x", newPassword: "a fine password", userId: "x" }],
  ];
  await changesNothing(app, async () => {
    for (const [method, path, body] of attempts)
      expect((await app.request(method, path, { token, body })).status, JSON.stringify(body)).toBe(400);
  });
});

test("V15.3.3 an id, owner or status that differs from the record's is refused, and nothing is changed", async () => {
  const own = { id: other.estimation, ownerId: other.user.userId, status: "exported" };
  await changesNothing(app, async () => {
    for (const [name, value] of Object.entries(own)) {
      const { status, body } = await app.request("PUT", estimation, { token, body: { title: "Mine", [name]: value } });
      expect([status, body.errors?.[0]?.path, body.errors?.[0]?.code]).toEqual([400, `/${name}`, "read_only"]);
    }
  });
});

test("V15.3.3 read-only fields that are sent back do not change", async () => {
  const { data } = await app.request("GET", estimation, { token });
  const before = data.estimation;
  const changed = {
    title: "Renamed",
    access: "viewer",
    revision: 99,
    createdAt: "2020-01-01T00:00:00.000Z",
    hours: { expected: 0 },
  };
  const put = await app.request("PUT", estimation, { token, body: changed });
  expect(put.status).toBe(200);
  const { title, revision, updatedAt, ...rest } = put.data.estimation as unknown as Record<string, unknown>;
  const { title: _, revision: __, updatedAt: ___, ...unchanged } = before as unknown as Record<string, unknown>;
  expect([title, revision !== 99, typeof updatedAt]).toEqual(["Renamed", true, "string"]);
  expect(rest).toEqual(unchanged);
});

test("V15.3.5 credentials of another type are refused, never compared", async () => {
  const { email, password } = world.user;
  const odd: unknown[] = [null, true, 0, [password], { $ne: null }, { $gt: "" }, { toString: password }];
  for (const wrong of odd) {
    for (const body of [
      { email, password: wrong },
      { email: wrong, password },
    ])
      expect((await app.request("POST", "/api/auth/login", { body })).status, JSON.stringify(body)).toBe(400);
    const spent = await app.request("POST", "/api/auth/reset-password", { body: { token: wrong, password } });
    expect(spent.status).toBe(400);
    const code = await app.request("POST", "/api/auth/exchange", { body: { code: wrong } });
    expect(code.body.code).toBe("INVALID_EXCHANGE_CODE");
  }
});

test("V15.3.6 `__proto__` and `constructor` in a body or a query change no object and give no rights", async () => {
  const bodies = [
    '{"name":"x","__proto__":{"scopes":["admin"],"isAdmin":true}}',
    '{"name":"x","constructor":{"prototype":{"scopes":["admin"]}}}',
    '{"name":"x","__proto__":null}',
    '{"__proto__":{"name":"x"}}',
  ];
  const key = await app.makeKey(world.user, []);
  await changesNothing(app, async () => {
    for (const body of bodies) {
      expect((await app.request("PATCH", "/api/auth/me", { token, body })).status, body).toBe(400);
      expect((await app.request("POST", "/api/api-keys", { token, body })).status, body).toBe(400);
    }
    for (const query of ["__proto__[scopes]=admin", "__proto__=admin", "constructor.prototype.scopes=admin"])
      expect((await app.request("GET", `/api/estimations?${query}`, { token })).status, query).toBe(400);
    await app.request("GET", "/api/auth/google/callback?__proto__=1&__proto__[isAdmin]=1&state=x");
  });
  expect(["scopes", "isAdmin", "name"].filter((name) => name in {})).toEqual([]);
  expect((await app.request("GET", "/api/estimations", { token: key })).status).toBe(403);
});

test("V15.3.7 of a repeated field the value that is checked is the one that is used", async () => {
  const user = await app.signUp();
  const send = (body: string) => app.request("POST", "/api/api-keys", { token: user.token, body });
  expect((await send('{"name":"x","scopes":[],"scopes":["everything"]}')).status).toBe(400);
  const made = await send('{"name":"x","scopes":["admin"],"scopes":[]}');
  expect([made.status, made.data.apiKey?.scopes]).toEqual([201, []]);
  expect((await app.request("GET", "/api/estimations", { token: String(made.data.plaintext) })).status).toBe(403);
});

test("V15.3.7 a repeated query parameter, or a body's field in the query, is refused", async () => {
  for (const query of ["limit=1&limit=100", "tag=a&tag=b", "title=x", "ownerId=x"])
    expect((await app.request("GET", `/api/estimations?${query}`, { token })).status, query).toBe(400);
  const { email, password } = world.user;
  const inQuery = await app.request("POST", `/api/auth/login?email=${email}&password=${password}`);
  expect(inQuery.status).toBe(400);
});

test("V15.3.7 of two Authorization headers only the first counts; they are never mixed", async () => {
  const ask = (...headers: (readonly [string, string])[]) => sendRaw(app, "GET", "/api/auth/me", headers);
  expect((await ask(bearer("nonsense"), bearer(token))).status).toBe(401);
  expect((await ask(["authorization", "Basic dXNlcjpwYXNz"], bearer(token))).status).toBe(401);
  const both = await ask(bearer(token), bearer(other.user.token));
  expect(JSON.parse(both.text).data.user.id).toBe(world.user.userId);
  for (const line of [`Bearer ${token}, Bearer ${other.user.token}`, `Bearer ${token} ${token}`, `Bearer${token}`])
    expect((await ask(["authorization", line])).status, line).toBe(401);
});

test("V15.3.7 header names and the scheme are case-insensitive, and no other deviation is accepted", async () => {
  const ask = (name: string, value: string) => sendRaw(app, "GET", "/api/auth/me", [[name, value]]);
  for (const name of ["authorization", "Authorization", "AUTHORIZATION"])
    for (const scheme of ["Bearer", "bearer", "BEARER"])
      expect((await ask(name, `${scheme} ${token}`)).status, name + scheme).toBe(200);
  const key = await app.makeKey(world.user, []);
  for (const value of [token, `Token ${token}`, `Bearer "${token}"`, `Bearer ${key.toUpperCase()}`, `Bearer ${key}x`])
    expect((await ask("authorization", value)).status, value).toBe(401);
});

test("V14.2.1 a key in an address is refused by every endpoint and not repeated", () => {
  expectLooped(
    keysInAddressesAreRefused,
    idsOf(() => true),
  );
});

test("V14.3.2 every response under /api forbids caches to store it, refusals included", async () => {
  expectLooped(
    responsesAreNotStored,
    idsOf(() => true),
  );
  for (const path of ["/api/nowhere", "/api/%zz", "/api/auth/me", "/api/auth/google"]) {
    const { headers } = await sendRaw(app, "GET", path);
    expect(headers["cache-control"], path).toBe("no-store");
  }
  const { headers } = await app.request("GET", "/api/auth/me", { token });
  expect(headers.get("cache-control")).toBe("no-store");
});

test("V16.5.1 the response to an unexpected error reveals nothing internal", async () => {
  await app.pool.query("alter table estimations rename to gone");
  const { status, body, text } = await app.request("GET", estimation, { token });
  await app.pool.query("alter table gone rename to estimations");
  expect([status, body]).toEqual([
    500,
    { success: false, message: "internal_error", docUrl: expect.any(String), requestId: expect.any(String) },
  ]);
  expect(text).not.toMatch(/estimations|select|relation|at .*\.ts|node_modules/i);
});

test("V16.5.3 while the database is unavailable nobody can sign in", async () => {
  const broken = await start();
  const user = await broken.signUp();
  const key = await broken.makeKey(user, ["admin"]);
  await broken.pool.query("alter table users rename to gone_users");
  for (const credential of [user.token, key]) {
    const { status, data } = await broken.request("GET", "/api/estimations", { token: credential });
    expect([status >= 500, data]).toEqual([true, {}]);
  }
  const body = { email: user.email, password: user.password };
  const refused = await broken.request("POST", "/api/auth/login", { body });
  expect([refused.status >= 500, refused.data]).toEqual([true, {}]);
});
